import { createReadStream } from 'node:fs'
import { MessageChannel } from 'node:worker_threads'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/open.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { nameForImport } from '../files/references.ts'
import { CHUNK, type FileStore } from '../files/store.ts'
import { fillIdentities, type missingIdentities } from '../items/identities.ts'
import type { Job } from '../jobs/queue.ts'
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

/** Times the limit of a file: more text than that comes out of no file that somebody exported. */
const UNPACKED = 10

interface Reading {
  /** Aborts where the server closes. */
  signal: AbortSignal
  /** Aborts where the reading is not wanted any more. */
  stop: AbortController
}

interface Parts {
  db: Database
  clock: Clock
  config: Pick<Config, 'IMPORT_LIMIT' | 'FILE_LIMIT'>
  pool: Pool
  uploads: Pick<Uploads, 'pathOf' | 'unpackedPathOf' | 'remove'>
  quotas: Quotas
  pictures: Pick<FileStore, 'save'>
}

/** Reads the files of a folder into entries, two at a time, each in a thread. */
export function createImportReader({ db, clock, config, pool, uploads, quotas, pictures }: Parts) {
  const threads = createPool(new URL('reader-thread.ts', import.meta.url), POOL)

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
        const leased_until = clock() + LEASE
        const isWanted = await db.write(addRows, { key, attempt: job, leased_until, ...batch })
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
      if (fault !== undefined) throw fault
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

  /** Reads a file from its start, with nothing left of another attempt. */
  async function readAll(
    job: Job,
    key: ImportKey,
    task: Pick<ReadTask, 'name' | 'locale'>,
    reading: Reading,
  ): ReturnType<typeof read> {
    const { owner_id } = key
    while (await db.write(deleteRows, key)) reading.signal.throwIfAborted()
    for (;;) {
      const keys = await pool.run<Awaited<ReturnType<typeof missingIdentities>>>(
        'missingIdentities',
        owner_id,
        { owner_id },
      )
      if (keys.length === 0) break
      await db.write(fillIdentities, { owner_id, keys })
      reading.signal.throwIfAborted()
    }
    return read(job, key, task, reading)
  }

  const handler: JobHandler = {
    timeout: 60 * MINUTE,
    lease: LEASE,
    concurrency: POOL.threads,
    onePerOwner: true,
    backoff: [SECOND, 10 * SECOND, MINUTE],
    giveUpAfter: 24 * 60 * MINUTE,

    async run(job, signal) {
      const { owner_id, payload, attempts } = job
      const { import_id: id }: { import_id: string } = JSON.parse(payload)
      const key = { owner_id, id }
      const found = await findImport(db, key)
      if (found && (await db.write(restartReading, key))) {
        const stop = new AbortController()
        const timer = setInterval(() => void renew(job, key, stop), RENEWAL)
        try {
          const reading = { signal, stop }
          const error = attempts > MAX_ATTEMPTS ? 'importTooComplex' : await readAll(job, key, found, reading)
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
  }

  return { handler, close: threads.close }
}
