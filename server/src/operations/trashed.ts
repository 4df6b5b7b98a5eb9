import { sql } from 'kysely'
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

/** The last deleted first, from an index alone. */
const newest = (db: Db, value: Value<{ owner_id: string; limit: number }>) =>
  db
    .selectFrom('trash')
    .select(['seq', 'deleted_at'])
    .where('owner_id', '=', value('owner_id'))
    .orderBy('deleted_at', 'desc')
    .orderBy('seq', 'desc')
    .limit(value('limit'))

/** The same with the changes that keep them: only those of the piece are read. */
const withChanges = (db: Db, value: Value<{ owner_id: string }>, piece: ReturnType<typeof newest>) =>
  db
    .selectFrom(piece.as('trash'))
    .innerJoin('changes', (join) => join.onRef('changes.seq', '=', 'trash.seq'))
    .where('changes.owner_id', '=', value('owner_id'))
    .orderBy('trash.deleted_at', 'desc')
    .orderBy('trash.seq', 'desc')

/** A piece of it, the last deleted first, however deep it is. */
export const newestTrashed = (db: Db, value: Value<TrashPiece>) =>
  withChanges(db, value, newest(db, value).offset(value('offset')))

/** Where a piece of the trash ends. */
export interface TrashPlace {
  readonly deleted_at: number
  readonly seq: number
}

/** Before all that is in the trash. */
export const TRASH_START: TrashPlace = { deleted_at: Number.MAX_SAFE_INTEGER, seq: Number.MAX_SAFE_INTEGER }

/** The piece that follows a place: passes over nothing. */
export const trashedAfter = (db: Db, value: Value<TrashPlace & { owner_id: string; limit: number }>) =>
  withChanges(
    db,
    value,
    newest(db, value).where(sql<boolean>`(deleted_at, seq) < (${value('deleted_at')}, ${value('seq')})`),
  )
