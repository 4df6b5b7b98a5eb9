import { type Kysely, sql } from 'kysely'
import type { FullText } from '../dialect.ts'
import type { Migration } from '../migration.ts'
import { setColumn } from '../spread-tables.ts'

/**
 * Search indexes stems and grammatical forms (decision 020). The index starts empty; the server fills it from the items
 * in the background.
 */
export const searchTokens: Migration = {
  name: '005-search-tokens',
  up: async (db, fullText) => {
    await db.schema.dropTable('search_words').execute()
    await createTokens[fullText](db)

    await db.schema
      .createTable('search_forms')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('stem', 'text', (column) => column.notNull())
      .addColumn('form', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('search_forms_key', ['owner_id', 'stem', 'form'])
      .addForeignKeyConstraint('search_forms_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .$call((table) => (fullText === 'fts5' ? table.modifyEnd(sql`without rowid`) : table))
      .execute()

    await db.schema
      .createTable('search_analyser')
      .addColumn('id', 'integer', (column) => column.notNull().primaryKey().check(sql`id = 1`))
      .addColumn('version', 'integer', (column) => column.notNull())
      .addColumn('leased_until', 'bigint', (column) => column.notNull())
      .execute()
    await sql`insert into search_analyser (id, version, leased_until) values (1, 0, 0)`.execute(db)
  },
}

/** Tables of the items' tokens. Migration 010 replaces them. */
const createTokens: Readonly<Record<FullText, (db: Kysely<never>) => Promise<void>>> = {
  async fts5(db) {
    // FTS5 identifies rows by number: search_docs maps items to numbers.
    await db.schema.dropTable('search_docs').execute()
    await sql`create table search_docs (
      doc integer primary key,
      owner_id text not null,
      item_id text not null,
      created_at bigint not null,
      unique (owner_id, item_id)
    )`.execute(db)
    await sql`create virtual table search_words using fts5 (
      words, content = '', contentless_delete = 1, detail = none,
      tokenize = "ascii tokenchars '!#$%&()*+,-./:;<=>?@[]^_{|}~'"
    )`.execute(db)
  },

  async tsvector(db) {
    // A tsvector holds one megabyte at most: the tokens of a very long text are split into parts.
    await db.schema
      .createTable('search_words')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('item_id', 'text', (column) => column.notNull())
      .addColumn('part', 'integer', (column) => column.notNull())
      .addColumn('parted', 'boolean', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
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
    // Only the index reads tokens. Stored out of line, they keep the rows short and quick to scan.
    await sql`alter table search_words set (toast_tuple_target = 128)`.execute(db)
    // Statistics over the tokens of all owners say nothing about one owner: without them the planner uses the index.
    await setColumn(db, { name: 'search_words', column: 'words', setting: 'set statistics 0' })
    // Every search scans the pending list of a GIN index: this keeps it short.
    await sql`create index search_words_whole on search_words using gin (words)
      with (gin_pending_list_limit = 256) where not parted`.execute(db)
    await sql`create index search_words_parted on search_words using gin (words)
      with (gin_pending_list_limit = 256) where parted`.execute(db)
    await db.schema
      .createIndex('search_words_in_parts')
      .on('search_words')
      .columns(['owner_id', 'item_id'])
      .where(sql<boolean>`parted and part = 0`)
      .execute()
  },
}
