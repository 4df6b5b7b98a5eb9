import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import { sql } from 'kysely'
import type { Database } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { readTags, tagLines } from '../tags/lines.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import type { Pool } from '../threads/pool.ts'
import { fillIdentities, type missingIdentities } from './identities.ts'
import { linkKeyOf } from './identity.ts'
import { SUMMARY, type SummaryRow } from './item.ts'

interface Same {
  owner_id: string
  identity_key: string
  url: string
  limit: number
  /** Only the newest copies are read, so many: an owner may keep one page a hundred thousand times. */
  newest: number
}

/** Links to one page: the very address first, then the newest. */
const sameLinks = statement((db, value: Value<Same>) =>
  db
    .selectFrom('items')
    .select(SUMMARY)
    .select((items) => tagLines(items, value('owner_id')).as('tags'))
    .where('owner_id', '=', value('owner_id'))
    .where('id', 'in', (copies) =>
      copies
        .selectFrom('items as copies')
        .select('copies.id')
        .where('copies.owner_id', '=', value('owner_id'))
        .where('copies.identity_key', '=', value('identity_key'))
        .where('copies.kind', '=', 'link')
        .orderBy('copies.id', 'desc')
        .limit(value('newest')),
    )
    .orderBy(({ eb, ref }) => eb.case().when(ref('url'), '=', value('url')).then(0).else(1).end())
    .orderBy('id', 'desc')
    .limit(value('limit')),
)

/** Copies of a page among which the very address is looked for. */
const NEWEST_COPIES = 500

/** Links to one page, the very address first, at most `limit`. */
export async function linksTo(
  db: Db,
  { owner_id, url, limit }: Pick<Same, 'owner_id' | 'url' | 'limit'>,
): Promise<SummaryRow[]> {
  const identity_key = linkKeyOf(url)
  const rows = await sameLinks(db, { owner_id, identity_key, url, limit, newest: NEWEST_COPIES })
  return rows.map((row) => ({ ...row, tags: readTags(row.tags) }))
}

interface Group {
  identity_key: string
  copies: number
  /** The id of the newest of them. */
  newest: string
  groups: number
}

interface Page {
  owner_id: string
  limit: number
  offset: number
}

const grouped = statement(
  (_, value: Value<Page>) =>
    sql<Group>`select identity_key, count(*) as copies, max(id) as newest, count(*) over () as groups from "items"
    where owner_id = ${value('owner_id')} and kind = 'link' and identity_key is not null
    group by identity_key having count(*) > 1
    order by newest desc limit ${value('limit')} offset ${value('offset')}`,
)

/** Pages that are kept twice or more, the last kept first. Reads an index of all items: runs in a worker thread. */
export async function duplicateGroups(db: Db, page: Page): Promise<{ count: number; groups: Group[] }> {
  const groups = await grouped(db, page)
  const [first] =
    groups.length > 0 || page.offset === 0 ? groups : await grouped(db, { ...page, offset: 0, limit: 1 })
  return { count: Number(first?.groups ?? 0), groups }
}

/** Copies that a group of duplicates shows. */
const SHOWN_COPIES = 20

/** Batches of missing keys that one request fills before it answers: some 2,000 items. */
const BATCHES = 10

const GROUPINGS = { total: 1, perOwner: 1, waiting: 100, timeout: 30_000 }

const withoutKey = statement((db, value: Value<{ owner_id: string }>) =>
  db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where('identity_key', 'is', null)
    .limit(sql.lit(1)),
)

export type SameLinks = ReturnType<typeof createSameLinks>

/** Finds links that lead to one page. */
export function createSameLinks({ db, pool }: { db: Database; pool: Pool }) {
  const groupings = createConcurrencyLimit(GROUPINGS)
  const filling = new Set<string>()

  /** Fills keys of items that were saved before there were keys. Resolves to whether there may be more. */
  async function fillBatch(owner_id: string): Promise<boolean> {
    if ((await withoutKey(db, { owner_id })).length === 0) return false
    const keys = await pool.run<Awaited<ReturnType<typeof missingIdentities>>>(
      'missingIdentities',
      owner_id,
      { owner_id },
    )
    if (keys.length > 0) await db.write(fillIdentities, { owner_id, keys })
    return keys.length > 0
  }

  /** Fills some keys, and the rest in the background: the links that have none yet are not found until then. */
  async function fillKeys(owner_id: string): Promise<void> {
    for (let batch = 0; batch < BATCHES; batch += 1) if (!(await fillBatch(owner_id))) return
    if (filling.has(owner_id)) return
    filling.add(owner_id)
    const fillAll = async () => {
      while (await fillBatch(owner_id));
    }
    // The next request continues where the database was unavailable or the server closed.
    fillAll()
      .catch(() => {})
      .finally(() => filling.delete(owner_id))
  }

  return {
    /** Links to the page of an address, in whatever spelling. */
    async linksTo(owner_id: string, url: string, limit: number): Promise<SummaryRow[]> {
      await fillKeys(owner_id)
      return linksTo(db, { owner_id, url, limit })
    },

    /** A page of the list of pages that are kept twice or more. `copies`: how many; `rows`: the first of them. */
    async duplicates(owner_id: string, page: number, signal: AbortSignal) {
      await fillKeys(owner_id)
      const piece = { owner_id, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }
      const task = () =>
        pool.run<Awaited<ReturnType<typeof duplicateGroups>>>('duplicateGroups', piece, {
          owner_id,
          signal,
        })
      const { count, groups } = await groupings.run(owner_id, task, signal)
      const results = []
      for (const { identity_key, copies } of groups) {
        const copiesOf = { owner_id, identity_key, url: '', limit: SHOWN_COPIES, newest: SHOWN_COPIES }
        const rows = await sameLinks(db, copiesOf)
        results.push({
          copies: Number(copies),
          rows: rows.map((row) => ({ ...row, tags: readTags(row.tags) })),
        })
      }
      return { count, results }
    },
  }
}
