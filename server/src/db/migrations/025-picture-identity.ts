import { sql } from 'kysely'
import type { Migration } from '../migration.ts'

/**
 * The sizes of pictures do not tell notes apart any more (items/identity.ts): the keys of notes with pictures are filled anew
 * when their owner next imports.
 */
export const pictureIdentity: Migration = {
  name: '025-picture-identity',
  up: async (db) => {
    await sql`update items set identity_key = null
      where kind = 'note' and (owner_id, id) in (select owner_id, item_id from file_items)`.execute(db)
  },
}
