import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Selectable } from 'kysely'
import type { Clock } from '../clock.ts'
import type { Db, Tables, Trx } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import type { IndexedItem, SearchIndex } from '../search/index.ts'
import { ANALYSER, type Entries, entriesOf, tagged } from '../search/terms.ts'
import { tagIdsOf } from '../tags/item-tags.ts'
import { plainText } from './html.ts'
import { createPauses, withPauses } from './pauses.ts'

/** Items a transaction, and characters after which it gets no more of them: nobody else waits long for one. */
const BATCH = 20
const BATCH_LENGTH = 100_000
/** Milliseconds after which a server that has not come to its next batch is taken to be gone. */
const LEASE = 60_000
/** No version of the analyser: an index that is being rebuilt, or never was. */
const UNFINISHED = 0

interface Parts {
  db: Db
  index: SearchIndex
  clock: Clock
}

/** Until when this server is believed to be at it. */
interface Lease {
  until: number
}

/** An owner, and the item before which the next batch ends; undefined: it begins with the newest. */
interface Place {
  owner_id: string
  before?: string
}

/** An item as it was when its texts were taken apart. */
interface Prepared {
  readonly item: IndexedItem
  readonly revision: number
  readonly entries: Entries
}

const INDEXED = ['id', 'kind', 'title', 'body', 'url', 'created_at', 'revision'] as const

type Row = Pick<Selectable<Tables['items']>, (typeof INDEXED)[number]>

async function takenApart(
  owner_id: string,
  { id, kind, created_at, revision, title, body, url }: Row,
  pause: () => Promise<void>,
): Promise<Prepared> {
  const entries = await entriesOf({ title, body: plainText(body), url: url ?? '' }, pause)
  return { item: { owner_id, id, kind, created_at }, revision, entries }
}

async function versionOf(db: Db): Promise<number> {
  const { version } = await db
    .selectFrom('search_analyser')
    .select('version')
    .where('id', '=', 1)
    .executeTakeFirstOrThrow()
  return version
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
export function createReindex({ db, index, clock }: Parts) {
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
    return next
  }

  /** Does the work while the lease is held, and renews it; false where it is another server's by now. */
  async function held(lease: Lease, work: (trx: Trx) => Promise<void>): Promise<boolean> {
    const until = clock() + LEASE
    const isOurs = await transact(db, async (trx) => {
      const { numUpdatedRows } = await state(trx)
        .set({ leased_until: until })
        .where('leased_until', '=', lease.until)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) return false
      await work(trx)
      return true
    })
    if (isOurs) lease.until = until
    return isOurs
  }

  /**
   * The next items with what their index is to keep, taken apart before the transaction that holds up others. From the
   * newest on: SQLite's index finds what was numbered anew before what was not.
   */
  async function prepare({
    owner_id,
    before,
  }: Place): Promise<{ batch: Prepared[]; next: Place | undefined }> {
    const items = await db
      .selectFrom('items')
      .select(INDEXED)
      .where('owner_id', '=', owner_id)
      .$if(before !== undefined, (items) => items.where('id', '<', before ?? ''))
      .orderBy('id', 'desc')
      .limit(BATCH)
      .execute()
    const pause = createPauses()
    const batch: Prepared[] = []
    let length = 0
    for (const item of items) {
      batch.push(await takenApart(owner_id, item, pause))
      length += item.body.length
      if (length > BATCH_LENGTH) break
    }
    const last = items.length < BATCH && batch.length === items.length ? undefined : batch.at(-1)
    return { batch, next: last && { owner_id, before: last.item.id } }
  }

  async function putBatch(trx: Trx, owner_id: string, batch: readonly Prepared[]): Promise<void> {
    const ids = batch.map(({ item }) => item.id)
    if (ids.length === 0) return
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
    const tagIds = await tagIdsOf(trx, owner_id, ids)
    for (const { item, revision, entries } of batch) {
      if (!revisions.has(item.id)) continue
      const isSame = revisions.get(item.id) === revision
      const now = isSame ? entries : await entriesNow(trx, item)
      await index.put(withPauses(trx), item, tagged(now, tagIds.get(item.id) ?? []))
    }
  }

  /** Of an item that was saved meanwhile. It was indexed then, but its forms may have been among those left out. */
  async function entriesNow(trx: Trx, { owner_id, id }: IndexedItem): Promise<Entries> {
    const row = await trx
      .selectFrom('items')
      .select(INDEXED)
      .where('owner_id', '=', owner_id)
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return (await takenApart(owner_id, row, createPauses())).entries
  }

  return {
    /** Whether the index is of another version than this program's. */
    isDue: async (): Promise<boolean> => (await versionOf(db)) !== ANALYSER,

    /** Whether somebody began to make it anew and has not come to the end. */
    isUnfinished: async (): Promise<boolean> => (await versionOf(db)) === UNFINISHED,

    async run({ onProgress = () => {}, signal }: Run = {}): Promise<Reindexed> {
      const lease = await takeLease()
      if (!lease) return 'busy'
      let done = 0
      for (let place = await ownerAfter(''); place; ) {
        if (signal?.aborted) {
          await endLease(lease, UNFINISHED)
          return 'stopped'
        }
        const { owner_id, before } = place
        if (before === undefined && !(await held(lease, (trx) => index.tidy(trx, owner_id)))) return 'stopped'
        const { batch, next } = await prepare(place)
        if (!(await held(lease, (trx) => putBatch(trx, owner_id, batch)))) return 'stopped'
        done += batch.length
        onProgress(done)
        place = next ?? (await ownerAfter(owner_id))
        await nextTurn()
      }
      await endLease(lease, ANALYSER)
      return 'done'
    },
  }
}
