import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { setColumn } from '../spread-tables.ts'

/**
 * Keeps the keys of search_words in its rows. PostgreSQL stored the owner's id out of line as well as the words, because a row
 * with both keys is longer than toast_tuple_target, and checked the owner of each match by another look-up. The server
 * stores the rows anew in the background.
 */
export const plainSearchKeys: Migration = {
  name: '021-plain-search-keys',
  up: async (db, fullText) => {
    if (fullText !== 'tsvector') return
    for (const column of ['owner_id', 'item_id', 'kind'])
      await setColumn(db, { name: 'search_words', column, setting: 'set storage plain' })
    await sql`update search_analyser set version = 0`.execute(db)
  },
}
