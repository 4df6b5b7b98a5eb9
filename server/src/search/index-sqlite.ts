import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../db/schema.ts'
import { type IndexedText, type SearchIndex, type Sought, tagWord } from './index.ts'
import { wordsOf } from './words.ts'

/**
 * The index in SQLite's FTS5. Every word is stored with its owner's id in front: a search reads the words of one
 * owner alone, however many others there are, and cannot find anybody else's. FTS5 stores what neighbours in
 * its dictionary have in common once, so the long beginning costs next to nothing.
 */
const ownWord = (owner_id: string, folded: string): string => `${owner_id.replaceAll('-', '')}${folded}`

const ownWords = (owner_id: string, text: string): string =>
  wordsOf(text)
    .map(({ folded }) => ownWord(owner_id, folded))
    .join(' ')

/** In FTS5's query language, one a word; the last is a beginning. Words hold no quotes: only letters and digits. */
const inText = ({ owner_id, query: { words } }: Sought, at: number): string =>
  `"${ownWord(owner_id, words[at] ?? '')}"${at === words.length - 1 ? '*' : ''}`

/** The tags whose names hold the word; empty where there are none. */
const inTags = ({ owner_id, tagged }: Sought, at: number): string =>
  (tagged[at] ?? []).map((id) => `"${ownWord(owner_id, tagWord(id))}"`).join(' OR ')

/** All words, each in a text or in the name of a tag. */
const matching = (sought: Sought): string =>
  sought.query.words
    .map((_, at) => `(${[inText(sought, at), inTags(sought, at)].filter(Boolean).join(' OR ')})`)
    .join(' AND ')

const rowsWith = (match: string): RawBuilder<unknown> =>
  sql`(select rowid from search_words where search_words match ${match})`

/** For each word the best place it stands in: title over tags over text (decisions, section 5). */
const score = (sought: Sought): RawBuilder<unknown> =>
  sql.join(
    sought.query.words.map((_, at) => {
      const tags = inTags(sought, at)
      return sql`case when search_words.rowid in ${rowsWith(`title : ${inText(sought, at)}`)} then 10
        ${tags === '' ? sql`` : sql`when search_words.rowid in ${rowsWith(tags)} then 5`} else 1 end`
    }),
    sql` + `,
  )

const numberOf = async (trx: Trx, owner_id: string, item_id: string): Promise<number | undefined> => {
  const { rows } = await sql<{ doc: number }>`
    select doc from search_docs where owner_id = ${owner_id} and item_id = ${item_id}`.execute(trx)
  return rows[0]?.doc
}

const erase = (trx: Trx, doc: number) => sql`delete from search_words where rowid = ${doc}`.execute(trx)

const taggedWith = ({ tag_id }: Sought): RawBuilder<unknown> =>
  tag_id === undefined
    ? sql``
    : sql`and exists (select 1 from item_tags
        where owner_id = items.owner_id and item_id = items.id and tag_id = ${tag_id})`

const matches = (sought: Sought): RawBuilder<unknown> => sql`
  search_words
  join search_docs on search_docs.doc = search_words.rowid
  join items on items.owner_id = search_docs.owner_id and items.id = search_docs.item_id
  where search_words match ${matching(sought)}
    and items.owner_id = ${sought.owner_id} and items.kind = ${sought.kind} ${taggedWith(sought)}`

export const sqliteIndex: SearchIndex = {
  async put(trx: Trx, owner_id: string, item_id: string, { title, tags, body, url }: IndexedText) {
    const known = await numberOf(trx, owner_id, item_id)
    if (known !== undefined) await erase(trx, known)
    else await sql`insert into search_docs (owner_id, item_id) values (${owner_id}, ${item_id})`.execute(trx)
    const doc = known ?? (await numberOf(trx, owner_id, item_id))
    const words = (text: string): string => ownWords(owner_id, text)
    const tagWords = tags.map((id) => ownWord(owner_id, tagWord(id))).join(' ')
    await sql`insert into search_words (rowid, title, tags, body, url)
      values (${doc}, ${words(title)}, ${tagWords}, ${words(body)}, ${words(url)})`.execute(trx)
  },

  async remove(trx: Trx, owner_id: string, item_id: string) {
    const doc = await numberOf(trx, owner_id, item_id)
    if (doc === undefined) return
    await erase(trx, doc)
    await sql`delete from search_docs where owner_id = ${owner_id} and item_id = ${item_id}`.execute(trx)
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
