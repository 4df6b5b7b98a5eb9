import type { Migration } from '../migration.ts'

/** Links that download an export once. */
export const exportLinks: Migration = {
  name: '015-export-links',
  up: async (db) => {
    await db.schema
      .createTable('export_links')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('token_hash', 'text', (column) => column.notNull())
      .addColumn('session_id', 'text', (column) => column.notNull())
      .addColumn('request', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('export_links_key', ['owner_id', 'token_hash'])
      .addForeignKeyConstraint('export_links_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
}
