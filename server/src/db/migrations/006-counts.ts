import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Stored counts of items of each kind and with each tag: counting them would scan all of them. */
export const counts: Migration = {
  name: '006-counts',
  up: async (db) => {
    await db.schema
      .createTable('item_counts')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('kind', 'text', (column) => column.notNull())
      .addColumn('count', 'integer', (column) => column.notNull())
      .addPrimaryKeyConstraint('item_counts_key', ['owner_id', 'kind'])
      .addForeignKeyConstraint('item_counts_owner', ['owner_id'], 'users', ['owner_id'], (key) =>
        key.onDelete('cascade'),
      )
      .execute()
    await sql`insert into item_counts (owner_id, kind, count)
      select owner_id, kind, count(*) from items group by owner_id, kind`.execute(db)

    for (const { column, kind } of TAG_COUNTS) {
      await db.schema
        .alterTable('tags')
        .addColumn(column, 'integer', (added) => added.notNull().defaultTo(0))
        .execute()
      await sql`update tags set ${sql.ref(column)} = (
        select count(*) from item_tags
        where item_tags.owner_id = tags.owner_id and item_tags.tag_id = tags.id and item_tags.kind = ${kind}
      )`.execute(db)
    }
  },
}

const TAG_COUNTS = [
  { column: 'notes_count', kind: 'note' },
  { column: 'urllinks_count', kind: 'link' },
] as const
