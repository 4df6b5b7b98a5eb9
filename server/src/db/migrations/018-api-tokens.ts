import type { Migration } from '../migration.ts'

/** Personal API tokens. */
export const apiTokens: Migration = {
  name: '018-api-tokens',
  up: async (db) => {
    await db.schema
      .createTable('api_tokens')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('name', 'text', (column) => column.notNull())
      .addColumn('scope', 'text', (column) => column.notNull())
      .addColumn('secret_hash', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addColumn('expires_at', 'bigint')
      .addColumn('last_used_at', 'bigint')
      .addColumn('last_used_from', 'text')
      .addPrimaryKeyConstraint('api_tokens_key', ['owner_id', 'id'])
      .addForeignKeyConstraint('api_tokens_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
}
