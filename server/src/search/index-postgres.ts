import { type Condition, evaluate, type Leaf } from '@kopilka/text/search/condition.ts'
import type { ConditionMatch } from '@kopilka/text/search/index-reader.ts'
import { type IndexDocument, listOf, TERMS } from '@kopilka/text/search/terms.ts'
import { sql } from 'kysely'
import { pipelined } from '../db/pipelined.ts'
import { type Db, ITEM_KINDS, type ItemKind, type Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { IndexedItem, SearchIndex } from './search-index.ts'
import { taggedAmong } from './texts.ts'
import { queueRemovals } from './vocabulary.ts'

/** Bytes of terms in one tsvector, which holds less than 1,048,576 (postgresql.org/docs/current/textsearch-limitations.html). */
const PART_BYTES = 512 * 1024

/**
 * Prefix of an owner's terms, so that the index reads the entries of one owner only. Short: the last four characters of
 * the id. Owners that share a prefix are told apart by the `owner_id` of the rows.
 */
const ownPrefix = (owner_id: string): string => owner_id.slice(-4)

/** Type of the terms that hold a form of a word, by which to look up whether an item still has the form. */
const FORM = '~'

/** The terms of an item in parts that fit into a tsvector, nearly always one. */
function partsOf(owner: string, { terms, forms }: IndexDocument, tagIds: readonly string[]): string[][] {
  const parts: string[][] = [[]]
  let bytes = 0
  const add = (term: string): void => {
    const size = Buffer.byteLength(term)
    if (bytes + size > PART_BYTES) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(term)
    bytes += size
  }
  for (const term of listOf(terms)) add(owner + term)
  for (const id of tagIds) add(owner + TERMS.tag(id))
  for (const form of listOf(forms)) add(owner + FORM + form)
  return parts
}

/** Quotes a term for a tsquery. */
const quoted = (text: string): string => `'${text.replace(/['\\]/g, '$&$&')}'`
const leafOf = (owner: string, { term, prefix }: Leaf): string =>
  `${quoted(owner + term)}${prefix ? ':*' : ''}`

function tsqueryOf(owner: string, condition: Condition): string {
  if ('term' in condition) return leafOf(owner, condition)
  const inner = (one: Condition) => tsqueryOf(owner, one)
  if ('all' in condition) return `(${condition.all.map(inner).join(' & ')})`
  if ('any' in condition) return `(${condition.any.map(inner).join(' | ')})`
  return `(${inner(condition.these)} & !${inner(condition.but)})`
}

/**
 * The condition for a statement that looks through all items. PostgreSQL has no statistics of one owner's terms: it
 * assumes that many rows have each, and would scan all rows of the owner for a condition with several. The term that
 * every item has, added twice, makes the condition look selective and costs next to nothing. Conditions that PostgreSQL
 * does not know when it plans, as rows of an array, look selective as they are.
 */
function matchOf(owner: string, condition: Condition): string {
  const every = leafOf(owner, { term: TERMS.every })
  return `${every} & ${every} & ${tsqueryOf(owner, condition)}`
}

type Dated = Omit<IndexedItem, 'owner_id'>

interface Key {
  owner_id: string
  id: string
}

interface Keys {
  owner_id: string
  ids: readonly string[]
}

/** Tables whose statistics decide how lists and searches are read. */
const ANALYSED = [
  'items',
  'tags',
  'item_tags',
  'changes',
  'trash',
  'duplicates',
  'search_words',
  'search_forms',
] as const

/** Namespace of the advisory locks of vocabularies; an arbitrary number. */
const VOCABULARY_LOCK = 5062

/** A row for each part of an item. */
const formsBefore = statement(
  (_, value: Value<Keys & { prefix: string }>) => sql<{ item_id: string; forms: string[] }>`
    select item_id, array(
        select substr(term, length(${value('prefix')}) + 1)
        from unnest(tsvector_to_array(words)) as held (term) where starts_with(term, ${value('prefix')})
      ) as forms
    from search_words where owner_id = ${value('owner_id')} and ${value.among('item_id', 'ids')}`,
)

/** The forms of the items that are indexed, and how many parts they have. */
async function formsOf(
  trx: Trx,
  owner_id: string,
  ids: readonly string[],
): Promise<Map<string, { forms: string[]; parts: number }>> {
  const found = new Map<string, { forms: string[]; parts: number }>()
  const rows =
    ids.length > 0 ? await formsBefore(trx, { owner_id, ids, prefix: ownPrefix(owner_id) + FORM }) : []
  for (const { item_id, forms } of rows) {
    const before = found.get(item_id)
    found.set(item_id, {
      forms: before ? before.forms.concat(forms) : forms,
      parts: (before?.parts ?? 0) + 1,
    })
  }
  return found
}

/**
 * A form without a stem has none in the vocabulary, which another program version may have made. `offset 0` keeps the look-up
 * of each form by its key: of an owner whom the statistics do not know PostgreSQL expects one form, and would compare all
 * forms of the owner with all terms.
 */
const documentsBefore = statement(
  (_, value: Value<Keys & { prefix: string; form: string; tag: string }>) =>
    sql<IndexDocument & { item_id: string }>`
    with held as materialized (
      select item_id, substr(term, length(${value('prefix')}) + 1) as term from search_words
        cross join unnest(tsvector_to_array(words)) as all_terms (term)
        where owner_id = ${value('owner_id')} and ${value.among('item_id', 'ids')}
    ),
    spelled as materialized (
      select item_id, string_agg(form, ' ' order by form) as forms, string_agg(stem, ' ' order by form) as stems
        from held, lateral (
          select form, stem from search_forms where owner_id = ${value('owner_id')} and form = substr(term, 2) offset 0
        ) as known
        where starts_with(term, ${value('form')}) group by item_id
    ),
    named as materialized (
      select item_id, string_agg(term, ' ') as terms from held
        where not starts_with(term, ${value('form')}) and not starts_with(term, ${value('tag')}) group by item_id
    )
    select item_id, terms, coalesce(forms, '') as forms, coalesce(stems, '') as stems
    from named left join spelled using (item_id)`,
)

/**
 * Shared lock of an owner's vocabulary, held until the commit by saves that add forms. What removes forms takes it
 * exclusively, because it could not see forms that others have not committed yet.
 */
const lockToAdd = statement(
  (_, value: Value<{ owner_id: string }>) =>
    sql<never>`select pg_advisory_xact_lock_shared(${sql.lit(VOCABULARY_LOCK)}, hashtext(${value('owner_id')}))`,
)
const lockToRemove = statement(
  (_, value: Value<{ owner_id: string }>) =>
    sql<never>`select pg_advisory_xact_lock(${sql.lit(VOCABULARY_LOCK)}, hashtext(${value('owner_id')}))`,
)

/** Sets the owner again: the rows of before migration 021 hold it out of line. */
const putPart = statement(
  (_, value: Value<IndexedItem & { part: number; parted: boolean; words: readonly string[] }>) => sql<never>`
    insert into search_words (owner_id, item_id, part, parted, kind, created_at, words)
    values (${value('owner_id')}, ${value('id')}, ${value('part')}, ${value('parted')}, ${value('kind')},
      ${value('created_at')}, array_to_tsvector(${value('words')}::text[]))
    on conflict (owner_id, item_id, part) do update
      set owner_id = excluded.owner_id, parted = excluded.parted, created_at = excluded.created_at,
        words = excluded.words`,
)

const removeParts = statement(
  (_, value: Value<Key & { from: number }>) => sql<never>`delete from search_words
    where owner_id = ${value('owner_id')} and item_id = ${value('id')} and part >= ${value('from')}`,
)

const removeAllParts = statement(
  (_, value: Value<Keys>) => sql<never>`delete from search_words
    where owner_id = ${value('owner_id')} and ${value.among('item_id', 'ids')}`,
)

/**
 * The owner comes from one of the items, which the transaction has saved: Citus then inserts where the item lies, and the
 * save is a transaction of one machine. With the owner as a value it would fetch the rows and send them to every machine
 * that they might belong to.
 */
const addForms = statement(
  (_, value: Value<Key & { forms: readonly string[]; stems: readonly string[] }>) => sql<never>`
    insert into search_forms (owner_id, form, stem)
    select items.owner_id, form, stem
    from items, unnest(${value('forms')}::text[], ${value('stems')}::text[]) as added (form, stem)
    where items.owner_id = ${value('owner_id')} and items.id = ${value('id')}
    on conflict do nothing`,
)

/** Deletes those of the forms that no item has any more. Names them twice, so that the index finds them and no others are read. */
const removeForms = statement(
  (_, value: Value<{ owner_id: string; forms: readonly string[]; matches: readonly string[] }>) => sql<never>`
    delete from search_forms
    using unnest(${value('forms')}::text[], ${value('matches')}::text[]) as removed (removed_form, match)
    where owner_id = ${value('owner_id')} and ${value.among('form', 'forms')} and form = removed_form
      and not exists (select * from search_words as whole where whole.owner_id = ${value('owner_id')}
        and not whole.parted and whole.words @@ match::tsquery)
      and not exists (select * from search_words as in_parts where in_parts.owner_id = ${value('owner_id')}
        and in_parts.parted and in_parts.words @@ match::tsquery)`,
)

/**
 * Called last in a save, because a removal waits from here to its end. `id`: of one of the saved items. `added`: stems by form. Forms are added in one
 * order: of two saves that add the same ones one waits for the other, and never each for the other.
 */
async function addToVocabulary(
  trx: Trx,
  { owner_id, id }: Key,
  added: ReadonlyMap<string, string>,
): Promise<void> {
  if (added.size === 0) return
  const forms = [...added.keys()].sort()
  const stems = forms.map((form) => added.get(form) ?? '')
  await pipelined(trx, [
    (trx) => lockToAdd(trx, { owner_id }),
    (trx) => addForms(trx, { owner_id, id, forms, stems }),
  ])
}

interface Asked {
  owner_id: string
  match: string
}

/** Of the items whose terms lie in one part, as nearly all do. */
const wholes = (value: Value<Asked>) => sql`select item_id as id, kind, created_at from search_words
  where owner_id = ${value('owner_id')} and not parted and words @@ ${value('match')}::tsquery`

const NEWEST_FIRST = sql`order by created_at desc, id desc`

/** Whether the owner has items in several parts. */
const anyParted = (value: Value<{ owner_id: string }>) => sql`exists (
  select * from search_words where owner_id = ${value('owner_id')} and parted and part = 0
)`

const counted = statement(
  (_, value: Value<Asked & { limit: number }>) =>
    sql<Partial<Dated> & { notes: number; links: number; parted: boolean }>`
    with found as materialized (${wholes(value)}),
      counts as (
        select count(*) filter (where kind = 'note') as notes, count(*) filter (where kind = 'link') as links,
          ${anyParted(value)} as parted
        from found
      )
    select * from counts
      left join (select * from found ${NEWEST_FIRST} limit ${value('limit')}) as newest on true`,
)

const newestOf = statement(
  (_, value: Value<Asked & { kinds: readonly ItemKind[]; limit: number }>) =>
    sql<Dated>`select * from (${wholes(value)}) as found where ${value.among('kind', 'kinds')}
    ${NEWEST_FIRST} limit ${value('limit')}`,
)

/** Looks up tags in the order of the items (`offset 0` keeps it), so that it can stop at the limit. */
const newestUntagged = statement(
  (_, value: Value<Asked & { kinds: readonly ItemKind[]; limit: number }>) =>
    sql<Dated>`select * from (
      select * from (${wholes(value)}) as whole where ${value.among('kind', 'kinds')} ${NEWEST_FIRST} offset 0
    ) as found
    where not exists (
      select * from item_tags where item_tags.owner_id = ${value('owner_id')} and item_tags.item_id = found.id
    )
    ${NEWEST_FIRST} limit ${value('limit')}`,
)

/**
 * Materialized, so that PostgreSQL plans for all rows: planning for the first few it would look through all items of the
 * owner, and a word that none has would take seconds. It still stops at the limit.
 */
const counts = statement(
  (_, value: Value<{ owner_id: string; matches: readonly string[]; limit: number }>) =>
    sql<{ count: number; parted: boolean }>`select ${anyParted(value)} as parted, (
      with found as materialized (
        select 1 from search_words
        where owner_id = ${value('owner_id')} and not parted and words @@ match::tsquery
      )
      select count(*)::integer from (select 1 from found limit ${value('limit')}) as counted
    ) as count from unnest(${value('matches')}::text[]) with ordinality as asked (match, place) order by place`,
)

const conditionsMet = statement(
  (_, value: Value<{ owner_id: string; matches: readonly string[] }>) =>
    sql<ConditionMatch>`select item_id as id, kind, created_at as time, bit_or(1 << (place - 1)::integer) as met
    from unnest(${value('matches')}::text[]) with ordinality as asked (match, place)
    join search_words on owner_id = ${value('owner_id')} and not parted and words @@ match::tsquery
    group by item_id, kind, created_at`,
)

/** Materialized, so that no word is looked up among all items. */
const conditionsMetAmong = statement(
  (_, value: Value<Keys & { matches: readonly string[] }>) =>
    sql<ConditionMatch>`with chosen as materialized (
      select item_id, kind, created_at, words from search_words
      where owner_id = ${value('owner_id')} and not parted and ${value.among('item_id', 'ids')}
    )
    select item_id as id, kind, created_at as time, bit_or(1 << (place - 1)::integer) as met
    from chosen join unnest(${value('matches')}::text[]) with ordinality as asked (match, place)
      on words @@ match::tsquery
    group by item_id, kind, created_at`,
)

const partsHolding = statement(
  (_, value: Value<{ owner_id: string; leaves: readonly string[] }>) =>
    sql<Dated & { leaf: string }>`select item_id as id, kind, created_at, leaf
    from search_words join unnest(${value('leaves')}::text[]) as asked (leaf) on words @@ leaf::tsquery
    where owner_id = ${value('owner_id')} and parted`,
)

/** An item in several parts, and the terms of the conditions that it has. */
interface Parted {
  readonly item: Dated
  readonly leaves: ReadonlySet<string>
}

const hasParts = statement(
  (_, value: Value<{ owner_id: string }>) => sql<{ parted: boolean }>`select ${anyParted(value)} as parted`,
)

/** The items in several parts that have terms of the conditions, if the owner has such items. */
async function partedOf(db: Db, owner_id: string, conditions: readonly Condition[]): Promise<Parted[]> {
  const [found] = await hasParts(db, { owner_id })
  return found?.parted ? termsInParts(db, owner_id, conditions) : []
}

/** Looks for the terms one by one, because two terms of a condition may be in different parts of an item. */
async function termsInParts(db: Db, owner_id: string, conditions: readonly Condition[]): Promise<Parted[]> {
  const owner = ownPrefix(owner_id)
  const leaves = [...new Set(conditions.flatMap((condition) => [...leavesOf(owner, condition)]))]
  const byId = new Map<string, { item: Dated; leaves: Set<string> }>()
  for (const { leaf, ...item } of await partsHolding(db, { owner_id, leaves })) {
    const known = byId.get(item.id) ?? { item, leaves: new Set() }
    byId.set(item.id, known)
    known.leaves.add(leaf)
  }
  return [...byId.values()]
}

function* leavesOf(owner: string, condition: Condition): Generator<string> {
  if ('term' in condition) yield leafOf(owner, condition)
  else for (const inner of innerOf(condition)) yield* leavesOf(owner, inner)
}

const innerOf = (condition: Exclude<Condition, Leaf>): readonly Condition[] =>
  'all' in condition ? condition.all : 'any' in condition ? condition.any : [condition.these, condition.but]

const holdsIn =
  (owner: string, leaves: ReadonlySet<string>) =>
  (leaf: Leaf): boolean =>
    leaves.has(leafOf(owner, leaf))

async function partedMeeting(db: Db, owner_id: string, condition: Condition): Promise<Dated[]> {
  const parted = await partedOf(db, owner_id, [condition])
  return parted
    .filter(({ leaves }) => evaluate(condition, holdsIn(ownPrefix(owner_id), leaves)))
    .map(({ item }) => item)
}

const newestFirst = (items: readonly Dated[]): Dated[] =>
  items.toSorted((one, other) => other.created_at - one.created_at || (one.id < other.id ? 1 : -1))

const isItem = <Row extends Partial<Dated>>(row: Row): row is Row & Dated => row.id != null

const countOf = (items: readonly Dated[], of: ItemKind): number =>
  items.filter(({ kind }) => kind === of).length

/** The index in tsvectors of PostgreSQL. Terms are stored as they are, without PostgreSQL's dictionaries. */
export const postgresIndex: SearchIndex = {
  async upsert(trx, owner_id, entries) {
    const owner = ownPrefix(owner_id)
    const added = new Map<string, string>()
    const removed = new Set<string>()
    const byId = new Map(entries.map((entry) => [entry.item.id, entry]))
    const indexed = [...byId.values()].flatMap(({ item, isNew }) => (isNew ? [] : item.id))
    // Where all are new it sends its statements at once: `pipelined` keeps their order.
    const known: Awaited<ReturnType<typeof formsOf>> =
      indexed.length > 0 ? await formsOf(trx, owner_id, indexed) : new Map()
    const writes: ((trx: Trx) => Promise<unknown>)[] = []
    for (const [id, { item, document, tagIds }] of byId) {
      const key = { owner_id, id }
      const before = known.get(id)
      const parts = partsOf(owner, document, tagIds)
      for (const [part, words] of parts.entries())
        writes.push((trx) => putPart(trx, { ...item, owner_id, part, parted: parts.length > 1, words }))
      if (before && before.parts > parts.length)
        writes.push((trx) => removeParts(trx, { ...key, from: parts.length }))
      const gone = new Set(before?.forms)
      const stems = listOf(document.stems)
      for (const [at, form] of listOf(document.forms).entries())
        if (!gone.delete(form)) added.set(form, stems[at] ?? '')
      for (const form of gone) removed.add(form)
    }
    const [id, ...others] = byId.keys()
    if (id === undefined) return
    writes.push((trx) => queueRemovals(trx, owner_id, [...removed]))
    writes.push((trx) => addToVocabulary(trx, { owner_id, id }, added))
    // Those of many items would be sent without a pause.
    if (others.length > 0) for (const write of writes) await write(trx)
    else await pipelined(trx, writes)
  },

  async documentsOf(trx, owner_id, ids) {
    const prefix = ownPrefix(owner_id)
    const asked = { owner_id, ids, prefix, form: FORM, tag: TERMS.tag('') }
    const rows = ids.length > 0 ? await documentsBefore(trx, asked) : []
    return new Map(rows.map(({ item_id, ...document }) => [item_id, document]))
  },

  async delete(trx, owner_id, ids) {
    const before = await formsOf(trx, owner_id, ids)
    if (before.size > 0) await removeAllParts(trx, { owner_id, ids })
    await queueRemovals(trx, owner_id, [...new Set([...before.values()].flatMap(({ forms }) => forms))])
  },

  async removeUnusedForms(trx, owner_id, forms) {
    await lockToRemove(trx, { owner_id })
    const matches = forms.map((form) => matchOf(ownPrefix(owner_id), { term: FORM + form }))
    await removeForms(trx, { owner_id, forms, matches })
  },

  async deleteMany(trx, owner_id, ids) {
    if (ids.length > 0) await removeAllParts(trx, { owner_id, ids })
  },

  async countAndFirst(db, owner_id, condition, limit) {
    const match = matchOf(ownPrefix(owner_id), condition)
    const rows = await counted(db, { owner_id, match, limit: limit + 1 })
    const { notes, links, parted } = rows[0] ?? { notes: 0, links: 0, parted: false }
    const others = parted ? await partedMeeting(db, owner_id, condition) : []
    const counts = { note: notes + countOf(others, 'note'), link: links + countOf(others, 'link') }
    const isMore = counts.note + counts.link > limit
    return { counts, all: isMore ? undefined : newestFirst([...rows.filter(isItem), ...others]) }
  },

  async newest(db, owner_id, condition, { kind, limit, untagged }) {
    const kinds = kind === undefined ? ITEM_KINDS : [kind]
    const match = matchOf(ownPrefix(owner_id), condition)
    const [whole, parted] = await Promise.all([
      (untagged ? newestUntagged : newestOf)(db, { owner_id, match, kinds, limit }),
      partedMeeting(db, owner_id, condition),
    ])
    const ids = parted.map(({ id }) => id)
    const rows = untagged && ids.length > 0 ? await taggedAmong(db, { owner_id, ids }) : []
    const tagged = new Set(rows.map(({ item_id }) => item_id))
    const items = [...whole, ...parted.filter(({ id, kind }) => kinds.includes(kind) && !tagged.has(id))]
    return newestFirst(items)
      .slice(0, limit)
      .map(({ id, kind, created_at }) => ({ id, kind, time: created_at }))
  },

  async countUpTo(db, owner_id, conditions, limit) {
    const owner = ownPrefix(owner_id)
    const matches = conditions.map((condition) => tsqueryOf(owner, condition))
    const rows = await counts(db, { owner_id, matches, limit })
    const parted = rows[0]?.parted ? await termsInParts(db, owner_id, conditions) : []
    return conditions.map((condition, at) => {
      const others = parted.filter(({ leaves }) => evaluate(condition, holdsIn(owner, leaves)))
      return Math.min((rows[at]?.count ?? 0) + others.length, limit)
    })
  },

  async conditionsMet(db, owner_id, conditions, among) {
    const owner = ownPrefix(owner_id)
    const matches = conditions.map((condition) => tsqueryOf(owner, condition))
    const [rows, inParts] = await Promise.all([
      among
        ? conditionsMetAmong(db, { owner_id, matches, ids: among })
        : conditionsMet(db, { owner_id, matches }),
      partedOf(db, owner_id, conditions),
    ])
    const ids = among && new Set(among)
    const parted = ids ? inParts.filter(({ item }) => ids.has(item.id)) : inParts
    const others = parted.map(({ item: { id, kind, created_at }, leaves }): ConditionMatch => {
      const bits = conditions.map((condition, at) =>
        evaluate(condition, holdsIn(owner, leaves)) ? 1 << at : 0,
      )
      return { id, kind, time: created_at, met: bits.reduce((all, bit) => all | bit, 0) }
    })
    return [...rows, ...others.filter(({ met }) => met !== 0)]
  },

  keepsDeletedTerms: false,
  forgetDeletedTerms: async () => false,

  /** Updates the statistics of tables after bulk writes, instead of waiting for autovacuum. */
  async maintain(trx) {
    for (const table of ANALYSED) await sql`analyze ${sql.table(table)}`.execute(trx)
    return false
  },
}
