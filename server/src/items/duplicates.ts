import { sql } from 'kysely'
import type { Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'

/*
 * `duplicates` has a row for each page that an owner keeps twice or more. The transaction that adds, changes or removes links
 * updates it (items/counts.ts): to group all links takes a second where there are a million.
 */

/** By the key of a page, how many links to it a transaction adds, less those that it removes. */
export type Copies = Map<string, number>

/**
 * Adds a link to the copies of its page, or takes it from them. A link without a key is not counted until it has one
 * (items/fill-identity-keys.ts).
 */
export function countCopy(copies: Copies, identity_key: string | null, by: 1 | -1): void {
  if (identity_key !== null) copies.set(identity_key, (copies.get(identity_key) ?? 0) + by)
}

/** The links to a page, where `page` has its key. */
export const copiesOf = (value: Value<{ owner_id: string }>) =>
  sql`"items" where owner_id = ${value('owner_id')} and identity_key = page.identity_key and kind = 'link'`

interface Pages<Row> {
  owner_id: string
  pages: readonly Row[]
}

interface PageState {
  identity_key: string
  /** How many copies the row has; null without a row. */
  known: number | null
  /** How many there are; null where a row knows it. */
  counted: number | null
  newest_id: string | null
}

const stateOf = statement(
  (_, value: Value<Pages<{ identity_key: string }>>) => sql<PageState>`select page.identity_key,
    kept.copies as known,
    case when kept.copies is null then (select count(*) from ${copiesOf(value)}) end as counted,
    (select id from ${copiesOf(value)} order by id desc limit 1) as newest_id
    from ${value.rows('pages', 'page', ['identity_key'])}
    left join duplicates as kept on kept.owner_id = ${value('owner_id')} and kept.identity_key = page.identity_key`,
)

interface Duplicate {
  identity_key: string
  copies: number
  newest_id: string
}

/** By the row of `usage`, which is locked, Citus sees that the rows lie where it does (tags/item-tags.ts). */
const upsert = statement(
  (
    _,
    value: Value<Pages<Duplicate>>,
  ) => sql<never>`insert into duplicates (owner_id, identity_key, copies, newest_id)
    select usage.owner_id, identity_key, cast(copies as integer), newest_id
    from usage, ${value.rows('pages', 'page', ['identity_key', 'copies', 'newest_id'])}
    where usage.owner_id = ${value('owner_id')}
    on conflict (owner_id, identity_key) do update set copies = excluded.copies, newest_id = excluded.newest_id`,
)

const remove = statement((db, value: Value<{ owner_id: string; keys: readonly string[] }>) =>
  db
    .deleteFrom('duplicates')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('identity_key', 'keys')),
)

const addToCount = statement((db, value: Value<{ owner_id: string; more: number }>) =>
  db
    .updateTable('usage')
    .set(({ eb }) => ({ duplicates: eb('duplicates', '+', value('more')) }))
    .where('owner_id', '=', value('owner_id')),
)

/**
 * Updates the duplicates of the owner after the links were written. The row of the owner in `usage` must be locked: of two
 * transactions that add a link to one page each, neither would see the link of the other.
 */
export async function countCopies(trx: Trx, owner_id: string, copies: Copies): Promise<void> {
  if (copies.size === 0) return
  const kept: Duplicate[] = []
  const gone: string[] = []
  let more = 0
  const pages = [...copies.keys()].map((identity_key) => ({ identity_key }))
  for (const { identity_key, known, counted, newest_id } of await stateOf(trx, { owner_id, pages })) {
    // Only pages without a row are counted, which are few links: an owner may keep one page a hundred thousand times.
    const total = known === null ? Number(counted) : known + (copies.get(identity_key) ?? 0)
    if (total > 1 && newest_id !== null) {
      kept.push({ identity_key, copies: total, newest_id })
      if (known === null) more += 1
    } else if (known !== null) {
      gone.push(identity_key)
      more -= 1
    }
  }
  if (kept.length > 0) await upsert(trx, { owner_id, pages: kept })
  if (gone.length > 0) await remove(trx, { owner_id, keys: gone })
  if (more !== 0) await addToCount(trx, { owner_id, more })
}
