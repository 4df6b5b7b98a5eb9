import { sql } from 'kysely'
import type { Migration } from '../migration.ts'
import { rebuildTable } from '../rebuild-table.ts'

/**
 * Drops the check on `kind`, so that a new kind of item needs no change to the table. Adds an index that finds expired
 * idempotency keys.
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
