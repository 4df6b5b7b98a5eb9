import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Words that an item lost wait in a table until a background step has looked whether another item has them. On SQLite the
 * vocabulary then needs no counts.
 */
export const vocabulary: Migration = {
  name: '014-vocabulary',
  up: async (db, fullText) => {
    await db.schema
      .createTable('search_removals')
      .addColumn('owner_id', 'text', (column) =>
        column.notNull().references('users.owner_id').onDelete('cascade'),
      )
      .addColumn('id', 'text', (column) => column.notNull())
      .addColumn('forms', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('search_removals_key', ['owner_id', 'id'])
      .execute()
    if (fullText === 'fts5') await sql`alter table search_forms drop column items`.execute(db)
  },
}
