import type { Db } from '../db/schema.ts'
import type { Value } from '../db/statement.ts'

export interface TrashPiece {
  owner_id: string
  limit: number
  offset: number
}

/** What is in the trash, with the changes that keep it. */
export const trashed = (db: Db, value: Value<{ owner_id: string }>) =>
  db
    .selectFrom('trash')
    .innerJoin('changes', (join) =>
      join.onRef('changes.owner_id', '=', 'trash.owner_id').onRef('changes.seq', '=', 'trash.seq'),
    )
    .where('trash.owner_id', '=', value('owner_id'))

/**
 * A piece of it, the last deleted first. The numbers of the piece come from an index alone, however deep it is: changes are
 * read only for the piece.
 */
export const newestTrashed = (db: Db, value: Value<TrashPiece>) =>
  db
    .selectFrom((piece) =>
      piece
        .selectFrom('trash')
        .select(['seq', 'deleted_at'])
        .where('owner_id', '=', value('owner_id'))
        .orderBy('deleted_at', 'desc')
        .orderBy('seq', 'desc')
        .limit(value('limit'))
        .offset(value('offset'))
        .as('trash'),
    )
    .innerJoin('changes', (join) => join.onRef('changes.seq', '=', 'trash.seq'))
    .where('changes.owner_id', '=', value('owner_id'))
    .orderBy('trash.deleted_at', 'desc')
    .orderBy('trash.seq', 'desc')
