import type { Migration } from '../migration.ts'

/** Counters of rate limits, and known devices. */
export const limits: Migration = {
  name: '003-limits',
  up: async (db) => {
    await db.schema
      .createTable('limit_counts')
      .addColumn('subject', 'text', (column) => column.notNull().primaryKey())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addColumn('ends_at', 'bigint', (column) => column.notNull())
      .execute()
    await db.schema.createIndex('limit_counts_over').on('limit_counts').column('ends_at').execute()

    await db.schema
      .createTable('browsers')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('secret_hash', 'text', (column) => column.notNull())
      .addColumn('signed_in_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('browsers_key', ['owner_id', 'secret_hash'])
      .addForeignKeyConstraint('browsers_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
  },
}
