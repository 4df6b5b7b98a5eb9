import { setInterval as every } from 'node:timers/promises'
import type { PageMetadata } from '@kopilka/contract/metadata.ts'
import { type Clock, isOver } from '../clock.ts'
import type { Database } from '../db/open.ts'
import type { ImportsTable } from '../db/schema.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { attemptsOf, hasDueJob, type Job } from '../jobs/queue.ts'
import { JobDeferred, type JobHandler, JobYields } from '../jobs/worker.ts'
import type { Extraction } from '../metadata/extraction.ts'
import { ignoreIfUndone, type StepWriters, undoOperation } from '../operations/steps.ts'
import type { Pool } from '../threads/pool.ts'
import { isOwnArchive } from './existing-items.ts'
import type { BatchRequest, PreparedBatch } from './prepare-batch.ts'
import { trimImports } from './purge.ts'
import { findImport } from './queries.ts'
import { finishImport, isStale, saveBatch } from './save-batch.ts'
import { createSiteTurns } from './site-turns.ts'
import { deleteRows, type ImportKey, type RunOptions } from './store.ts'
import type { KeptItem } from './stored-row.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE
/** A batch takes far less to save. */
const LEASE = 15 * SECOND
/**
 * Entries of a batch, and of one that reads pages: each takes up to 20 seconds, and waits for those of other imports that read the
 * same site.
 */
const ROWS = 200
const ROWS_WITH_PAGES = 4
const LEASE_WITH_PAGES = 2 * MINUTE
/** Milliseconds between two reads of pages of one site, by whichever imports. */
const BETWEEN_PAGES = SECOND
/** Imports that are saved at a time, their batches in turn with the steps of operations. */
const AT_ONCE = 8
/** How long an import is saved before those of others that wait. */
const TURN = 10 * SECOND
/** Entries whose items make queries slow on PostgreSQL before its statistics tell of them. */
const MANY = 2_000
/** Milliseconds between two looks whether an import still runs, whose pages take long. */
const LOOK_EVERY = SECOND
/** Attempts at an import after which it waits no more for sites that ask to. */
const MAX_WAITING = 5
/** Attempts after which an import is given up. */
const MAX_ATTEMPTS = 50

interface Dependencies {
  db: Database
  stepWriters: StepWriters
  clock: Clock
  pool: Pool
  quotas: Quotas
  extraction: Extraction
  /** Waits until a page of a site may be read. */
  siteTurn: ReturnType<typeof createSiteTurns>
  /** Is called once an import has saved {@link MANY} entries, each time it has saved twice as many, and when it ends in any way. */
  onSaved: () => void
  turn?: number
}

/** Handlers of the jobs that save entries, without pages and with them. */
export function importRunners(given: Omit<Dependencies, 'siteTurn'>): {
  plain: JobHandler
  withPages: JobHandler
} {
  const dependencies: Dependencies = { ...given, siteTurn: createSiteTurns(BETWEEN_PAGES) }
  const trying = {
    timeout: 7 * DAY,
    backoff: [5 * SECOND, 30 * SECOND, MINUTE] as const,
    // An import without its job would never end, and hold up all others of its owner: MAX_ATTEMPTS ends it.
    giveUpAfter: Number.POSITIVE_INFINITY,
  }
  return {
    plain: {
      ...trying,
      lease: LEASE,
      concurrency: AT_ONCE,
      run: (job, signal) => runImport(dependencies, job, { signal, lease: LEASE }),
    },
    withPages: {
      ...trying,
      lease: LEASE_WITH_PAGES,
      concurrency: AT_ONCE,
      run: (job, signal) => runImport(dependencies, job, { signal, lease: LEASE_WITH_PAGES }),
    },
  }
}

interface Running {
  signal: AbortSignal
  lease: number
}

