import { type Kysely, sql } from 'kysely'
import type { FullText } from '../dialect.ts'

/**
 * The first search tables: folded words without the text itself, each prefixed with its owner's id. Migration 005 replaces
 * them.
 */
export const createSearch: Readonly<Record<FullText, (db: Kysely<never>) => Promise<void>>> = {
  async fts5(db) {
    // FTS5 identifies rows by number: search_docs maps items to numbers.
    await sql`create table search_docs (
      doc integer primary key,
      owner_id text not null,
      item_id text not null,
      unique (owner_id, item_id)
    )`.execute(db)
    await sql`create virtual table search_words using fts5 (
      title, tags, body, url,
      content = '', contentless_delete = 1,
      tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[]^_{|}~'"
    )`.execute(db)
  },

  async tsvector(db) {
    // A tsvector holds one megabyte at most: the words of a very long text are split into parts.
    await db.schema
      .createTable('search_words')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('item_id', 'text', (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('parted', 'boolean', (column) => column.notNull())
      .addColumn('heads', sql`tsvector`, (column) => column.notNull())
      .addColumn('words', sql`tsvector`, (column) => column.notNull())
      .addPrimaryKeyConstraint('search_words_key', ['owner_id', 'item_id', 'part'])
      .addForeignKeyConstraint(
        'search_words_item',
        ['owner_id', 'item_id'],
        'items',
        ['owner_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    // Every search scans the pending list of a GIN index: this keeps it short.
    await sql`create index search_words_whole on search_words using gin (words)
      with (gin_pending_list_limit = 256) where not parted`.execute(db)
    await sql`create index search_words_parted on search_words using gin (words)
      with (gin_pending_list_limit = 256) where parted`.execute(db)
  },
}
