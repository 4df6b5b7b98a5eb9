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
      .orderBy('id', 'desc')
      .limit(value('limit'))
      .offset(value('offset')),
)

const counted = statement((db, value: Value<{ owner_id: string; since: number }>) =>
  db
    .selectFrom('operations')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', value('owner_id'))
    .where('at', '>', value('since')),
)

const iso = (time: number): string => new Date(time).toISOString()

/** The operations that can be undone, or were, the newest first. */
export async function listOperations(
  db: Db,
  { now, ...piece }: { owner_id: string; now: number; limit: number; offset: number },
): Promise<{ count: number; results: Operation[] }> {
  const asked = { ...piece, since: now - UNDOABLE_FOR }
  const [[total], rows] = await Promise.all([counted(db, asked), newest(db, asked)])
  const results = rows.map(({ at, undone_at, work, ...row }) => ({
    ...row,
    at: iso(at),
    undone_at: undone_at === null || work !== null ? null : iso(undone_at),
    ...(work !== null && { progress: progressOf(work) }),
  }))
  return { count: total?.count ?? 0, results }
}
