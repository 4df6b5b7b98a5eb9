import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { rebuildTable } from '../rebuild-table.ts'

/**
 * A new kind of item is a value, without a change to the table: `kind` loses its check. And expired idempotency keys are found
 * without a scan of the owner's others.
 */
export const openKinds: Migration = {
  name: '009-open-kinds',
  rebuildsTables: true,
  up: async (db, fullText) => {
    if (fullText === 'tsvector') await sql`alter table items drop constraint items_kind_check`.execute(db)
    else await rebuildTable(db, 'items', (definition) => definition.replace(KIND_CHECK, ''))
    await db.schema
      .createIndex('idempotency_keys_by_time')
      .on('idempotency_keys')
      .columns(['owner_id', 'created_at'])
      .execute()
  },
}

const KIND_CHECK = / check \(kind in \('note', 'link'\)\)/
