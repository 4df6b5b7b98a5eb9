import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { setColumn } from '../spread-tables.ts'

/**
 * On PostgreSQL rows hold their index terms encoded in a few bytes, and only the index holds the vectors (decision 020).
 * The index starts empty; the server fills it from the items in the background. Migration 010 replaces this.
 */
export const searchSpelled: Migration = {
  name: '007-search-spelled',
  up: async (db, fullText) => {
    if (fullText !== 'tsvector') return
    await sql`truncate search_words`.execute(db)
    // One statement each: Citus drops one index at a time.
    for (const index of ['search_words_whole', 'search_words_parted'])
      await sql`drop index ${sql.ref(index)}`.execute(db)
    await sql`alter table search_words add column spelled bytea`.execute(db)
    // Long texts keep their vectors: computing these again takes long.
    await sql`alter table search_words alter column words drop not null`.execute(db)
    // Uses built-in functions only, so nothing is missing after a restore or on a partition.
    const vector = sql`coalesce(words, array_to_tsvector(string_to_array(right(owner_id, 4) ||
      replace(replace(encode(spelled, 'base64'), E'\\n', ''), '+', '+' || right(owner_id, 4)), '+')))`
    // Every search scans the pending list of a GIN index: this keeps it short.
    await sql`create index search_words_whole on search_words using gin ((${vector}))
      with (gin_pending_list_limit = 256) where not parted`.execute(db)
    await sql`create index search_words_parted on search_words using gin ((${vector}))
      with (gin_pending_list_limit = 256) where parted`.execute(db)
    // Statistics over the terms of all owners say nothing about one owner: without them the planner uses the index.
    for (const name of ['search_words_whole', 'search_words_parted'])
      await setColumn(db, { kind: 'index', name, column: '1', setting: 'set statistics 0' })
    // Owners differ too much for an average: most have few items, one may have a hundred thousand. With a small number of
    // owners assumed, PostgreSQL does not scan the rows of one owner instead of using the index.
    await setColumn(db, { name: 'search_words', column: 'owner_id', setting: 'set (n_distinct = 10)' })
    await sql`update search_analyser set version = 0`.execute(db)
  },
}
