import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * On PostgreSQL rows keep their traits spelled in a few bytes, and only the index holds the vectors made of them (decision
 * 020). The index starts empty: the server fills it from the items once it runs.
 */
export const searchSpelled: Migration = {
  name: '007-search-spelled',
  up: async (db, fullText) => {
    if (fullText !== 'tsvector') return
    await sql`truncate search_words`.execute(db)
    await sql`drop index search_words_whole, search_words_parted`.execute(db)
    await sql`alter table search_words add column spelled bytea`.execute(db)
    // Long texts are kept as vectors still: to make these anew takes long.
    await sql`alter table search_words alter column words drop not null`.execute(db)
    // By built-in functions alone: no function of ours can be missing where the database is restored or spread.
    const vector = sql`coalesce(words, array_to_tsvector(string_to_array(right(owner_id, 4) ||
      replace(replace(encode(spelled, 'base64'), E'\\n', ''), '+', '+' || right(owner_id, 4)), '+')))`
    // What is written waits in a list that every search reads through: a short one.
    await sql`create index search_words_whole on search_words using gin ((${vector}))
      with (gin_pending_list_limit = 256) where not parted`.execute(db)
    await sql`create index search_words_parted on search_words using gin ((${vector}))
      with (gin_pending_list_limit = 256) where parted`.execute(db)
    // A guess from the traits of all owners would say nothing of one: the index is always the better way.
    await sql`alter index search_words_whole alter column 1 set statistics 0`.execute(db)
    await sql`alter index search_words_parted alter column 1 set statistics 0`.execute(db)
    // Nor would the number of owners, who may have two items each but for one with a hundred thousand: told that they are
    // few, PostgreSQL does not go through the rows of one instead.
    await sql`alter table search_words alter column owner_id set (n_distinct = 10)`.execute(db)
    await sql`update search_analyser set version = 0`.execute(db)
  },
}
