import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import { sql } from 'kysely'
import type { Database } from '../db/open.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Pool } from '../threads/pool.ts'
import { copiesOf } from './duplicates.ts'
import { fillIdentities, type missingIdentities } from './fill-identity-keys.ts'
import { linkKeyOf } from './identity.ts'
import type { SummaryRow } from './item.ts'
import { summariesOf } from './queries.ts'

interface Same {
  owner_id: string
  identity_key: string
  url: string
  limit: number
}

/** Copies of a page among which the very address is looked for: an owner may keep one page a hundred thousand times. */
const NEWEST_COPIES = 500

/** Ids of links to one page: the very address first, then the newest. SQLite would read the tags of all before it orders them. */
const sameLinks = statement((db, value: Value<Same>) =>
  db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where('id', 'in', (copies) =>
      copies
        .selectFrom('items as copies')
        .select('copies.id')
        .where('copies.owner_id', '=', value('owner_id'))
        .where('copies.identity_key', '=', value('identity_key'))
        .where('copies.kind', '=', 'link')
        .orderBy('copies.id', 'desc')
        .limit(sql.lit(NEWEST_COPIES)),
    )
    .orderBy(({ eb, ref }) => eb.case().when(ref('url'), '=', value('url')).then(0).else(1).end())
    .orderBy('id', 'desc')
    .limit(value('limit')),
)

type Wanted = Omit<Same, 'identity_key'>

/** The ids of links to one page, the very address first, at most `limit`. */
export const idsOfLinksTo = async (db: Db, wanted: Wanted): Promise<string[]> =>
  (await sameLinks(db, { ...wanted, identity_key: linkKeyOf(wanted.url) })).map(({ id }) => id)

/** Links to one page, the very address first, at most `limit`. */
export async function linksTo(db: Db, wanted: Wanted): Promise<SummaryRow[]> {
  const ids = await idsOfLinksTo(db, wanted)
  const rows = ids.length > 0 ? await summariesOf(db, { owner_id: wanted.owner_id, ids }) : []
  const byId = new Map(rows.map((row) => [row.id, row]))
  // A link may have been deleted since its id was read.
  return ids.flatMap((id) => byId.get(id) ?? [])
}

interface Page {
  owner_id: string
  limit: number
  offset: number
}

const counted = statement((db, value: Value<{ owner_id: string }>) =>
  db.selectFrom('usage').select('duplicates').where('owner_id', '=', value('owner_id')),
)

/** Copies that a group of duplicates shows. */
const SHOWN_COPIES = 20

/** `ids`: of the newest copies, separated by spaces. */
const groups = statement(
  (_, value: Value<Page>) => sql<{ copies: number; ids: string | null }>`select copies,
    (select string_agg(id, ' ') from (select id from ${copiesOf(value)} order by id desc limit ${sql.lit(SHOWN_COPIES)}) as shown) as ids
    from (select identity_key, copies, newest_id from duplicates where owner_id = ${value('owner_id')}
      order by newest_id desc limit ${value('limit')} offset ${value('offset')}) as page
    order by newest_id desc`,
)

interface DuplicatesPage {
  /** How many pages are kept twice or more. */
  count: number
  /** `copies`: how many; `rows`: the newest of them. */
  results: { copies: number; rows: SummaryRow[] }[]
}

/** Pages that are kept twice or more, the last kept first. */
export async function duplicatesOf(db: Db, page: Page): Promise<DuplicatesPage> {
  const [usage] = await counted(db, page)
  const count = usage?.duplicates ?? 0
  // The database would step over all of them.
  if (page.offset > 0 && page.offset >= count) return { count, results: [] }
  const found = (await groups(db, page)).map(({ copies, ids }) => ({
    copies,
    // The newest first.
    ids: ids?.split(' ').sort().reverse() ?? [],
  }))
  const ids = found.flatMap((one) => one.ids)
  const byId = new Map((await summariesOf(db, { owner_id: page.owner_id, ids })).map((row) => [row.id, row]))
  // A link may have been deleted since its id was read.
  const results = found.map(({ copies, ids }) => ({ copies, rows: ids.flatMap((id) => byId.get(id) ?? []) }))
  return { count, results: results.filter(({ rows }) => rows.length > 1) }
}

/** Batches of missing keys that one request fills before it responds: some 2,000 items. */
const BATCHES = 10

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
  const filling = new Set<string>()

  /** Fills keys of items that were saved before there were keys. Resolves to whether there may be more. */
  async function fillBatch(owner_id: string): Promise<boolean> {
    if ((await withoutKey(db, { owner_id })).length === 0) return false
    const keys = await pool.run<Awaited<ReturnType<typeof missingIdentities>>>(
      'missingIdentities',
      owner_id,
      { owner_id, unlimitedWait: true },
    )
    if (keys.length > 0) await db.write(fillIdentities, { owner_id, keys })
    return keys.length > 0
  }

  /** Fills some keys, and the rest in the background: the links that have none yet are not found until then. */
  async function fillKeys(owner_id: string): Promise<void> {
    if (filling.has(owner_id)) return
    for (let batch = 0; batch < BATCHES; batch += 1) if (!(await fillBatch(owner_id))) return
    // Another request may have begun to fill the rest meanwhile.
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

    /** The id of the link to the page of an address: of the very address, else the newest. */
    async idOfLinkTo(owner_id: string, url: string): Promise<string | undefined> {
      await fillKeys(owner_id)
      const [id] = await idsOfLinksTo(db, { owner_id, url, limit: 1 })
      return id
    },

    /** A page of the list of pages that are kept twice or more. */
    async duplicates(owner_id: string, page: number): Promise<DuplicatesPage> {
      await fillKeys(owner_id)
      return duplicatesOf(db, { owner_id, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE })
    },
  }
}
