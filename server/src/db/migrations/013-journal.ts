import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * The journal of changes, which carries undo, trash and versions (decision 027). On SQLite the index of search keeps each
 * item's terms and stems as well, so that an item leaves the index and comes back without being analysed: it is filled
 * anew once the server runs.
 */
export const journal: Migration = {
  name: '013-journal',
  up: async (db, fullText) => {
    await createTables(db)
    if (fullText === 'tsvector') return
    for (const column of ['terms', 'stems'])
      await db.schema
        .alterTable('search_docs')
        .addColumn(column, 'text', (added) => added.notNull().defaultTo(''))
        .execute()
    await sql`update search_analyser set version = 0`.execute(db)
  },
}

async function createTables(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('change_counts')
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('last_seq', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('change_counts_key', ['owner_id'])
    .addForeignKeyConstraint('change_counts_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute()

  await db.schema
    .createTable('changes')
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('entity_id', 'text', (column) => column.notNull())
    .addColumn('revision', 'bigint')
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('session_id', 'text')
    .addColumn('operation_id', 'text')
    .addColumn('is_reverted', 'integer', (column) => column.notNull())
    .addColumn('version', 'bigint')
    .addColumn('before', 'text')
    .addColumn('body', 'text')
    .addColumn('document', 'text')
    .addPrimaryKeyConstraint('changes_key', ['owner_id', 'seq'])
    .addForeignKeyConstraint('changes_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('changes_by_entity')
    .on('changes')
    .columns(['owner_id', 'entity_id', 'seq'])
    .execute()

  await db.schema
    .createTable('operations')
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('id', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('items', 'integer', (column) => column.notNull())
    .addColumn('undone_at', 'bigint')
    .addColumn('first_seq', 'bigint', (column) => column.notNull())
    .addColumn('last_seq', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('operations_key', ['owner_id', 'id'])
    .addForeignKeyConstraint('operations_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
      key.onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('operations_by_time')
    .on('operations')
    .columns(['owner_id', 'at', 'id'])
    .execute()

  await db.schema
    .createTable('trash')
    .addColumn('owner_id', 'text', (column) => column.notNull())
    .addColumn('item_id', 'text', (column) => column.notNull())
    .addColumn('deleted_at', 'bigint', (column) => column.notNull())
    .addColumn('seq', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('trash_key', ['owner_id', 'item_id'])
    .addForeignKeyConstraint('trash_change', ['owner_id', 'seq'], 'changes', ['owner_id', 'seq'], (key) =>
      key.onDelete('cascade'),
    )
    .execute()
  await db.schema
    .createIndex('trash_by_time')
    .on('trash')
    .columns(['owner_id', 'deleted_at', 'seq'])
    .execute()
}
