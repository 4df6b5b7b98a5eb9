import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Password resets and the mail queue. */
export const letters: Migration = {
  name: '002-letters',
  up: async (db) => {
    await db.schema
      .createTable('password_resets')
      .addColumn('owner_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('token_hash', 'text', (column) => column.notNull())
      .addColumn('expires_at', 'bigint', (column) => column.notNull())
      .addForeignKeyConstraint('password_resets_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()

    // No foreign key: a reset may be requested for an email without an account (decision 016 says why).
    // No other index: sent mail is deleted, so the table is nearly empty.
    await db.schema
      .createTable('letters')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull().check(sql`kind in ('password-reset')`))
      .addColumn('locale', 'text', (column) => column.notNull())
      .addColumn('attempts', 'integer', (column) => column.notNull())
      .addColumn('next_attempt_at', 'bigint', (column) => column.notNull())
      .addColumn('created_at', 'bigint', (column) => column.notNull())
      .addPrimaryKeyConstraint('letters_key', ['owner_id', 'id'])
      .execute()
  },
}
