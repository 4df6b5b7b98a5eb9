import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock } from '../clock.ts'
import type { Db, Trx } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { ANALYSER, entriesOf } from '../search/entries.ts'
import type { SearchIndex } from '../search/index.ts'
import type { TagStore } from '../tags/store.ts'
import { plainText } from './html.ts'

/** Items a transaction: nobody else waits long for one. */
const BATCH = 20
/** Milliseconds after which a server that has not come to its next batch is taken to be gone. */
const LEASE = 60_000
/** No version of the analyser: an index that is being rebuilt, or never was. */
const UNFINISHED = 0

interface Parts {
  db: Db
  index: SearchIndex
  tags: TagStore
  clock: Clock
}

/** Until when this server is believed to be at it. */
interface Lease {
  until: number
}

/** An owner, and the item after which the next batch begins. */
interface Place {
  owner_id: string
  after: string
}

interface Run {
  /** Called with the number of items done so far. */
  onProgress?: (done: number) => void
  /** Ends the run after the batch under way; the next one starts anew. */
  signal?: AbortSignal
}

/** `stopped`: by the signal, or because another server took over. */
export type Reindexed = 'done' | 'stopped' | 'busy'

export type Reindex = ReturnType<typeof createReindex>

/** Indexes every item anew while the product runs: each is found by its old entries until its new ones take their place. */
export function createReindex({ db, index, tags, clock }: Parts) {
  const state = (source: Db | Trx) => source.updateTable('search_analyser').where('id', '=', 1)

  /** Undefined where another server is at it. */
  async function takeLease(): Promise<Lease | undefined> {
    const until = clock() + LEASE
    const { numUpdatedRows } = await state(db)
      .set({ leased_until: until, version: UNFINISHED })
      .where('leased_until', '<=', clock())
      .executeTakeFirst()
    return numUpdatedRows > 0n ? { until } : undefined
  }

  const endLease = ({ until }: Lease, version: number) =>
    state(db).set({ version, leased_until: 0 }).where('leased_until', '=', until).execute()

  /** Where the items of the next owner begin. */
  async function ownerAfter(owner_id: string): Promise<Place | undefined> {
    const next = await db
      .selectFrom('users')
      .select('owner_id')
      .where('owner_id', '>', owner_id)
      .orderBy('owner_id')
      .limit(1)
      .executeTakeFirst()
    return next && { ...next, after: '' }
  }

  /** Undefined where the lease is another server's by now. */
  const nextBatch = (lease: Lease, place: Place) =>
    transact(db, async (trx) => {
      const until = clock() + LEASE
      const { numUpdatedRows } = await state(trx)
        .set({ leased_until: until })
        .where('leased_until', '=', lease.until)
        .executeTakeFirst()
      return numUpdatedRows > 0n ? { lease: { until }, ...(await indexBatch(trx, place)) } : undefined
    })

  async function indexBatch(trx: Trx, { owner_id, after }: Place) {
    if (after === '') await index.tidy(trx, owner_id)
    const items = await trx
      .selectFrom('items')
      .select(['id', 'kind', 'title', 'body', 'url', 'created_at'])
      .where('owner_id', '=', owner_id)
      .where('id', '>', after)
      .orderBy('id')
      .limit(BATCH)
      // A save of one of them waits, and comes after.
      .forUpdate()
      .execute()
    const named = await tags.ofItems(
      owner_id,
      items.map(({ id }) => id),
      trx,
    )
    for (const { title, body, url, ...item } of items) {
      const text = { title, body: plainText(body), url: url ?? '' }
      const ids = (named.get(item.id) ?? []).map(({ id }) => id)
      await index.put(trx, { owner_id, ...item }, entriesOf({ ...text, tags: ids }))
    }
    const last = items.length < BATCH ? undefined : items.at(-1)
    return { count: items.length, next: last && { owner_id, after: last.id } }
  }

  return {
    /** Whether the index is of another version than this program's. */
    async isDue(): Promise<boolean> {
      const { version } = await db
        .selectFrom('search_analyser')
        .select('version')
        .where('id', '=', 1)
        .executeTakeFirstOrThrow()
      return version !== ANALYSER
    },

    async run({ onProgress = () => {}, signal }: Run = {}): Promise<Reindexed> {
      let lease = await takeLease()
      if (!lease) return 'busy'
      let done = 0
      for (let place = await ownerAfter(''); place; ) {
        if (signal?.aborted) {
          await endLease(lease, UNFINISHED)
          return 'stopped'
        }
        const batch = await nextBatch(lease, place)
        if (!batch) return 'stopped'
        lease = batch.lease
        done += batch.count
        onProgress(done)
        place = batch.next ?? (await ownerAfter(place.owner_id))
        await nextTurn()
      }
      await endLease(lease, ANALYSER)
      return 'done'
    },
  }
}
