import { sql } from 'kysely'
import { type Db, ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Condition, Form, IndexedItem, SearchIndex } from './index.ts'
import { inBytes, sayingToo, spellingOf } from './spelling.ts'
import { TRAITS } from './terms.ts'

/** Bytes of traits in one tsvector, which holds less than 1,048,576 (postgresql.org/docs/current/textsearch-limitations.html). */
const PART_BYTES = 512 * 1024

/**
 * What stands before an owner's traits, so that the index reads those of one owner, however many there are. It is a
 * part of the id only, to be short: whoever shares it costs a look at the row, which says whose it is.
 */
const ownPrefix = (owner_id: string): string => owner_id.slice(-4)

/**
 * The vector of a row, made anew from its bytes: each spelling with the owner's letters in front. A row that kept it
 * would be three times as long, and only the index reads it. The index was made of this expression word for word
 * (migration 007), and PostgreSQL would not look into it for any other.
 */
const VECTOR = sql`coalesce(words, array_to_tsvector(string_to_array(right(owner_id, 4) ||
  replace(replace(encode(spelled, 'base64'), E'\\n', ''), '+', '+' || right(owner_id, 4)), '+')))`

/**
 * Of longer spellings a row keeps the vector. To make one takes 10 to 20 microseconds for an ordinary note of sixty
 * traits; PostgreSQL, which takes it for nothing, goes through all rows where they are few rather than ask the index.
 * And of more than two kilobytes it keeps a part outside the row, to be fetched each time.
 */
const SPELLED_BYTES = 1_800

/** The spelled traits of an item in pieces that fit, most often one. */
function partsOf(owner: string, traits: readonly string[]): string[][] {
  const known = new Set(traits)
  const parts: string[][] = [[]]
  let bytes = 0
  for (const trait of traits) {
    if (sayingToo(trait).some((other) => known.has(other))) continue
    const spelling = spellingOf(trait)
    const size = owner.length + spelling.length
    if (bytes + size > PART_BYTES) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(spelling)
    bytes += size
  }
  return parts
}

type Leaf = Extract<Condition, { trait: string }>

/** In tsquery's language. Spellings hold only letters, digits and '/', whatever was typed. */
function leafOf(owner: string, { trait, beginning }: Leaf): string {
  const one = (said: string) => `'${owner}${spellingOf(said)}'${beginning ? ':*' : ''}`
  return `(${[trait, ...sayingToo(trait)].map(one).join(' | ')})`
}

function matching(owner: string, condition: Condition): string {
  if ('trait' in condition) return leafOf(owner, condition)
  const inner = (one: Condition) => matching(owner, one)
  if ('all' in condition) return `(${condition.all.map(inner).join(' & ')})`
  if ('any' in condition) return `(${condition.any.map(inner).join(' | ')})`
  return `(${inner(condition.these)} & !${inner(condition.but)})`
}

/**
 * The condition for the statement that looks through all items. PostgreSQL knows nothing of one owner's words: it takes
 * each for one that many rows hold, and where a condition names some it would go through all rows of the owner and
 * make the vector of each. What every item holds, asked for twice, makes the whole look rare, and costs next to nothing.
 */
function matchOf(owner: string, condition: Condition): string {
  const every = leafOf(owner, { trait: TRAITS.every })
  return `${every} & ${every} & ${matching(owner, condition)}`
}

/** What of an index's item tells its place among the newest. */
type Dated = Omit<IndexedItem, 'owner_id'>

interface Asked {
  owner_id: string
  match: string
}

/** The items whose traits lie in one part, as nearly all do. */
const wholes = (value: Value<Asked>) => sql`select item_id as id, kind, created_at from search_words
  where owner_id = ${value('owner_id')} and not parted and ${VECTOR} @@ ${value('match')}::tsquery`

const NEWEST_FIRST = sql`order by created_at desc, id desc`

const surveyed = statement(
  (_, value: Value<Asked & { limit: number }>) =>
    sql<Partial<Dated> & { notes: number; links: number; parted: boolean }>`
    with found as materialized (${wholes(value)}),
      counts as (
        select count(*) filter (where kind = 'note') as notes, count(*) filter (where kind = 'link') as links,
          exists (select * from search_words where owner_id = ${value('owner_id')} and parted and part = 0) as parted
        from found
      )
    select * from counts
      left join (select * from found ${NEWEST_FIRST} limit ${value('limit')}) as newest on true`,
)

const newest = statement(
  (_, value: Value<Asked & { kinds: readonly ItemKind[]; limit: number }>) =>
    sql<Dated>`select * from (${wholes(value)}) as found where ${value.among('kind', 'kinds')}
    ${NEWEST_FIRST} limit ${value('limit')}`,
)

const met = statement(
  (_, value: Value<{ owner_id: string; matches: readonly string[] }>) =>
    sql<{ id: string; first: number }>`select item_id as id, min(place) - 1 as first
    from unnest(${value('matches')}::text[]) with ordinality as asked (match, place)
    join search_words on owner_id = ${value('owner_id')} and not parted and ${VECTOR} @@ match::tsquery
    group by item_id`,
)

const partsHolding = statement(
  (_, value: Value<{ owner_id: string; leaves: readonly string[] }>) =>
    sql<Dated & { leaf: string }>`select item_id as id, kind, created_at, leaf
    from search_words join unnest(${value('leaves')}::text[]) as asked (leaf) on ${VECTOR} @@ leaf::tsquery
    where owner_id = ${value('owner_id')} and parted`,
)

