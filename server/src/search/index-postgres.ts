import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../db/schema.ts'
import type { Condition, Form, Found, SearchIndex } from './index.ts'

/** Bytes of traits in one tsvector, which holds less than 1,048,576 (postgresql.org/docs/current/textsearch-limitations.html). */
const PART_BYTES = 512 * 1024

/**
 * What stands before an owner's traits, so that the index reads those of one owner, however many there are. It is a
 * part of the id only, to be short: whoever shares it costs a look at the row, which says whose it is.
 */
const ownPrefix = (owner_id: string): string => owner_id.slice(-4)

/** The traits of an item in pieces that fit, most often one. */
function partsOf(owner: string, traits: Iterable<string>): string[][] {
  const parts: string[][] = [[]]
  let bytes = 0
  for (const trait of traits) {
    const size = owner.length + Buffer.byteLength(trait)
    if (bytes + size > PART_BYTES) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(owner + trait)
    bytes += size
  }
  return parts
}

type Leaf = Extract<Condition, { trait: string }>

/** In tsquery's language. Traits hold no quotes and no backslashes: only letters, digits and the signs of TRAITS. */
const leafOf = (owner: string, { trait, beginning }: Leaf): string =>
  `'${owner}${trait}'${beginning ? ':*' : ''}`

function matching(owner: string, condition: Condition): string {
  if ('trait' in condition) return leafOf(owner, condition)
  const inner = (one: Condition) => matching(owner, one)
  if ('all' in condition) return `(${condition.all.map(inner).join(' & ')})`
  if ('any' in condition) return `(${condition.any.map(inner).join(' | ')})`
  return `(${inner(condition.these)} & !${inner(condition.but)})`
}

/** Items whose traits lie in several parts are asked for each trait apart: a part may hold one and not the other. */
function inParts(owner_id: string, condition: Condition): RawBuilder<unknown> {
  if ('trait' in condition)
    return sql`item_id in (select item_id from search_words
      where owner_id = ${owner_id} and parted and words @@ ${leafOf(ownPrefix(owner_id), condition)}::tsquery)`
  const inner = (one: Condition) => inParts(owner_id, one)
  if ('all' in condition) return sql`(${sql.join(condition.all.map(inner), sql` and `)})`
  if ('any' in condition) return sql`(${sql.join(condition.any.map(inner), sql` or `)})`
  return sql`(${inner(condition.these)} and not ${inner(condition.but)})`
}

const found = (owner_id: string, condition: Condition): RawBuilder<unknown> => sql`(
  select item_id, kind, created_at from search_words
    where owner_id = ${owner_id} and not parted and words @@ ${matching(ownPrefix(owner_id), condition)}::tsquery
  union all
  select item_id, kind, created_at from search_words
    where owner_id = ${owner_id} and parted and part = 0 and ${inParts(owner_id, condition)}
) as found`

/** The index in tsvectors of PostgreSQL, without its own dictionaries: it is given the traits and keeps them. */
export const postgresIndex: SearchIndex = {
  async put(trx, { owner_id, id, kind, created_at }, { traits, forms }) {
    const parts = partsOf(ownPrefix(owner_id), traits)
    for (const [part, words] of parts.entries()) {
      await sql`insert into search_words (owner_id, item_id, part, parted, kind, created_at, words)
        values (${owner_id}, ${id}, ${part}, ${parts.length > 1}, ${kind}, ${created_at}, array_to_tsvector(${words}))
        on conflict (owner_id, item_id, part) do update
          set parted = excluded.parted, words = excluded.words`.execute(trx)
    }
    await sql`delete from search_words
      where owner_id = ${owner_id} and item_id = ${id} and part >= ${parts.length}`.execute(trx)
    await sql`insert into search_forms (owner_id, stem, form)
      select ${owner_id}, stem, form
        from unnest(${forms.map(({ stem }) => stem)}::text[], ${forms.map(({ form }) => form)}::text[]) as known (stem, form)
      on conflict do nothing`.execute(trx)
  },

  async remove(trx, owner_id, item_id) {
    await sql`delete from search_words where owner_id = ${owner_id} and item_id = ${item_id}`.execute(trx)
  },

  async tidy(trx, owner_id) {
    await sql`delete from search_forms where owner_id = ${owner_id}`.execute(trx)
  },

  async find(db: Db, owner_id, condition, { kind, limit }) {
    const { rows } = await sql<Found>`
      select item_id as id, kind from ${found(owner_id, condition)}
      ${kind === undefined ? sql`` : sql`where kind = ${kind}`}
      order by created_at desc, item_id desc limit ${limit}`.execute(db)
    return rows
  },

  async count(db, owner_id, condition) {
    const { rows } = await sql<{ note: number; link: number }>`
      select count(*) filter (where kind = 'note') as note, count(*) filter (where kind = 'link') as link
      from ${found(owner_id, condition)}`.execute(db)
    return rows[0] ?? { note: 0, link: 0 }
  },

  async forms(db, owner_id, stems) {
    const { rows } = await sql<Form>`
      select stem, form from search_forms where owner_id = ${owner_id} and stem = any(${stems}::text[])`.execute(
      db,
    )
    return rows
  },
}
