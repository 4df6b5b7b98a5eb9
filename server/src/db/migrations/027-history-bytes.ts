import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * How many bytes the changes of an owner keep, so that they can be limited. The versions of an item are found among any number
 * of its changes, and what is in the trash by the changes that are removed: a foreign key looks there for each.
 */
export const historyBytes: Migration = {
  name: '027-history-bytes',
  up: async (db) => {
    await db.schema
      .alterTable('change_counts')
      .addColumn('kept_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute()
    await sql`update change_counts set kept_bytes = (
      select coalesce(sum(coalesce(octet_length("before"), 0) + coalesce(octet_length(body), 0)
        + coalesce(octet_length(document), 0)), 0)
      from changes where changes.owner_id = change_counts.owner_id
    )`.execute(db)
    await db.schema
      .createIndex('changes_versions')
      .on('changes')
      .columns(['owner_id', 'entity_id', 'seq'])
      .where(sql<boolean>`version is not null`)
      .execute()
    await db.schema.createIndex('trash_by_change').on('trash').columns(['owner_id', 'seq']).execute()
  },
}
