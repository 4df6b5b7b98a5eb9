import { type Kysely, sql } from 'kysely'
import type { FullText } from '../dialect.ts'
import type { Migration } from '../migration.ts'

/**
 * Deleting an item removes its words from the index, and on PostgreSQL the index stores plain vectors (decision 026). The
 * index starts empty; the server fills it from the items in the background.
 */
export const searchIndex: Migration = {
  name: '010-search-index',
  up: async (db, fullText) => {
    await createIndex[fullText](db)
    await sql`update search_analyser set version = 0`.execute(db)
  },
}

interface Named {
  name: string
}

const createIndex: Readonly<Record<FullText, (db: Kysely<never>) => Promise<void>>> = {
  async fts5(db) {
    for (const table of ['search_words', 'search_docs', 'search_forms'])
      await sql`drop table ${sql.table(table)}`.execute(db)
    // FTS5 identifies rows by number (search/index-sqlite.ts) and cannot list the forms that a row holds: search_docs can.
    await sql`create table search_docs (
      doc integer primary key,
      owner_id text not null,
      item_id text not null,
      forms text not null,
      unique (owner_id, item_id)
    )`.execute(db)
    await sql`create virtual table search_words using fts5 (
      words, content = '', contentless_delete = 1, detail = none,
      tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[]^_{|}~'"
    )`.execute(db)
    await sql`create table search_forms (
      owner_id text not null references users (owner_id) on delete cascade,
      form text not null,
      stem text not null,
      items integer not null,
      primary key (owner_id, form)
    ) without rowid`.execute(db)
  },

  async tsvector(db) {
    await sql`truncate search_words`.execute(db)
    // Indexes and constraints of a partitioned table have other names.
    const { rows: indexes } = await sql<Named>`
      select pg_class.relname as name from pg_index
      join pg_class on pg_class.oid = indexrelid join pg_am on pg_am.oid = pg_class.relam
      where indrelid = 'search_words'::regclass and amname = 'gin'`.execute(db)
    for (const { name } of indexes) await sql`drop index ${sql.ref(name)}`.execute(db)
    await sql`alter table search_words drop column spelled`.execute(db)
    // Every search scans the pending list of a GIN index: this keeps it short.
    await sql`create index search_words_whole on search_words using gin (words)
      with (gin_pending_list_limit = 256) where not parted`.execute(db)
    await sql`create index search_words_parted on search_words using gin (words)
      with (gin_pending_list_limit = 256) where parted`.execute(db)
    await sql`truncate search_forms`.execute(db)
    const { rows: keys } = await sql<Named>`select conname as name from pg_constraint
      where conrelid = 'search_forms'::regclass and contype = 'p'`.execute(db)
    for (const { name } of keys)
      await sql`alter table search_forms drop constraint ${sql.ref(name)}`.execute(db)
    await sql`alter table search_forms add constraint search_forms_key primary key (owner_id, form)`.execute(
      db,
    )
  },
}
