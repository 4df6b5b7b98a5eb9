import type { Migration } from '../migration.ts'

/** The index that finds the same items has all that the list of duplicates reads: it reads no item to group them. */
export const sameItems: Migration = {
  name: '019-same-items',
  up: async (db) => {
    await db.schema.dropIndex('items_identity').execute()
    await db.schema
      .createIndex('items_identity')
      .on('items')
      .columns(['owner_id', 'identity_key', 'kind', 'id'])
      .execute()
  },
}
