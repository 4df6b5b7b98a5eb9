import type { Migration } from '../migration.ts'

/** Operations on many items go on in steps: what is left of one, and the items that it has not come to. */
export const operationSteps: Migration = {
  name: '017-operation-steps',
  up: async (db) => {
    await db.schema.alterTable('operations').addColumn('work', 'text').execute()
    await db.schema
      .createTable('operation_items')
      .addColumn('owner_id', 'text', (column) => column.notNull())
      .addColumn('operation_id', 'text', (column) => column.notNull())
      .addColumn('item_id', 'text', (column) => column.notNull())
      .addPrimaryKeyConstraint('operation_items_key', ['owner_id', 'operation_id', 'item_id'])
      .addForeignKeyConstraint(
        'operation_items_operation',
        ['owner_id', 'operation_id'],
        'operations',
        ['owner_id', 'id'],
        (key) => key.onDelete('cascade'),
      )
      .execute()
  },
}
