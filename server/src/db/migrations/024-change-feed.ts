import type { Migration } from '../migration.ts'

/**
 * Up to which change of an owner something was purged that whoever follows the journal needs. 0 is right for what was purged
 * before: nobody followed it.
 */
export const changeFeed: Migration = {
  name: '024-change-feed',
  up: (db) =>
    db.schema
      .alterTable('change_counts')
      .addColumn('forgotten_seq', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute(),
}
