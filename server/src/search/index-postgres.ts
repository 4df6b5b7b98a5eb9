import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../db/schema.ts'
import { type IndexedText, type SearchIndex, type Sought, tagWord } from './index.ts'
import { wordsOf } from './words.ts'

/** Bytes of words in one tsvector, which holds less than 1,048,576 (postgresql.org/docs/current/textsearch-limitations.html). */
const PART_BYTES = 512 * 1024

const foldedOf = (text: string): string[] => wordsOf(text).map(({ folded }) => folded)

const ownerPrefix = (owner_id: string): string => owner_id.replaceAll('-', '')

/** The words of an item in pieces that fit, most often one. */
function partsOf(words: Iterable<string>): string[][] {
  const parts: string[][] = [[]]
  let bytes = 0
  for (const word of words) {
    // The owner's id in front has 32.
    const size = 32 + Buffer.byteLength(word)
    if (bytes + size > PART_BYTES) {
      parts.push([])
      bytes = 0
    }
    parts.at(-1)?.push(word)
    bytes += size
  }
  return parts
}

/** Words of the title and the tags with weights A and B: what ranking asks for, small enough to be read for each match. */
const headsOf = ({ title, tags }: IndexedText): string =>
  [
    ...[...new Set(foldedOf(title))].map((word) => `'${word}':1A`),
    ...tags.map((id) => `'${tagWord(id)}':2B`),
  ].join(' ')

/**
 * In tsquery's language, one a word: it stands in a text, or in the name of a tag; the last is a beginning.
 * Words need no escape: they are letters and digits only. Every word carries its owner's id in front: a search reads
 * the words of one owner alone, however many others there are, and cannot find anybody else's.
 */
const termsOf = ({ owner_id, query: { words }, tagged }: Sought): string[] =>
  words.map((word, at) => {
    const inText = `'${ownerPrefix(owner_id)}${word}'${at === words.length - 1 ? ':*' : ''}`
    const inTags = (tagged[at] ?? []).map((id) => `'${ownerPrefix(owner_id)}${tagWord(id)}'`)
    return `(${[inText, ...inTags].join(' | ')})`
  })

/** Items whose words lie in several parts are asked for each word apart: a part may hold one and not the other. */
function found(sought: Sought): RawBuilder<unknown> {
  const { owner_id } = sought
  const terms = termsOf(sought)
  const eachInSomePart = terms.map(
    (term) => sql`item_id in (select item_id from search_words
      where owner_id = ${owner_id} and parted and words @@ ${term}::tsquery)`,
  )
  return sql`(
    select item_id, heads from search_words
      where owner_id = ${owner_id} and not parted and words @@ ${terms.join(' & ')}::tsquery
    union all
    select item_id, heads from search_words
      where owner_id = ${owner_id} and parted and part = 0 and ${sql.join(eachInSomePart, sql` and `)}
  ) as found`
}

const taggedWith = ({ tag_id }: Sought): RawBuilder<unknown> =>
  tag_id === undefined
    ? sql``
    : sql`and exists (select 1 from item_tags
        where owner_id = items.owner_id and item_id = items.id and tag_id = ${tag_id})`

const matches = (sought: Sought): RawBuilder<unknown> => sql`
  ${found(sought)} join items on items.owner_id = ${sought.owner_id} and items.id = found.item_id
  where items.kind = ${sought.kind} ${taggedWith(sought)}`

/** For each word the best place it stands in: title over tags over text (decisions, section 5). */
const score = ({ query: { words }, tagged }: Sought): RawBuilder<unknown> =>
  sql.join(
    words.map((word, at) => {
      const inTitle = `'${word}':${at === words.length - 1 ? '*' : ''}A`
      const inTags = (tagged[at] ?? []).map((id) => `'${tagWord(id)}'`).join(' | ')
      return sql`case when found.heads @@ ${inTitle}::tsquery then 10
        when found.heads @@ ${inTags}::tsquery then 5 else 1 end`
    }),
    sql` + `,
  )

/** The index in tsvectors of PostgreSQL, without its own dictionaries: it is given the words and keeps them. */
export const postgresIndex: SearchIndex = {
  async put(trx: Trx, owner_id: string, item_id: string, text: IndexedText) {
    const { title, tags, body, url } = text
    const parts = partsOf(new Set([...foldedOf([title, body, url].join(' ')), ...tags.map(tagWord)]))
    for (const [part, words] of parts.entries()) {
      await sql`insert into search_words (owner_id, item_id, part, parted, heads, words)
        values (${owner_id}, ${item_id}, ${part}, ${parts.length > 1}, ${headsOf(text)}::tsvector,
          array_to_tsvector(array(select ${ownerPrefix(owner_id)}::text || word from unnest(${words}::text[]) as word)))
        on conflict (owner_id, item_id, part) do update
          set parted = excluded.parted, heads = excluded.heads, words = excluded.words`.execute(trx)
    }
    await sql`delete from search_words
      where owner_id = ${owner_id} and item_id = ${item_id} and part >= ${parts.length}`.execute(trx)
  },

  async remove(trx: Trx, owner_id: string, item_id: string) {
    await sql`delete from search_words where owner_id = ${owner_id} and item_id = ${item_id}`.execute(trx)
  },

  async find(db: Db, sought: Sought, { limit, offset }) {
    const { rows } = await sql<{ id: string }>`
      select items.id from ${matches(sought)}
      order by ${score(sought)} desc, items.created_at desc, items.id desc
      limit ${limit} offset ${offset}`.execute(db)
    return rows.map(({ id }) => id)
  },

  async count(db: Db, sought: Sought) {
    const { rows } = await sql<{ count: number }>`select count(*) as count from ${matches(sought)}`.execute(
      db,
    )
    return rows[0]?.count ?? 0
  },
}
