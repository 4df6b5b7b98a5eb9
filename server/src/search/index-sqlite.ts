import { sql } from 'kysely'
import type { Db, ItemKind, Trx } from '../db/schema.ts'
import type { Condition, Form, Found, IndexedItem, SearchIndex } from './index.ts'

/**
 * The index in SQLite's FTS5. Every trait is stored with its owner's id in front: a search reads the traits of one
 * owner alone, however many owners there are, and cannot find anybody else's. FTS5 stores what neighbours in
 * its dictionary have in common once, so the long beginning costs next to nothing.
 */
const ownPrefix = (owner_id: string): string => owner_id.replaceAll('-', '')

/** In FTS5's query language. Traits hold no quotes: only letters, digits and the signs of TRAITS. */
function matching(owner: string, condition: Condition): string {
  if ('trait' in condition) return `"${owner}${condition.trait}"${condition.beginning ? '*' : ''}`
  const inner = (one: Condition) => matching(owner, one)
  if ('all' in condition) return `(${condition.all.map(inner).join(' AND ')})`
  if ('any' in condition) return `(${condition.any.map(inner).join(' OR ')})`
  return `(${inner(condition.these)} NOT ${inner(condition.but)})`
}

const numberOf = async (trx: Trx, owner_id: string, item_id: string): Promise<number | undefined> => {
  const { rows } = await sql<{ doc: number }>`
    select doc from search_docs where owner_id = ${owner_id} and item_id = ${item_id}`.execute(trx)
  return rows[0]?.doc
}

/** Links have odd numbers: the kinds are told apart without looking further than the index. */
const ODD: Readonly<Record<ItemKind, number>> = { note: 0, link: 1 }

async function newNumber(
  trx: Trx,
  { owner_id, id, kind, created_at }: IndexedItem,
): Promise<number | undefined> {
  const { rows } = await sql<{ doc: number }>`insert into search_docs (owner_id, item_id, created_at, doc)
    select ${owner_id}, ${id}, ${created_at}, coalesce(max(doc) / 2, 0) * 2 + 2 + ${ODD[kind]} from search_docs
    returning doc`.execute(trx)
  return rows[0]?.doc
}

const KIND = sql`iif(search_words.rowid & 1, 'link', 'note')`

const erase = (trx: Trx, doc: number) => sql`delete from search_words where rowid = ${doc}`.execute(trx)

export const sqliteIndex: SearchIndex = {
  async put(trx, { owner_id, id, kind, created_at }, { traits, forms }) {
    const known = await numberOf(trx, owner_id, id)
    if (known !== undefined) await erase(trx, known)
    const doc = known ?? (await newNumber(trx, { owner_id, id, kind, created_at }))
    const owner = ownPrefix(owner_id)
    const words = [...traits].map((trait) => owner + trait).join(' ')
    await sql`insert into search_words (rowid, words) values (${doc}, ${words})`.execute(trx)
    await sql`insert into search_forms (owner_id, stem, form)
      select ${owner_id}, value ->> 'stem', value ->> 'form' from json_each(${JSON.stringify(forms)})
      where true on conflict do nothing`.execute(trx)
  },

  async remove(trx, owner_id, item_id) {
    const doc = await numberOf(trx, owner_id, item_id)
    if (doc === undefined) return
    await erase(trx, doc)
    await sql`delete from search_docs where owner_id = ${owner_id} and item_id = ${item_id}`.execute(trx)
  },

  async tidy(trx, owner_id) {
    const gone = sql`select doc from search_docs where owner_id = ${owner_id} and not exists
      (select * from items where items.owner_id = search_docs.owner_id and items.id = search_docs.item_id)`
    await sql`delete from search_words where rowid in (${gone})`.execute(trx)
    await sql`delete from search_docs where owner_id = ${owner_id} and doc in (${gone})`.execute(trx)
    await sql`delete from search_forms where owner_id = ${owner_id}`.execute(trx)
  },

  async find(db: Db, owner_id, condition, { kind, limit }) {
    const { rows } = await sql<Found>`
      select item_id as id, ${KIND} as kind from search_words join search_docs on doc = search_words.rowid
      where search_words match ${matching(ownPrefix(owner_id), condition)} and owner_id = ${owner_id}
        ${kind === undefined ? sql`` : sql`and ${KIND} = ${kind}`}
      order by created_at desc, item_id desc limit ${limit}`.execute(db)
    return rows
  },

  async count(db, owner_id, condition) {
    const { rows } = await sql<{ all: number; links: number }>`
      select count(*) as "all", coalesce(sum(rowid & 1), 0) as links from search_words
      where search_words match ${matching(ownPrefix(owner_id), condition)}`.execute(db)
    const { all, links } = rows[0] ?? { all: 0, links: 0 }
    return { note: all - links, link: links }
  },

  async forms(db, owner_id, stems) {
    const { rows } = await sql<Form>`
      select stem, form from search_forms
      where owner_id = ${owner_id} and stem in (select value from json_each(${JSON.stringify(stems)}))`.execute(
      db,
    )
    return rows
  },
}
