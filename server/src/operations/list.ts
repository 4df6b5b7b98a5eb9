import type { Operation } from '@kopilka/contract/operations.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { progressOf } from './running.ts'
import { UNDOABLE_FOR } from './undo.ts'

const newest = statement(
  (db, value: Value<{ owner_id: string; since: number; limit: number; offset: number }>) =>
    db
      .selectFrom('operations')
      .select(['id', 'action', 'at', 'items', 'undone_at', 'work'])
      .where('owner_id', '=', value('owner_id'))
      .where('at', '>', value('since'))
      .orderBy('at', 'desc')
      // Of one millisecond the ids are in no order.
      .orderBy('last_seq', 'desc')
      .orderBy('id', 'desc')
      .limit(value('limit'))
      .offset(value('offset')),
)

/** How many there are, or `most`. */
const counted = statement((db, value: Value<{ owner_id: string; since: number; most: number }>) =>
  db
    .selectFrom((some) =>
      some
        .selectFrom('operations')
        .select('id')
        .where('owner_id', '=', value('owner_id'))
        .where('at', '>', value('since'))
        .limit(value('most'))
        .as('some'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count')),
)

export interface OperationsPiece {
  owner_id: string
  now: number
  limit: number
  offset: number
}

export interface OperationsPage {
  count: number
  results: Operation[]
}

const iso = (time: number): string => new Date(time).toISOString()

/**
 * The operations that can be undone, or were, the newest first. Counts them all, and passes over what comes before the piece: of
 * more than `few` resolves to undefined, because that is for a worker thread.
 */
export async function listOperations(
  db: Db,
  { now, ...piece }: OperationsPiece,
  few: number,
): Promise<OperationsPage | undefined> {
  const asked = { ...piece, since: now - UNDOABLE_FOR }
  const [{ count } = { count: 0 }] = await counted(db, { ...asked, most: few + 1 })
  if (count > few) return undefined
  const rows = piece.offset < count ? await newest(db, asked) : []
  const results = rows.map(({ at, undone_at, work, ...row }) => ({
    ...row,
    at: iso(at),
    undone_at: undone_at === null || work !== null ? null : iso(undone_at),
    ...(work !== null && { progress: progressOf(work) }),
  }))
  return { count, results }
}
