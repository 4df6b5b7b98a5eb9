import { type RawBuilder, sql } from 'kysely'
import type { Db, Trx } from '../db/schema.ts'
import type { IndexedText, SearchIndex, Sought } from './index.ts'
import { wordsOf } from './words.ts'

/** Weights of bm25 for title, tags, body, url: title over tags over text (decisions, section 5). */
const WEIGHTS = sql.raw('10.0, 5.0, 1.0, 0.5')

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

/** In FTS5's query language: all words, the last as a beginning. Words hold no quotes: only letters and digits. */
const matching = ({ owner_id, query }: Pick<Sought, 'owner_id' | 'query'>): string =>
  query.words
    .map((word, at) => `"${ownWord(owner_id, word)}"${at === query.words.length - 1 ? '*' : ''}`)
    .join(' ')

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
    await sql`insert into search_words (rowid, title, tags, body, url)
      values (${doc}, ${words(title)}, ${words(tags.join(' '))}, ${words(body)}, ${words(url)})`.execute(trx)
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
      order by bm25(search_words, ${WEIGHTS}), items.created_at desc, items.id desc
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
