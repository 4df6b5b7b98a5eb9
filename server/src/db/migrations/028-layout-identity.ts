import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * How the HTML of notes is laid out does not tell them apart any more (items/identity.ts): their keys are filled anew when their
 * owner next imports. Of the trash, which does not say what is a note, all keys are.
 */
export const layoutIdentity: Migration = {
  name: '028-layout-identity',
  up: async (db) => {
    await sql`update items set identity_key = null where kind = 'note'`.execute(db)
    await sql`update trash set identity_key = null`.execute(db)
  },
}
