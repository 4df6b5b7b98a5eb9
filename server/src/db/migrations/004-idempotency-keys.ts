import type { Migration } from '../migration.ts'

/** Idempotency keys and the items that their requests created. */
export const idempotencyKeys: Migration = {
  name: '004-idempotency-keys',
  up: async (db) => {
    await db.schema
      .createTable('idempotency_keys')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('key_hash', 'text', (column) => column.notNull())
      .addColumn('request_hash', 'text', (column) => column.notNull())
      .addColumn('item_id', 'text', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('idempotency_keys_key', ['owner_id', 'key_hash'])
      .addForeignKeyConstraint('idempotency_keys_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
}