/** Saves the entries, goes on where another attempt has ended, or takes back what a cancelled import has saved. */
async function runImport(dependencies: Dependencies, job: Job, running: Running): Promise<void> {
  const { db, stepWriters, clock, quotas, onSaved } = dependencies
  const key = { owner_id: job.owner_id, id: job.id }
  const found = await findImport(db, key)
  if (!found) return
  if (found.state === 'running') {
    const [stop, left] = [new AbortController(), new AbortController()]
    const watching = abortOnceEnded(db, key, stop, left.signal)
    try {
      const signal = AbortSignal.any([running.signal, stop.signal])
      await saveAll(dependencies, job, found, { ...running, signal })
    } catch (error) {
      running.signal.throwIfAborted()
      if (error instanceof JobYields || error instanceof JobDeferred) throw error
      if (!stop.signal.aborted) {
        const isQuota = error instanceof AppError && error.code.endsWith('Quota')
        if (!isQuota && attemptsOf(job) < MAX_ATTEMPTS) throw error
        const code = isQuota ? (error.code as 'itemQuota') : 'importFailed'
        await db.write(finishImport, { key, now: clock(), state: 'failed', error: code })
      }
    } finally {
      left.abort()
      await watching
      // Leaves the pages that are read ahead.
      stop.abort()
    }
  }
  const ended = await findImport(db, key)
  if (!ended || ended.state === 'running') return
  if (ended.state === 'cancelled') {
    const operation = await db.write(finishImport, { key, now: clock(), state: 'cancelled' })
    const author = { owner_id: key.owner_id, session_id: ended.session_id }
    // An attempt before this one may have undone it.
    if (operation !== undefined)
      await undoOperation(
        stepWriters(key.owner_id),
        { ...author, id: operation, quotas },
        running.signal,
      ).catch(ignoreIfUndone)
  }
  if (ended.position > 0) onSaved()
  if (ended.state === 'done') await trimImports(db, key.owner_id, running.signal)
  else while (await db.write(deleteRows, key)) running.signal.throwIfAborted()
}

