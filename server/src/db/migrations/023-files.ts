import type { Migration } from '../migration.ts'
import { setColumn } from '../spread-tables.ts'

/**
 * Pictures: their bytes in chunks, and the items that have named them. PostgreSQL does not try to compress the chunks, which
 * are compressed already.
 */
export const files: Migration = {
  name: '023-files',
  up: async (db, fullText) => {
    await db.schema
      .alterTable('usage')
      .addColumn('file_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await db.schema
      .createTable('files')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('type', 'text', (column) => column.notNull())
      .addColumn('width', 'integer', (column) => column.notNull())
      .addColumn('height', 'integer', (column) => column.notNull())
      .addColumn('bytes', 'bigint', (column) => column.notNull())
      .addColumn('is_complete', 'integer', (column) => column.notNull())
      .addColumn('begun_at', 'bigint', (column) => column.notNull())
      .addColumn('unused_since', 'bigint')
      .addPrimaryKeyConstraint('files_key', ['owner_id', 'id'])
      .addForeignKeyConstraint('files_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await db.schema
      .createTable('file_chunks')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('file_id', 'text', (column) => column.notNull())
      .addColumn('seq', 'integer', (column) => column.notNull())
      .addColumn('bytes', fullText === 'fts5' ? 'blob' : 'bytea', (column) => column.notNull())
      .addPrimaryKeyConstraint('file_chunks_key', ['owner_id', 'file_id', 'seq'])
      .addForeignKeyConstraint(
        'file_chunks_file',
        ['owner_id', 'file_id'],
        'files',
        ['owner_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
    if (fullText === 'tsvector')
      await setColumn(db, { name: 'file_chunks', column: 'bytes', setting: 'set storage external' })
    await db.schema
      .createTable('file_items')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('file_id', 'text', (column) => column.notNull())
      .addColumn('item_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('file_items_key', ['owner_id', 'file_id', 'item_id'])
      .addForeignKeyConstraint('file_items_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    // All of the key: without statistics SQLite reads a whole owner's rows from the primary key sooner than rows by this index.
    await db.schema
      .createIndex('file_items_item')
      .on('file_items')
      .columns(['owner_id', 'item_id', 'file_id'])
      .execute()
  },
}
