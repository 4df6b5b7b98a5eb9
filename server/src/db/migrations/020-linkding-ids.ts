import type { Migration } from '../migration.ts'

/** Whole numbers for links and tags, which clients of linkding know them by. */
export const linkdingIds: Migration = {
  name: '020-linkding-ids',
  up: async (db) => {
    await db.schema
      .createTable('linkding_ids')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('number', 'integer', (column) => column.notNull())
      .addColumn('entity_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('linkding_ids_key', ['owner_id', 'number'])
      .addUniqueConstraint('linkding_ids_entity', ['owner_id', 'entity_id'])
      .addForeignKeyConstraint('linkding_ids_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
}