const formsOf = statement(
  (_, value: Value<{ owner_id: string; stems: readonly string[] }>) =>
    sql<Form>`select stem, form from search_forms
    where owner_id = ${value('owner_id')} and ${value.among('stem', 'stems')}`,
)

/** A very long item, and which leaves of the conditions it holds. */
interface Parted {
  readonly item: Dated
  readonly leaves: ReadonlySet<string>
}

/** Items whose traits lie in several parts are asked for each trait apart: a part may hold one and not the other. */
async function partedOf(db: Db, owner_id: string, conditions: readonly Condition[]): Promise<Parted[]> {
  const leaves = [
    ...new Set(conditions.flatMap((condition) => [...leavesOf(ownPrefix(owner_id), condition)])),
  ]
  const byId = new Map<string, { item: Dated; leaves: Set<string> }>()
  for (const { leaf, ...item } of await partsHolding(db, { owner_id, leaves })) {
    const known = byId.get(item.id) ?? { item, leaves: new Set() }
    byId.set(item.id, known)
    known.leaves.add(leaf)
  }
  return [...byId.values()]
}

function* leavesOf(owner: string, condition: Condition): Generator<string> {
  if ('trait' in condition) yield leafOf(owner, condition)
  else for (const inner of innerOf(condition)) yield* leavesOf(owner, inner)
}

const innerOf = (condition: Exclude<Condition, Leaf>): readonly Condition[] =>
  'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition.these, condition.but]

function meets(owner: string, leaves: ReadonlySet<string>, condition: Condition): boolean {
  if ('trait' in condition) return leaves.has(leafOf(owner, condition))
  const inner = (one: Condition) => meets(owner, leaves, one)
  if ('all' in condition) return condition.all.every(inner)
  if ('any' in condition) return condition.any.some(inner)
  return inner(condition.these) && !inner(condition.but)
}

async function partedMeeting(db: Db, owner_id: string, condition: Condition): Promise<Dated[]> {
  const parted = await partedOf(db, owner_id, [condition])
  return parted.filter(({ leaves }) => meets(ownPrefix(owner_id), leaves, condition)).map(({ item }) => item)
}

const newestFirst = (items: readonly Dated[]): Dated[] =>
  items.toSorted((one, other) => other.created_at - one.created_at || (one.id < other.id ? 1 : -1))

const isItem = <Row extends Partial<Dated>>(row: Row): row is Row & Dated => row.id != null

const countOf = (items: readonly Dated[], of: ItemKind): number =>
  items.filter(({ kind }) => kind === of).length

/** The index in tsvectors of PostgreSQL, without its own dictionaries: it is given the traits and keeps them spelled. */
export const postgresIndex: SearchIndex = {
  async put(trx, { owner_id, id, kind, created_at }, { traits, forms }) {
    const owner = ownPrefix(owner_id)
    const parts = partsOf(owner, traits)
    for (const [part, spellings] of parts.entries()) {
      const bytes = inBytes(spellings)
      const isShort = bytes.length <= SPELLED_BYTES
      const words = isShort ? null : spellings.map((spelling) => owner + spelling)
      await sql`insert into search_words (owner_id, item_id, part, parted, kind, created_at, spelled, words)
        values (${owner_id}, ${id}, ${part}, ${parts.length > 1}, ${kind}, ${created_at},
          ${isShort ? bytes : null}, array_to_tsvector(${words}))
        on conflict (owner_id, item_id, part) do update
          set parted = excluded.parted, spelled = excluded.spelled, words = excluded.words`.execute(trx)
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

  async survey(db, owner_id, condition, few) {
    const match = matchOf(ownPrefix(owner_id), condition)
    const rows = await surveyed(db, { owner_id, match, limit: few + 1 })
    const { notes, links, parted } = rows[0] ?? { notes: 0, links: 0, parted: false }
    const others = parted ? await partedMeeting(db, owner_id, condition) : []
    const counts = { note: notes + countOf(others, 'note'), link: links + countOf(others, 'link') }
    const all = counts.note + counts.link > few ? undefined : newestFirst([...rows.filter(isItem), ...others])
    return { counts, all }
  },

  async find(db, owner_id, condition, { kind, limit }) {
    const kinds = kind === undefined ? ITEM_KINDS : [kind]
    const match = matchOf(ownPrefix(owner_id), condition)
    const [whole, parted] = await Promise.all([
      newest(db, { owner_id, match, kinds, limit }),
      partedMeeting(db, owner_id, condition),
    ])
    const items = [...whole, ...parted.filter((item) => kinds.includes(item.kind))]
    return newestFirst(items).slice(0, limit)
  },

  async firstMet(db, owner_id, conditions) {
    const owner = ownPrefix(owner_id)
    const [rows, parted] = await Promise.all([
      met(db, { owner_id, matches: conditions.map((condition) => matching(owner, condition)) }),
      partedOf(db, owner_id, conditions),
    ])
    const firsts = new Map(rows.map(({ id, first }) => [id, first]))
    for (const { item, leaves } of parted) {
      const first = conditions.findIndex((condition) => meets(owner, leaves, condition))
      if (first >= 0) firsts.set(item.id, first)
    }
    return firsts
  },

  forms: (db, owner_id, stems) => formsOf(db, { owner_id, stems }),
}
