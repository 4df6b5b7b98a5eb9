import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * Pages that are kept twice or more, by the key that their links share (items/identity.ts), and how many pages that are: to
 * group all links takes a second where there are a million. Filled here from the index of these keys alone.
 */
export const duplicates: Migration = {
  name: '022-duplicates',
  up: async (db) => {
    await db.schema
      .createTable('duplicates')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('identity_key', 'text', (column) => column.notNull())
      .addColumn('copies', 'integer', (column) => column.notNull())
      .addColumn('newest_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('duplicates_key', ['owner_id', 'identity_key'])
      .addForeignKeyConstraint('duplicates_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await sql`insert into duplicates (owner_id, identity_key, copies, newest_id)
      select owner_id, identity_key, count(*), max(id) from items
      where kind = 'link' and identity_key is not null
      group by owner_id, identity_key having count(*) > 1`.execute(db)
    await db.schema
      .createIndex('duplicates_newest')
      .on('duplicates')
      .columns(['owner_id', 'newest_id'])
      .execute()
    await db.schema
      .alterTable('usage')
      .addColumn('duplicates', 'integer', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update usage set duplicates =
      (select count(*) from duplicates where duplicates.owner_id = usage.owner_id)`.execute(db)
  },
}
