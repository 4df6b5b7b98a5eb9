import { setTimeout as sleep } from 'node:timers/promises'
import { ANALYSER } from '@kopilka/text/search/terms.ts'
import type { FastifyBaseLogger } from 'fastify'
import { type Clock, endsWithin } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Db, Trx } from '../db/schema.ts'
import type { Pool } from '../threads/pool.ts'
import type { Batch, Place, PreparedItem } from './batch.ts'
import { searchIndexOf } from './index.ts'
import { nextRemovals, ownerOfRemovals } from './vocabulary.ts'

/** Milliseconds after which an indexer without a new batch counts as dead. */
const LEASE = 60_000
/** Version of an index that is being rebuilt or was never built. */
const UNFINISHED = 0

const state = (trx: Trx) => trx.updateTable('search_analyser').where('id', '=', 1)

/**
 * Takes the lease of the index. Resolves to the end of the lease; undefined if another indexer holds it. A lease that ends later
 * than any can was taken by a server whose clock was wrong.
 */
const takeLease = command('search.takeLease', async (trx, { now }: { now: number }) => {
  const leased_until = now + LEASE
  const { after, until } = endsWithin(now, LEASE)
  const { numUpdatedRows } = await state(trx)
    .set({ leased_until, version: UNFINISHED })
    .where(({ eb, or }) => or([eb('leased_until', '<=', after), eb('leased_until', '>', until)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n ? leased_until : undefined
})

const endLease = command(
  'search.endLease',
  async (trx, { until, version }: { until: number; version: number }) => {
    await state(trx).set({ version, leased_until: 0 }).where('leased_until', '=', until).execute()
  },
)

interface PutBatch {
  readonly until: number
  readonly now: number
  readonly owner_id: string
  readonly items: readonly PreparedItem[]
}

/** Stores a batch and renews the lease. Stores nothing and resolves to undefined if another indexer has the lease by now. */
const putBatch = command('search.putBatch', async (trx, { until, now, owner_id, items }: PutBatch) => {
  const renewed = now + LEASE
  const { numUpdatedRows } = await state(trx)
    .set({ leased_until: renewed })
    .where('leased_until', '=', until)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return undefined
  if (items.length === 0) return renewed
  const ids = items.map(({ item }) => item.id)
  const rows = await trx
    .selectFrom('items')
    .select(['id', 'revision'])
    .where('owner_id', '=', owner_id)
    .where('id', 'in', ids)
    .orderBy('id')
    // Concurrent saves of these items wait for the commit.
    .forUpdate()
    .execute()
  const revisions = new Map(rows.map(({ id, revision }) => [id, revision]))
  const pairs = await trx
    .selectFrom('item_tags')
    .select(['item_id', 'tag_id'])
    .where('owner_id', '=', owner_id)
    .where('item_id', 'in', ids)
    .execute()
  const tags = Map.groupBy(pairs, ({ item_id }) => item_id)
  // A save or deletion since the read has updated the index itself.
  const entries = items
    .filter(({ item, revision }) => revisions.get(item.id) === revision)
    .map(({ item, document }) => ({
      item,
      document,
      tagIds: (tags.get(item.id) ?? []).map(({ tag_id }) => tag_id),
    }))
  await searchIndexOf(trx).upsert(trx, owner_id, entries)
  return renewed
})

const maintain = command('search.maintain', (trx: Trx) => searchIndexOf(trx).maintain(trx))

/** Takes queued forms that no item has out of the vocabulary: some 50, for each of which SQLite takes 0.1 to 0.3 ms. */
export const removeForms = command('search.removeForms', async (trx, { owner_id }: { owner_id: string }) => {
  const forms = await nextRemovals(trx, owner_id)
  if (forms.length > 0) await searchIndexOf(trx).removeUnusedForms(trx, owner_id, forms)
})

/** Listed in server/src/commands.ts. */
export const indexerCommands = [takeLease, endLease, putBatch, maintain, removeForms]

/** Milliseconds between two steps of maintenance, so that waiting writes come first. */
const BETWEEN_STEPS = 20

/** Removes the words that items lost from the vocabularies of all owners, in short steps, in which owners alternate. */
export async function cleanVocabulary(db: Database, signal?: AbortSignal): Promise<void> {
  let owner_id: string | undefined
  for (;;) {
    owner_id = await ownerOfRemovals(db, owner_id)
    if (owner_id === undefined || signal?.aborted) return
    await db.write(removeForms, { owner_id })
    await sleep(BETWEEN_STEPS)
  }
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown')

/** Runs maintenance after bulk writes, in short steps until nothing is left to do. */
export async function maintainIndex(db: Database, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await db.write(maintain, undefined))) await sleep(BETWEEN_STEPS)
}

interface Dependencies {
  db: Database
  pool: Pool
  clock: Clock
}

interface Run {
  /** Called with the number of items done so far. */
  onProgress?: (done: number) => void
  /** Stops after the current batch; the next run starts from the beginning. */
  signal?: AbortSignal
}

/** `stopped`: by the signal, or because another indexer took over. */
export type Indexed = 'done' | 'stopped' | 'busy'

/** Start of the items of the next owner. */
const ownerAfter = (db: Db, owner_id: string): Promise<Place | undefined> =>
  db
    .selectFrom('users')
    .select('owner_id')
    .where('owner_id', '>', owner_id)
    .orderBy('owner_id')
    .limit(1)
    .executeTakeFirst()

/** Indexes every item again while the server runs. An item is found by its old document until the new one replaces it. */
export async function reindex(
  { db, pool, clock }: Dependencies,
  { onProgress = () => {}, signal }: Run = {},
): Promise<Indexed> {
  let until = await db.write(takeLease, { now: clock() })
  if (until === undefined) return 'busy'
  let done = 0
  for (let place = await ownerAfter(db, ''); place; ) {
    if (signal?.aborted) {
      await db.write(endLease, { until, version: UNFINISHED })
      return 'stopped'
    }
    const { owner_id } = place
    const { items, next }: Batch = await pool.run('prepareBatch', place, { unlimitedWait: true })
    const renewed: number | undefined = await db.write(putBatch, { until, now: clock(), owner_id, items })
    if (renewed === undefined) return 'stopped'
    until = renewed
    done += items.length
    onProgress(done)
    place = next ?? (await ownerAfter(db, owner_id))
  }
  await db.write(endLease, { until, version: ANALYSER })
  return 'done'
}

/**
 * Milliseconds between checks of the index: another indexer may die, the database may be unavailable, items may have lost
 * words.
 */
const LOOK_EVERY = 30_000
/** Milliseconds after the start until maintenance: a server that starts has other things to do. */
const FIRST_UPKEEP = 60_000

/** Items that are saved before maintenance runs: on PostgreSQL a new account has no statistics before. */
const MANY = 2_000

interface IndexerDependencies extends Dependencies {
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  lookEvery?: number
  firstUpkeep?: number
  many?: number
}

/** Rebuilds an index of another version, runs maintenance and cleans the vocabulary, in the background. */
export function createIndexer({
  log,
  lookEvery = LOOK_EVERY,
  firstUpkeep = FIRST_UPKEEP,
  many = MANY,
  ...dependencies
}: IndexerDependencies) {
  const { db } = dependencies
  const ending = new AbortController()
  const { signal } = ending
  let working: Promise<unknown> | undefined
  let first: NodeJS.Timeout | undefined

  let needsUpkeep = false
  let waking = new AbortController()

  /** Whether nothing is left to do. */
  async function bringUp(isDue: (version: number) => boolean): Promise<boolean> {
    const { version } = await db
      .selectFrom('search_analyser')
      .select('version')
      .where('id', '=', 1)
      .executeTakeFirstOrThrow()
    if (isDue(version)) {
      let items = 0
      needsUpkeep = true
      const onProgress = (done: number) => {
        items = done
      }
      if ((await reindex(dependencies, { signal, onProgress })) !== 'done') return false
      if (items > 0) log.info({ items }, 'items indexed anew')
    }
    if (needsUpkeep) {
      needsUpkeep = false
      await maintainIndex(db, signal).catch((error: unknown) => {
        needsUpkeep = true
        throw error
      })
    }
    return true
  }

  async function work(): Promise<void> {
    let isDue = (version: number) => version !== ANALYSER
    while (!signal.aborted) {
      const isDone = await bringUp(isDue).catch((error: unknown) => {
        log.warn({ because: nameOf(error) }, 'indexing waits')
        return false
      })
      // From now on only unfinished rebuilds are completed: servers of two versions would else rebuild alternately for ever.
      if (isDone) isDue = (version) => version === UNFINISHED
      await sleep(lookEvery, undefined, { signal: AbortSignal.any([signal, waking.signal]) }).catch(() => {})
      waking = new AbortController()
    }
  }

  async function clean(): Promise<void> {
    while (!signal.aborted) {
      await cleanVocabulary(db, signal).catch((error: unknown) => {
        log.warn({ because: nameOf(error) }, 'words of deleted items wait')
      })
      await sleep(lookEvery, undefined, { signal }).catch(() => {})
    }
  }

  /** Runs maintenance soon. Called after many items were saved at once. */
  function maintainSoon(): void {
    needsUpkeep = true
    waking.abort()
  }

  let saved = 0

  /** Runs maintenance soon once many items were saved, one by one or at once. */
  function countSaved(items: number): void {
    saved += items
    if (saved < many) return
    saved = 0
    maintainSoon()
  }

  return {
    start(): void {
      working = Promise.all([work(), clean()])
      // A restore or bulk writes before the start may have left maintenance to do.
      first = setTimeout(maintainSoon, firstUpkeep)
    },

    maintainSoon,
    countSaved,

    /** Stops after the current batch; the next server starts from the beginning. */
    async close(): Promise<void> {
      clearTimeout(first)
      ending.abort()
      await working
    },
  }
}
