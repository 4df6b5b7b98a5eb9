import { sql } from 'kysely'
import type { ItemKind, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
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

const ODD: Readonly<Record<ItemKind, number>> = { note: 0, link: 1 }

/** Of a UUIDv7: what follows its time and its version. */
const AFTER_TIME = /^.{15}(..)/

/**
 * FTS5 knows rows by number and finds them in the order of these, so an item's number tells when it was made, down to the
 * id where many are made at once: the newest are found first, and where these are enough no others are looked at.
 * Links have odd numbers.
 */
function numberOf({ id, kind, created_at }: IndexedItem): number {
  const [, digits = '0'] = AFTER_TIME.exec(id) ?? []
  return (created_at * 256 + Number.parseInt(digits, 16)) * 2 + ODD[kind]
}

const docOf = statement(
  (_, value: Value<{ owner_id: string; id: string }>) =>
    sql<{ doc: number }>`select doc from search_docs
    where owner_id = ${value('owner_id')} and item_id = ${value('id')}`,
)

const gapAfter = statement(
  (_, value: Value<{ doc: number }>) =>
    sql<{ doc: number }>`select doc + 2 as doc from search_docs as taken
    where doc >= ${value('doc')} and doc & 1 = ${value('doc')} & 1
      and not exists (select * from search_docs as next where next.doc = taken.doc + 2)
    order by doc limit 1`,
)

const addDoc = statement(
  (_, value: Value<IndexedItem & { doc: number }>) =>
    sql<{ item_id: string }>`insert into search_docs (owner_id, item_id, created_at, doc)
    values (${value('owner_id')}, ${value('id')}, ${value('created_at')}, ${value('doc')})
    on conflict (doc) do nothing returning item_id`,
)

const removeDoc = statement(
  (_, value: Value<{ owner_id: string; id: string }>) =>
    sql<never>`delete from search_docs where owner_id = ${value('owner_id')} and item_id = ${value('id')}`,
)

const addWords = statement(
  (_, value: Value<{ doc: number; words: string }>) =>
    sql<never>`insert into search_words (rowid, words) values (${value('doc')}, ${value('words')})`,
)

const removeWords = statement(
  (_, value: Value<{ doc: number }>) => sql<never>`delete from search_words where rowid = ${value('doc')}`,
)

/** Forms that one statement adds: others get their turn between them. */
const FORMS_AT_ONCE = 5_000

const addForms = statement(
  (_, value: Value<{ owner_id: string; forms: string }>) =>
    sql<never>`insert into search_forms (owner_id, stem, form)
    select ${value('owner_id')}, value ->> 'stem', value ->> 'form' from json_each(${value('forms')})
    where true on conflict do nothing`,
)

const formsOf = statement(
  (_, value: Value<{ owner_id: string; stems: readonly string[] }>) =>
    sql<Form>`select stem, form from search_forms
    where owner_id = ${value('owner_id')} and ${value.among('stem', 'stems')}`,
)

interface Asked {
  owner_id: string
  match: string
}

const NEWEST_FIRST = sql`order by rowid desc`

/**
 * Where items would have the same number, their numbers do not tell which is newer: so many more are looked at. Enough for
 * two hundred of an owner that were made in one millisecond.
 */
const MORE = sql.lit(128)

const newest = statement(
  (_, value: Value<Asked & { limit: number }>) =>
    sql<Found>`select item_id as id, iif(number & 1, 'link', 'note') as kind
    from (select rowid as number from search_words where search_words match ${value('match')}
      ${NEWEST_FIRST} limit ${value('limit')} + ${MORE})
    cross join search_docs on doc = number where owner_id = ${value('owner_id')}
    order by created_at desc, item_id desc limit ${value('limit')}`,
)

const newestOfKind = statement(
  (_, value: Value<Asked & { limit: number; odd: number }>) =>
    sql<Found>`select item_id as id, iif(number & 1, 'link', 'note') as kind
    from (select rowid as number from search_words where search_words match ${value('match')}
      and rowid & 1 = ${value('odd')} ${NEWEST_FIRST} limit ${value('limit')} + ${MORE})
    cross join search_docs on doc = number where owner_id = ${value('owner_id')}
    order by created_at desc, item_id desc limit ${value('limit')}`,
)

/** What matches is found once and kept: to put words with one beginning together is most of the work. */
const surveyed = statement(
  (_, value: Value<Asked & { few: number }>) =>
    sql<{ total: number; links: number; id: string | null; kind: ItemKind | null }>`
    with found as materialized (
      select rowid as number from search_words where search_words match ${value('match')} ${NEWEST_FIRST}
    ),
    counts as materialized (select count(*) as total, coalesce(sum(number & 1), 0) as links from found)
    select total, links, item_id as id, iif(number & 1, 'link', 'note') as kind from counts
    left join (select number from found limit (select iif(total > ${value('few')}, 0, total) from counts))
    left join search_docs on doc = number and owner_id = ${value('owner_id')}
    order by created_at desc, item_id desc`,
)

const met = statement(
  (_, value: Value<{ owner_id: string; matches: string }>) =>
    sql<{ id: string; first: number }>`select item_id as id, min(asked.key) as first
    from json_each(${value('matches')}) as asked cross join search_words on search_words match asked.value
    cross join search_docs on doc = search_words.rowid where owner_id = ${value('owner_id')}
    group by item_id`,
)

/** Numbers an item that has no number; where its own is taken, with the next. */
async function number(trx: Trx, item: IndexedItem): Promise<number> {
  const own = numberOf(item)
  const added = await addDoc(trx, { ...item, doc: own })
  if (added.length > 0) return own
  const [gap = { doc: own }] = await gapAfter(trx, { doc: own })
  await addDoc(trx, { ...item, ...gap })
  return gap.doc
}

/** The number under which an item's words are put, where none are any longer. */
async function emptiedNumber(trx: Trx, item: IndexedItem): Promise<number> {
  const [known] = await docOf(trx, item)
  if (!known) return number(trx, item)
  await removeWords(trx, known)
  if (known.doc >= numberOf(item)) return known.doc
  // An earlier version numbered items in the order in which they came.
  await removeDoc(trx, item)
  return number(trx, item)
}

export const sqliteIndex: SearchIndex = {
  async put(trx, item, { traits, forms }) {
    const { owner_id } = item
    const doc = await emptiedNumber(trx, item)
    const owner = ownPrefix(owner_id)
    await addWords(trx, { doc, words: traits.map((trait) => owner + trait).join(' ') })
    for (let from = 0; from < forms.length; from += FORMS_AT_ONCE) {
      const some = forms.slice(from, from + FORMS_AT_ONCE)
      await addForms(trx, { owner_id, forms: JSON.stringify(some) })
    }
  },

  async remove(trx, owner_id, id) {
    const [known] = await docOf(trx, { owner_id, id })
    if (!known) return
    await removeWords(trx, known)
    await removeDoc(trx, { owner_id, id })
  },

  async tidy(trx, owner_id) {
    const gone = sql`select doc from search_docs where owner_id = ${owner_id} and not exists
      (select * from items where items.owner_id = search_docs.owner_id and items.id = search_docs.item_id)`
    await sql`delete from search_words where rowid in (${gone})`.execute(trx)
    await sql`delete from search_docs where owner_id = ${owner_id} and doc in (${gone})`.execute(trx)
    await sql`delete from search_forms where owner_id = ${owner_id}`.execute(trx)
  },

  async survey(db, owner_id, condition, few) {
    const match = matching(ownPrefix(owner_id), condition)
    const rows = await surveyed(db, { owner_id, match, few })
    const { total, links } = rows[0] ?? { total: 0, links: 0 }
    const all = rows.flatMap(({ id, kind }) => (id === null || kind === null ? [] : { id, kind }))
    return { counts: { note: total - links, link: links }, all: total > few ? undefined : all }
  },

  find(db, owner_id, condition, { kind, limit }) {
    const asked = { owner_id, match: matching(ownPrefix(owner_id), condition), limit }
    return kind === undefined ? newest(db, asked) : newestOfKind(db, { ...asked, odd: ODD[kind] })
  },

  async firstMet(db, owner_id, conditions) {
    const owner = ownPrefix(owner_id)
    const matches = JSON.stringify(conditions.map((condition) => matching(owner, condition)))
    return new Map((await met(db, { owner_id, matches })).map(({ id, first }) => [id, first]))
  },

  forms: (db, owner_id, stems) => formsOf(db, { owner_id, stems }),
}
