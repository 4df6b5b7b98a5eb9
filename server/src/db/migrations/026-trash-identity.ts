import type { Migration } from '../migration.ts'

/**
 * What makes items of the trash the same: an import looks there for the deleted entries of an archive. The keys of what is there
 * already are filled when its owner next imports.
 */
export const trashIdentity: Migration = {
  name: '026-trash-identity',
  up: async (db) => {
    await db.schema.alterTable('trash').addColumn('identity_key', 'text').execute()
    // With the id: whatever the statistics say, the first item of a key is found here.
    await db.schema
      .createIndex('trash_identity')
      .on('trash')
      .columns(['owner_id', 'identity_key', 'deleted_at', 'item_id'])
      .execute()
  },
}
