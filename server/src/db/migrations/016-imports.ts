import type { Kysely } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Imports, with the entries of their files, and what items are the same. The keys of items that are there already are
 * filled when their owner first imports: a migration that reads every text would keep the server from starting.
 */
export const imports: Migration = {
  name: '016-imports',
  up: async (db) => {
    await db.schema.alterTable('items').addColumn('identity_key', 'text').execute()
    await db.schema.createIndex('items_identity').on('items').columns(['owner_id', 'identity_key']).execute()
    await createImports(db)
    await createRows(db)
  },
}

async function createImports(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('imports')
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('locale', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('format', 'text')
    .addColumn('error', 'text')
    .addColumn('done', 'integer', (column) => column.notNull())
    .addColumn('total', 'integer', (column) => column.notNull())
    .addColumn('summary', 'text', (column) => column.notNull())
    .addColumn('sample', 'text', (column) => column.notNull())
    .addColumn('listed_tags', 'text', (column) => column.notNull())
    .addColumn('options', 'text')
    .addColumn('session_id', 'text')
    .addColumn('started_at', 'bigint')
    .addColumn('operation_id', 'text')
    .addColumn('first_seq', 'bigint')
    .addColumn('last_seq', 'bigint')
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('added', 'integer', (column) => column.notNull())
    .addColumn('merged', 'integer', (column) => column.notNull())
    .addColumn('skipped', 'integer', (column) => column.notNull())
    .addColumn('broken', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('imports_key', ['owner_id', 'id'])
    .addForeignKeyConstraint('imports_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute()
}

async function createRows(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('import_rows')
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('import_id', 'text', (column) => column.notNull())
    .addColumn('seq', 'integer', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('kind', 'text')
    .addColumn('place', 'text', (column) => column.notNull())
    .addColumn('title', 'text', (column) => column.notNull())
    .addColumn('url', 'text')
    .addColumn('reasons', 'text', (column) => column.notNull())
    .addColumn('identity_key', 'text')
    .addColumn('item', 'text')
    .addPrimaryKeyConstraint('import_rows_key', ['owner_id', 'import_id', 'seq'])
    .addForeignKeyConstraint(
      'import_rows_import',
      ['owner_id', 'import_id'],
      'imports',
      ['owner_id', 'id'],
      (key) => key.onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('import_rows_by_state')
    .on('import_rows')
    .columns(['owner_id', 'import_id', 'state', 'seq'])
    .execute()
  await db.schema
    .createIndex('import_rows_identity')
    .on('import_rows')
    .columns(['owner_id', 'import_id', 'identity_key'])
    .execute()
}
