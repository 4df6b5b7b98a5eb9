import { setTimeout as sleep } from 'node:timers/promises'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Db, Trx } from '../db/schema.ts'
import type { Pool } from '../threads/pool.ts'
import { ANALYSER, createIndexDocument, type IndexDocument } from './document.ts'
import type { IndexedItem } from './index.ts'
import { searchIndexOf } from './indexes.ts'

/** Items of one batch, and characters after which it gets no more: a batch is one transaction, which others wait for. */
const BATCH = 20
const BATCH_LENGTH = 100_000
/** Milliseconds after which an indexer that has not come to its next batch is taken to be gone. */
const LEASE = 60_000
/** The version of an index that is being rebuilt, or never was. */
const UNFINISHED = 0

/** Where a batch begins: at the newest items of an owner, or before one of them. */
interface Place {
  readonly owner_id: string
  readonly before?: string
}

/** An item with its document, as it was when it was read. */
interface PreparedItem {
  readonly item: IndexedItem
  readonly revision: number
  readonly document: IndexDocument
}

/** A batch, and where the next one begins; undefined after the last of the owner. */
interface Batch {
  readonly items: readonly PreparedItem[]
  readonly next: Place | undefined
}

/** Reads and analyses the items of a batch, the newest first. Runs in a worker thread. */
export async function prepareBatch(db: Db, { owner_id, before }: Place): Promise<Batch> {
  const rows = await db
    .selectFrom('items')
    .select(['id', 'kind', 'title', 'body', 'url', 'created_at', 'revision'])
    .where('owner_id', '=', owner_id)
    .$if(before !== undefined, (items) => items.where('id', '<', before ?? ''))
    .orderBy('id', 'desc')
    .limit(BATCH)
    .execute()
  const items: PreparedItem[] = []
  let length = 0
  for (const { title, body, url, revision, ...row } of rows) {
    const document = createIndexDocument({ title, body: htmlToText(body), url: url ?? '' })
    items.push({ item: { ...row, owner_id }, revision, document })
    length += body.length
    if (length > BATCH_LENGTH) break
  }
  const last = rows.length < BATCH && items.length === rows.length ? undefined : items.at(-1)
  return { items, next: last && { owner_id, before: last.item.id } }
}

const state = (trx: Trx) => trx.updateTable('search_analyser').where('id', '=', 1)

/** Undefined where another indexer is at work; else until when this one holds the index. */
const takeLease = command('search.takeLease', async (trx, { now }: { now: number }) => {
  const until = now + LEASE
  const { numUpdatedRows } = await state(trx)
    .set({ leased_until: until, version: UNFINISHED })
    .where('leased_until', '<=', now)
    .executeTakeFirst()
  return numUpdatedRows > 0n ? until : undefined
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

/** Stores a batch and renews the lease; undefined, and nothing is stored, where the lease is another's by now. */
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
    // A save of one of them waits, and comes after.
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
  // What was saved or deleted since it was read was indexed then.
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

/** Listed in server/src/commands.ts. */
export const indexerCommands = [takeLease, endLease, putBatch, maintain]

/** Milliseconds between two steps of upkeep: whoever waits to write comes first. */
const BETWEEN_STEPS = 20

/** Does the upkeep that bulk writes leave behind, in short steps until nothing is left to do. */
export async function maintainIndex(db: Database, signal?: AbortSignal): Promise<void> {
  while (!signal?.aborted && (await db.write(maintain, undefined))) await sleep(BETWEEN_STEPS)
}

interface Parts {
  db: Database
  pool: Pool
  clock: Clock
}

interface Run {
  /** Called with the number of items done so far. */
  onProgress?: (done: number) => void
  /** Ends the run after the batch under way; the next one starts anew. */
  signal?: AbortSignal
}

/** `stopped`: by the signal, or because another indexer took over. */
export type Indexed = 'done' | 'stopped' | 'busy'

/** Where the items of the next owner begin. */
const ownerAfter = (db: Db, owner_id: string): Promise<Place | undefined> =>
  db
    .selectFrom('users')
    .select('owner_id')
    .where('owner_id', '>', owner_id)
    .orderBy('owner_id')
    .limit(1)
    .executeTakeFirst()

/** Indexes every item anew while the product runs: each is found by its old document until the new one takes its place. */
export async function reindex(
  { db, pool, clock }: Parts,
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
    const { items, next }: Batch = await pool.run('prepareBatch', place)
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

/** Milliseconds before the index is looked at again: another indexer may die, the database may be away. */
const LOOK_EVERY = 30_000

interface IndexerParts extends Parts {
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  lookEvery?: number
}

/** Brings the index to this program's version, and keeps it up, beside the server's work. */
export function createIndexer({ log, lookEvery = LOOK_EVERY, ...parts }: IndexerParts) {
  const { db } = parts
  const ending = new AbortController()
  const { signal } = ending
  let working: Promise<void> | undefined

  /** A restore, or what was seeded before the start, may have left something to do. */
  let needsUpkeep = true

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
      if ((await reindex(parts, { signal, onProgress })) !== 'done') return false
      if (items > 0) log.info({ items }, 'items indexed anew')
    }
    if (needsUpkeep) await maintainIndex(db, signal)
    needsUpkeep = false
    return true
  }

  async function work(): Promise<void> {
    let isDue = (version: number) => version !== ANALYSER
    while (!signal.aborted) {
      const isDone = await bringUp(isDue).catch((error: unknown) => {
        log.warn({ because: error instanceof Error ? error.name : 'unknown' }, 'indexing waits')
        return false
      })
      // From then on the other programs' versions are theirs: two would do it anew in turns for ever.
      if (isDone) isDue = (version) => version === UNFINISHED
      await sleep(lookEvery, undefined, { signal }).catch(() => {})
    }
  }

  return {
    start(): void {
      working = work()
    },

    /** Ends with the batch under way; whoever starts next begins anew. */
    async close(): Promise<void> {
      ending.abort()
      await working
    },
  }
}
