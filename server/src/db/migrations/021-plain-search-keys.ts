import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

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
      await sql`alter table search_words alter column ${sql.ref(column)} set storage plain`.execute(db)
    await sql`update search_analyser set version = 0`.execute(db)
  },
}
