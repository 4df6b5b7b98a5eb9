import type { Condition } from '@kopilka/text/search/condition.ts'
import type { ConditionMatch, Dated } from '@kopilka/text/search/index-reader.ts'
import { type IndexDocument, listOf, TERMS } from '@kopilka/text/search/terms.ts'
import { sql } from 'kysely'
import type { ItemKind, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { IndexEntry, IndexedItem, SearchIndex } from './search-index.ts'
import { queueRemovals } from './vocabulary.ts'

/**
 * The index in SQLite's FTS5. Every term is stored with its owner's id in front, so a search reads the terms of one owner
 * alone, however many owners there are. FTS5 stores common prefixes once, so the long one costs next to nothing.
 */
const ownPrefix = (owner_id: string): string => owner_id.replaceAll('-', '')

/** The condition in FTS5's query language. Terms hold no quotes: only letters, digits and the signs of TERMS. */
function matchOf(owner: string, condition: Condition): string {
  if ('term' in condition) return `"${owner}${condition.term}"${condition.prefix ? '*' : ''}`
  const inner = (one: Condition) => matchOf(owner, one)
  if ('all' in condition) return `(${condition.all.map(inner).join(' AND ')})`
  if ('any' in condition) return `(${condition.any.map(inner).join(' OR ')})`
  return `(${inner(condition.these)} NOT ${inner(condition.but)})`
}

function matchesOf(owner_id: string, conditions: readonly Condition[]): string {
  const owner = ownPrefix(owner_id)
  return JSON.stringify(conditions.map((condition) => matchOf(owner, condition)))
}

/**
 * FTS5 identifies rows by number and returns them in this order. The number of an item holds the millisecond of its
 * creation, then an 11-bit counter within that millisecond, then one bit for its kind. So the newest items are found
 * first, and reading stops when there are enough. Items of one millisecond are sorted by id. Items beyond 2,048 of one
 * millisecond get numbers of the next millisecond with free ones.
 */
const TIME_BITS = sql.lit(12)
const COUNT_BITS = sql.lit(11)
/** The last two numbers of a millisecond start here. */
const LAST_NUMBERS = sql.lit(4094)
const NEWEST_FIRST = sql`order by number >> ${TIME_BITS} desc, item_id desc`
const KIND = sql`iif(number & 1, 'link', 'note')`
const KIND_BIT: Readonly<Record<ItemKind, number>> = { note: 0, link: 1 }
/** Stands for items of both kinds. */
const ANY_KIND = 2

interface Key {
  owner_id: string
  id: string
}

const number = (value: Value<Key>) => sql`(select doc from search_docs
  where owner_id = ${value('owner_id')} and item_id = ${value('id')})`

interface Keys {
  owner_id: string
  ids: readonly string[]
}

const docs = statement(
  (_, value: Value<Keys>) => sql<{ item_id: string; forms: string; time: number }>`
    select item_id, forms, doc >> ${TIME_BITS} as time from search_docs
    where owner_id = ${value('owner_id')} and ${value.among('item_id', 'ids')} order by +doc`,
)

const inOrder = statement(
  (_, value: Value<Keys>) => sql<{ id: string }>`
    select item_id as id from search_docs
    where owner_id = ${value('owner_id')} and ${value.among('item_id', 'ids')} order by +doc`,
)

const documentsBefore = statement(
  (_, value: Value<Keys>) => sql<IndexDocument & { item_id: string }>`
    select item_id, trim(forms) as forms, terms, stems from search_docs
    where owner_id = ${value('owner_id')} and ${value.among('item_id', 'ids')} and terms <> ''`,
)

const addDoc = statement(
  (_, value: Value<IndexedItem & IndexDocument & { bit: number }>) => sql<never>`
    insert into search_docs (doc, owner_id, item_id, forms, terms, stems)
    with recursive times (time) as (
      select cast(${value('created_at')} as integer)
      union all
      select time + 1 from times where exists (
        select * from search_docs
          where doc >= (time << ${TIME_BITS}) + ${LAST_NUMBERS} and doc < time + 1 << ${TIME_BITS}
      )
    )
    select 2 * coalesce(
        (select (doc >> 1) + 1 from search_docs
          where doc >= time << ${TIME_BITS} and doc < time + 1 << ${TIME_BITS} order by doc desc limit 1),
        time << ${COUNT_BITS}
      ) + ${value('bit')}, ${value('owner_id')}, ${value('id')},
      ${value('forms')}, ${value('terms')}, ${value('stems')}
    from (select max(time) as time from times)`,
)

const setDocument = statement(
  (_, value: Value<Key & IndexDocument>) => sql<never>`update search_docs
    set forms = ${value('forms')}, terms = ${value('terms')}, stems = ${value('stems')}
    where owner_id = ${value('owner_id')} and item_id = ${value('id')}`,
)

const removeDoc = statement(
  (_, value: Value<Key>) => sql<never>`delete from search_docs
    where owner_id = ${value('owner_id')} and item_id = ${value('id')}`,
)

/**
 * Adds the terms of indexed items, in this order. Each gets the owner's prefix here, as SQLite copies text faster than it
 * takes it over from JavaScript.
 */
const addTerms = statement(
  (_, value: Value<{ owner_id: string; own: string; tagged: readonly { id: string; tags: string }[] }>) =>
    sql<never>`insert into search_words (rowid, words)
    select doc, ${value('own')} || replace(terms || tags, ' ', ' ' || ${value('own')})
    from ${value.rows('tagged', 'tagged', ['id', 'tags'])}
    cross join search_docs on owner_id = ${value('owner_id')} and item_id = id`,
)

const removeTerms = statement(
  (_, value: Value<Key>) => sql<never>`delete from search_words where rowid = ${number(value)}`,
)

const addForms = statement(
  (_, value: Value<{ owner_id: string; added: string }>) =>
    sql<never>`insert into search_forms (owner_id, form, stem)
    select ${value('owner_id')}, key, value from json_each(${value('added')})
    where true on conflict do nothing`,
)

const removeForms = statement(
  (_, value: Value<{ owner_id: string; own: string; forms: string }>) =>
    sql<never>`delete from search_forms where owner_id = ${value('owner_id')}
    and form in (select value from json_each(${value('forms')}))
    and not exists (
      select * from search_words cross join search_docs on doc = search_words.rowid
      where search_words match format('"%s=%s" OR "%s/%s"', ${value('own')}, stem, ${value('own')}, stem)
        and search_docs.owner_id = ${value('owner_id')} and instr(forms, ' ' || form || ' ')
    )`,
)

interface Asked {
  owner_id: string
  match: string
  not: number
  any_tags: number
  limit: number
}

/** The numbers of the items that are asked for. Looks up tags one item after the other, so that it can stop at a limit. */
const numbersOf = (value: Value<Asked>) => sql`select rowid as number from search_words
  where search_words match ${value('match')} and rowid & 1 <> ${value('not')}
    and (cast(${value('any_tags')} as integer) = 1 or not exists (
      select 1 from search_docs as tagged
        cross join item_tags on item_tags.owner_id = tagged.owner_id and item_tags.item_id = tagged.item_id
        where tagged.doc = search_words.rowid
    ))`

const newestOf = statement(
  (_, value: Value<Asked>) =>
    sql<Dated>`select item_id as id, ${KIND} as kind, number >> ${TIME_BITS} as time
    from (${numbersOf(value)} order by rowid desc limit ${value('limit')})
    cross join search_docs on doc = number where owner_id = ${value('owner_id')} ${NEWEST_FIRST}`,
)

const newestSince = statement(
  (_, value: Value<Asked & { time: number }>) =>
    sql<Dated>`select item_id as id, ${KIND} as kind, number >> ${TIME_BITS} as time
    from (${numbersOf(value)} and rowid >= cast(${value('time')} as integer) << ${TIME_BITS})
    cross join search_docs on doc = number where owner_id = ${value('owner_id')}
    ${NEWEST_FIRST} limit ${value('limit')}`,
)

/** Finds the matches once and materialises them, because merging the terms with a prefix is most of the work. */
const counted = statement(
  (_, value: Value<{ owner_id: string; match: string; limit: number }>) =>
    sql<{ total: number; links: number; id: string | null; kind: ItemKind | null }>`
    with found as materialized (
      select rowid as number from search_words where search_words match ${value('match')}
    ),
    counts as materialized (select count(*) as total, coalesce(sum(number & 1), 0) as links from found)
    select total, links, item_id as id, ${KIND} as kind from counts
    left join (select number from found limit (select iif(total > ${value('limit')}, 0, total) from counts))
    left join search_docs on doc = number and owner_id = ${value('owner_id')}
    ${NEWEST_FIRST}`,
)

const counts = statement(
  (_, value: Value<{ matches: string; limit: number }>) => sql<{ count: number }>`select (
      select count(*) from (
        select 1 from search_words where search_words match asked.value limit ${value('limit')}
      )
    ) as count from json_each(${value('matches')}) as asked order by asked.key`,
)

const conditionsMet = statement(
  (_, value: Value<{ owner_id: string; matches: string }>) =>
    sql<ConditionMatch>`select item_id as id, ${KIND} as kind, number >> ${TIME_BITS} as time, met
    from (
      select search_words.rowid as number, sum(1 << asked.key) as met
      from json_each(${value('matches')}) as asked cross join search_words on search_words match asked.value
      group by search_words.rowid
    )
    cross join search_docs on doc = number where owner_id = ${value('owner_id')}`,
)

const conditionsMetAmong = statement(
  (_, value: Value<Keys & { matches: string }>) =>
    sql<ConditionMatch>`select item_id as id, ${KIND} as kind, number >> ${TIME_BITS} as time, sum(1 << asked.key) as met
    from (
      select doc as number, item_id from search_docs
      where owner_id = ${value('owner_id')} and ${value.among('item_id', 'ids')}
    )
    cross join json_each(${value('matches')}) as asked
    cross join search_words on search_words match asked.value and search_words.rowid = number
    group by number`,
)

/** Pages that one step of a merge writes. */
const MERGED_PAGES = 64

interface Indexed {
  readonly forms: string[]
  /** The millisecond in the number of the item. */
  readonly time: number
}

/** The items that are indexed, in the order of their numbers. */
async function indexed(trx: Trx, owner_id: string, ids: readonly string[]): Promise<Map<string, Indexed>> {
  const rows = await docs(trx, { owner_id, ids })
  return new Map(rows.map(({ item_id, forms, time }) => [item_id, { forms: listOf(forms.trim()), time }]))
}

/**
 * Numbers all items first and adds their terms in the order of the numbers, with no other statement between: FTS5 writes a
 * segment whenever a smaller number follows or a statement in between changes several rows of another table.
 */
async function upsert(trx: Trx, owner_id: string, entries: readonly IndexEntry[]): Promise<void> {
  const own = ownPrefix(owner_id)
  const byId = new Map(entries.map((entry) => [entry.item.id, entry]))
  const before = await indexed(trx, owner_id, [...byId.keys()])
  // A merge gave them another date of creation, or its undo.
  const moved = new Set(
    [...byId.values()].flatMap(({ item: { id, created_at } }) => {
      const time = before.get(id)?.time ?? created_at
      return time === created_at ? [] : id
    }),
  )
  for (const id of moved) await removeTerms(trx, { owner_id, id })
  for (const id of moved) await removeDoc(trx, { owner_id, id })
  const isNumbered = (id: string) => before.has(id) && !moved.has(id)
  for (const { item, document } of byId.values()) {
    const row = { ...document, ...item, owner_id, forms: ` ${document.forms} ` }
    if (isNumbered(item.id)) await setDocument(trx, row)
    else await addDoc(trx, { ...row, bit: KIND_BIT[item.kind] })
  }
  let tagged: { id: string; tags: string }[] = []
  for (const { id } of await inOrder(trx, { owner_id, ids: [...byId.keys()] })) {
    if (isNumbered(id)) {
      if (tagged.length > 0) await addTerms(trx, { owner_id, own, tagged })
      tagged = []
      await removeTerms(trx, { owner_id, id })
    }
    const tags = byId.get(id)?.tagIds?.map((tag) => ` ${TERMS.tag(tag)}`) ?? []
    tagged.push({ id, tags: tags.join('') })
  }
  if (tagged.length > 0) await addTerms(trx, { owner_id, own, tagged })
  const [added, removed] = [new Map<string, string | undefined>(), new Set<string>()]
  for (const [id, { document }] of byId) {
    const lost = new Set(before.get(id)?.forms)
    const stems = listOf(document.stems)
    for (const [at, form] of listOf(document.forms).entries())
      if (!lost.delete(form)) added.set(form, stems[at])
    for (const form of lost) removed.add(form)
  }
  if (added.size > 0) {
    // An object of thousands of keys takes V8 longer to build than all else here.
    const pairs = Array.from(added, (pair) => pair.map((one) => JSON.stringify(one ?? '')).join(':'))
    await addForms(trx, { owner_id, added: `{${pairs.join()}}` })
  }
  await queueRemovals(trx, owner_id, [...removed])
}

export const sqliteIndex: SearchIndex = {
  upsert,

  async documentsOf(trx, owner_id, ids) {
    const rows = ids.length > 0 ? await documentsBefore(trx, { owner_id, ids }) : []
    return new Map(rows.map(({ item_id, ...document }) => [item_id, document]))
  },

  async delete(trx, owner_id, ids) {
    const before = await indexed(trx, owner_id, ids)
    for (const id of before.keys()) await removeTerms(trx, { owner_id, id })
    for (const id of before.keys()) await removeDoc(trx, { owner_id, id })
    await queueRemovals(trx, owner_id, [...new Set([...before.values()].flatMap(({ forms }) => forms))])
  },

  async removeUnusedForms(trx, owner_id, forms) {
    await removeForms(trx, { owner_id, own: ownPrefix(owner_id), forms: JSON.stringify(forms) })
  },

  async deleteMany(trx, owner_id, ids) {
    const rows = await docs(trx, { owner_id, ids })
    for (const { item_id: id } of rows) await removeTerms(trx, { owner_id, id })
    for (const { item_id: id } of rows) await removeDoc(trx, { owner_id, id })
  },

  async countAndFirst(db, owner_id, condition, limit) {
    const rows = await counted(db, { owner_id, match: matchOf(ownPrefix(owner_id), condition), limit })
    const { total, links } = rows[0] ?? { total: 0, links: 0 }
    const all = rows.flatMap(({ id, kind }) => (id === null || kind === null ? [] : { id, kind }))
    return { counts: { note: total - links, link: links }, all: total > limit ? undefined : all }
  },

  async newest(db, owner_id, condition, { kind, limit, untagged = false }) {
    const match = matchOf(ownPrefix(owner_id), condition)
    const not = kind === undefined ? ANY_KIND : 1 - KIND_BIT[kind]
    const asked = { owner_id, match, not, any_tags: Number(!untagged) }
    const rows = await newestOf(db, { ...asked, limit: limit + 1 })
    const [last, next] = rows.slice(limit - 1)
    // The order of items of one millisecond is known only from all of them.
    if (last && next && last.time === next.time) return newestSince(db, { ...asked, limit, time: last.time })
    return rows.slice(0, limit)
  },

  async countUpTo(db, owner_id, conditions, limit) {
    const rows = await counts(db, { matches: matchesOf(owner_id, conditions), limit })
    return rows.map(({ count }) => count)
  },

  async conditionsMet(db, owner_id, conditions, among) {
    const matches = matchesOf(owner_id, conditions)
    return among
      ? conditionsMetAmong(db, { owner_id, matches, ids: among })
      : conditionsMet(db, { owner_id, matches })
  },

  keepsDeletedTerms: true,

  /** A merge of all segments into one leaves out what was deleted: a negative number begins it. */
  forgetDeletedTerms: (trx, isFirst) => merge(trx, isFirst ? -MERGED_PAGES : MERGED_PAGES),

  /** Continues an unfinished merge, which makes each change cost twice as much. */
  maintain: (trx) => merge(trx, MERGED_PAGES),
}

/** Does a step of a merge. Resolves to whether there is more to do. */
async function merge(trx: Trx, pages: number): Promise<boolean> {
  const changes = async () => {
    const { rows } = await sql<{ changes: number }>`select total_changes() as changes`.execute(trx)
    return rows[0]?.changes ?? 0
  }
  const before = await changes()
  await sql`insert into search_words (search_words, rank) values ('merge', ${sql.lit(pages)})`.execute(trx)
  // SQLite's documentation: fewer than two changes mean that there was nothing to merge.
  return (await changes()) - before >= 2
}
