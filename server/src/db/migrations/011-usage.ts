import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** What each owner stores, for the quotas: kept, because to count it is to go through all of it. */
export const usage: Migration = {
  name: '011-usage',
  up: async (db) => {
    await db.schema
      .createTable('usage')
      .addColumn('owner_id', 'text', (column) => column.notNull().primaryKey())
      .addColumn('items', 'integer', (column) => column.notNull())
      .addColumn('tags', 'integer', (column) => column.notNull())
      .addColumn('text_bytes', 'bigint', (column) => column.notNull())
      .addForeignKeyConstraint('usage_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await sql`insert into usage (owner_id, items, tags, text_bytes)
      select owner_id, sum(items), sum(tags), sum(text_bytes) from (
        select owner_id, count(*) as items, 0 as tags,
          sum(octet_length(title) + coalesce(octet_length(url), 0) + octet_length(body)) as text_bytes
        from items group by owner_id
        union all select owner_id, 0, count(*), 0 from tags group by owner_id
      ) as stored group by owner_id`.execute(db)
  },
}