/** Aborts a controller once an import is cancelled, or gone with its account; looks until the signal aborts. */
async function abortOnceEnded(
  db: Database,
  key: ImportKey,
  stop: AbortController,
  signal: AbortSignal,
): Promise<void> {
  try {
    for await (const _ of every(LOOK_EVERY, undefined, { signal })) {
      // A database that is away is asked again; the batches tell of it.
      const isRunning = await findImport(db, key).then(
        (found) => found?.state === 'running',
        () => true,
      )
      if (!isRunning) return stop.abort()
    }
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Batches that are prepared while another is saved: the saving waits for the disk, the preparing for the processor. */
const AHEAD = 2
/** Times that a batch is prepared whose items are changed meanwhile. */
const MAX_PREPARED = 10

/**
 * Prepares batches while those before them are saved: again where that one has changed its items. Throws {@link JobYields} once its
 * turn is over and imports of others wait.
 */
async function saveAll(
  dependencies: Dependencies,
  job: Job,
  found: ImportsTable,
  { signal, lease }: Running,
): Promise<void> {
  const { db, stepWriters, clock, pool, quotas, onSaved, turn = TURN } = dependencies
  const until = clock() + turn
  const isTurnOver = async () => {
    const now = clock()
    // Where the look fails, as on Citus while a machine is away, this import may go on.
    return isOver(until, now, turn) && (await hasDueJob(db, { kind: job.kind, now }).catch(() => false))
  }
  const { owner_id, id, position, started_at, options: chosen, format, operation_id } = found
  const key = { owner_id, id }
  const now = started_at ?? clock()
  // Written by startImport.
  const options: RunOptions = JSON.parse(chosen ?? '{}')
  // Entries of an archive become items of their own.
  const isJoined = options.read_pages && options.duplicates !== 'add' && !isOwnArchive(found)
  const withText = isJoined
    ? await pool.run<string[]>(
        'linksWithText',
        { ...key, after: position },
        { owner_id, unlimitedWait: true },
      )
    : []
  const prepare = preparer(
    dependencies,
    key,
    {
      ...{ found: { owner_id, format, operation_id }, options, now, withText: new Set(withText) },
      mayWait: attemptsOf(job) < MAX_WAITING,
    },
    signal,
  )
  // What a batch is merged into may be changed by those before it.
  const most = options.read_pages || options.duplicates === 'merge' ? 1 : AHEAD
  let [after, prepared] = [position, 1]
  /** Batches that are being prepared, each after the one before it. */
  let upcoming = [prepare(position)]
  for (;;) {
    const batch = await upcoming[0]
    upcoming.shift()
    // The first batch creates the tags that the file lists, also where it has no entries.
    if (!batch || (batch.count === 0 && after > 0)) break
    const { rows, count, last } = batch
    if (!(await isTurnOver()))
      for (let before = upcoming.at(-1); upcoming.length < most; before = upcoming.at(-1)) {
        const following = before ? before.then((one) => prepare(one.last)) : prepare(last)
        // Read only where the saves before it succeed.
        following.catch(() => {})
        upcoming.push(following)
      }
    const request = { key, attempt: job, after, last, rows, options, quotas, now }
    const save = (time: number) => ({ ...request, leased_until: time + lease })
    signal.throwIfAborted()
    try {
      if (!(await stepWriters(owner_id).writeAt(saveBatch, save))) return
    } catch (error) {
      if (!isStale(error) || prepared >= MAX_PREPARED) throw error
      prepared += 1
      upcoming = [prepare(after)]
      continue
    }
    if (doublings(last) > doublings(after)) onSaved()
    if (count === 0) break
    if (upcoming.length === 0) throw new JobYields()
    ;[after, prepared] = [last, 1]
  }
  await db.write(finishImport, { key, now: clock(), state: 'done' })
}

/** How many times {@link MANY} can be doubled within a number of entries; -1 where it is less. */
const doublings = (entries: number): number => Math.max(-1, Math.floor(Math.log2(entries / MANY)))

interface Preparing extends Pick<BatchRequest, 'found' | 'options' | 'now'> {
  /** Keys of links that take no text from their pages: they have one of the file, which may stand in a later batch. */
  readonly withText: ReadonlySet<string>
  /** Whether it may wait for a site that asks to. */
  readonly mayWait: boolean
}

/** Whether a page can be read later: its site, or the limit of the owner, has no room for it now. */
const isBusy = (error: unknown): boolean =>
  error instanceof AppError && (error.code === 'fetchBusy' || error.code === 'rateLimited')

/** Prepares the entries after a place. */
function preparer(
  { db, pool, extraction, siteTurn }: Dependencies,
  key: ImportKey,
  { found, options, now, withText, mayWait }: Preparing,
  signal: AbortSignal,
) {
  /** Reads a page, of each site one a second; undefined where that is not possible, 'busy' where it is later. */
  async function readPage(url: string): Promise<PageMetadata | 'busy' | undefined> {
    await siteTurn(URL.parse(url)?.hostname ?? '', signal)
    const { owner_id } = key
    return extraction.extract({ owner_id, url, locale: 'ru', signal }).catch((error: unknown) => {
      signal.throwIfAborted()
      return mayWait && isBusy(error) ? 'busy' : undefined
    })
  }

  /**
   * What the pages of the next links say, by the numbers of the entries; null where a page could not be read. `limit`: entries, up to
   * one whose page is read later. Throws {@link JobDeferred} where that is the first.
   */
  async function pagesAfter(after: number): Promise<Pick<BatchRequest, 'pages' | 'limit'>> {
    const rows = await db
      .selectFrom('import_rows')
      .select(['seq', 'title', 'url', 'identity_key', 'item'])
      .where('owner_id', '=', key.owner_id)
      .where('import_id', '=', key.id)
      .where('seq', '>', after)
      .where('kind', 'is not', null)
      .orderBy('seq')
      .limit(ROWS_WITH_PAGES)
      .execute()
    const pages: [number, PageMetadata | null][] = []
    for (const [at, { seq, title, url, identity_key, item }] of rows.entries()) {
      const { body }: KeptItem = JSON.parse(item ?? '{}')
      const lacksText = body === '' && !withText.has(identity_key ?? '')
      if (url === null || (title !== url && !lacksText)) continue
      const page = await readPage(url)
      if (page === 'busy') {
        if (at === 0) throw new JobDeferred('A site asks to wait.')
        return { pages, limit: at }
      }
      pages.push([seq, page ? { ...page, description: lacksText ? page.description : '' } : null])
    }
    return { pages, limit: ROWS_WITH_PAGES }
  }

  return async (after: number): Promise<PreparedBatch> => {
    const read = options.read_pages ? await pagesAfter(after) : { pages: [], limit: ROWS }
    const request: BatchRequest = { key, after, found, options, now, ...read }
    return pool.run('prepareImport', request, { owner_id: key.owner_id, unlimitedWait: true })
  }
}
