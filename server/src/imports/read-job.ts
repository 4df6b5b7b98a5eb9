import { createReadStream } from 'node:fs'
import { MessageChannel } from 'node:worker_threads'
import { type Clock, isOver } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { isDiskFull } from '../files/disk-full.ts'
import { nameForImport } from '../files/references.ts'
import { CHUNK, type FileStore } from '../files/store.ts'
import {
  fillIdentities,
  fillTrashIdentities,
  type missingIdentities,
  type missingTrashIdentities,
} from '../items/fill-identity-keys.ts'
import { attemptsOf, hasDueJob, type Job } from '../jobs/queue.ts'
import type { JobHandler } from '../jobs/worker.ts'
import { createPool, type Pool, ThreadEnded } from '../threads/pool.ts'
import { findImport } from './queries.ts'
import type { ReadOutcome, ReadPicture, ReadTask, RowBatch } from './reader-thread.ts'
import type { ImportMessage } from './row.ts'
import {
  addRows,
  deleteRows,
  failImport,
  finishReading,
  type ImportKey,
  longReadJobOf,
  putOffReading,
  renewReading,
  restartReading,
} from './store.ts'
import type { Uploads } from './uploads.ts'

/** Files that are read at a time, and the heap of their threads in megabytes. */
const POOL = {
  threads: 2,
  memory: { maxOldGenerationSizeMb: 192, maxYoungGenerationSizeMb: 16 },
  // Its memory is free before the saving begins.
  idle: 1000,
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const LEASE = 15 * SECOND
/** Between two renewals of the lease: a file may have no batch for long. */
const RENEWAL = LEASE / 3
/** Attempts after which a file is too much for the server. */
const MAX_ATTEMPTS = 5
/** How long a file is read before those of others that wait: most take less. */
const SHORT = 10 * SECOND

/** How long a file may be read: what people export takes seconds, half a million files of an archive some minutes. */
const READ_FOR = 15 * MINUTE

/** Times the limit of a file: more text than that comes out of no file that somebody exported. */
const UNPACKED = 10

const isTimeout = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError'

interface Reading {
  /** Aborts where the server closes. */
  signal: AbortSignal
  /** Aborts where the reading is not wanted any more. */
  stop: AbortController
}

interface Dependencies {
  db: Database
  clock: Clock
  config: Pick<Config, 'IMPORT_LIMIT' | 'FILE_LIMIT'>
  pool: Pool
  uploads: Pick<Uploads, 'folderId' | 'pathOf' | 'unpackedPathOf' | 'remove'>
  quotas: Quotas
  pictures: Pick<FileStore, 'save'>
  short?: number
  renewal?: number
}

/**
 * Reads the files of a folder into entries, two at a time, each in a thread. One of the two is for files that took long while others
 * waited: however many such files somebody sends, those of others are read.
 */
export function createImportReader({ short = SHORT, renewal = RENEWAL, ...dependencies }: Dependencies) {
  const { db, clock, config, pool, uploads, quotas, pictures } = dependencies
  const threads = createPool(new URL('reader-thread.ts', import.meta.url), POOL)
  const longKind = longReadJobOf(uploads.folderId)

  /** Reads a file. Resolves to what is wrong with it, undefined where nothing is; or that the reading is not wanted any more. */
  async function read(
    job: Job,
    key: ImportKey,
    task: Pick<ReadTask, 'name' | 'locale'>,
    { signal, stop }: Reading,
  ): Promise<ImportMessage | 'stopped' | undefined> {
    const { port1, port2 } = new MessageChannel()
    let fault: unknown
    const paths = { path: uploads.pathOf(key.id), unpacked: uploads.unpackedPathOf(key.id) }
    const picture = `${paths.unpacked}.picture`

    /** Keeps a picture until the import ends. Resolves to why it is not kept. */
    async function keepPicture({ facts }: ReadPicture): Promise<ImportMessage | null> {
      try {
        await pictures.save(key.owner_id, facts, () => createReadStream(picture, { highWaterMark: CHUNK }))
        await db.write(nameForImport, { ...key, file_id: facts.id })
        return null
      } catch (error) {
        if (error instanceof AppError && error.code === 'fileQuota') return 'importNoRoomForPicture'
        throw error
      }
    }

    port1.on('message', async (batch: RowBatch | ReadPicture) => {
      try {
        if ('facts' in batch) return port1.postMessage(await keepPicture(batch))
        const now = clock()
        const lease = { attempt: job, leased_until: now + LEASE, now }
        const isWanted = await db.write(addRows, { key, ...lease, ...batch })
        if (isWanted) port1.postMessage(null)
        else stop.abort()
      } catch (error) {
        fault = error
        stop.abort()
      }
    })
    const args: ReadTask = {
      ...task,
      ...paths,
      picture,
      maxPicture: config.FILE_LIMIT,
      maxRows: quotas.items,
      maxTags: quotas.tags,
      maxText: UNPACKED * config.IMPORT_LIMIT,
      port: port2,
    }
    try {
      const either = AbortSignal.any([signal, stop.signal])
      const { error } = await threads.run<ReadOutcome>('readFile', args, {
        signal: either,
        transfer: [port2],
      })
      return error
    } catch (error) {
      if (isDiskFull(fault)) return 'importDiskFull'
      if (fault !== undefined) throw fault
      // What takes so long once takes it again.
      if (isTimeout(signal.reason)) return 'importTooComplex'
      signal.throwIfAborted()
      if (stop.signal.aborted) return 'stopped'
      if (error instanceof ThreadEnded) return 'importTooComplex'
      throw error
    } finally {
      port1.close()
    }
  }

  async function renew(attempt: Job, key: ImportKey, stop: AbortController): Promise<void> {
    const lease = { key, attempt, leased_until: clock() + LEASE }
    // A database that is away is asked again; the batches tell of it.
    const isWanted = await db.write(renewReading, lease).catch(() => true)
    if (!isWanted) stop.abort()
  }

  /** Whether files of other owners wait; not while the database is away. */
  const doOthersWait = ({ kind }: Job): Promise<boolean> =>
    hasDueJob(db, { kind, now: clock(), onePerOwner: true, behind: longKind }).catch(() => false)

  /** Reads a file from its start, with nothing left of another attempt. */
  async function readAll(
    job: Job,
    key: ImportKey,
    task: Pick<ReadTask, 'name' | 'locale'>,
    reading: Reading,
  ): ReturnType<typeof read> {
    const { owner_id } = key
    while (await db.write(deleteRows, key)) reading.signal.throwIfAborted()
    type Missing<Keys extends (...args: never) => unknown> = Awaited<ReturnType<Keys>>
    const missing = <Keys>(task: string) => pool.run<Keys>(task, owner_id, { owner_id, unlimitedWait: true })
    for (;;) {
      const keys = await missing<Missing<typeof missingIdentities>>('missingIdentities')
      if (keys.length === 0) break
      await db.write(fillIdentities, { owner_id, keys })
      reading.signal.throwIfAborted()
    }
    for (;;) {
      const keys = await missing<Missing<typeof missingTrashIdentities>>('missingTrashIdentities')
      if (keys.length === 0) break
      await db.write(fillTrashIdentities, { owner_id, keys })
      reading.signal.throwIfAborted()
    }
    return read(job, key, task, reading)
  }

  const handlerOf = (isLong: boolean): JobHandler => ({
    timeout: READ_FOR,
    lease: LEASE,
    onePerOwner: true,
    // Who has sent a file that takes long waits for it with his other files: each would take as long from those of others.
    ...(!isLong && { behind: longKind }),
    backoff: [SECOND, 10 * SECOND, MINUTE],
    giveUpAfter: 24 * 60 * MINUTE,

    async run(job, signal) {
      const { owner_id, payload } = job
      const { import_id: id }: { import_id: string } = JSON.parse(payload)
      const key = { owner_id, id }
      const found = await findImport(db, key)
      if (found && (await db.write(restartReading, key))) {
        const stop = new AbortController()
        const until = clock() + short
        let isPutOff = false
        const timer = setInterval(async () => {
          await renew(job, key, stop)
          if (isLong || !isOver(until, clock(), short)) return
          if (stop.signal.aborted || !(await doOthersWait(job))) return
          isPutOff = true
          stop.abort()
        }, renewal)
        try {
          const reading = { signal, stop }
          const isTooMuch = attemptsOf(job) > MAX_ATTEMPTS + Number(isLong)
          const error = isTooMuch ? 'importTooComplex' : await readAll(job, key, found, reading)
          if (error === 'stopped' && isPutOff) {
            await db.write(putOffReading, { job, kind: longKind, now: clock() })
            return
          }
          // Another server may read the file again; where nobody is to, it goes.
          if (error === 'stopped' && (await findImport(db, key))?.state === 'reading') return
          if (error && error !== 'stopped') await db.write(failImport, { ...key, error })
          else if (!error) await db.write(finishReading, key)
        } finally {
          clearInterval(timer)
        }
      }
      await uploads.remove(id)
      // Also where an attempt before this one failed and did not come to the end of its entries.
      if ((await findImport(db, key))?.state === 'failed')
        while (await db.write(deleteRows, key)) signal.throwIfAborted()
    },
  })

  return { handler: handlerOf(false), longHandler: handlerOf(true), close: threads.close }
}
