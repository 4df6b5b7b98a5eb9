import { command } from '../db/command.ts'
import { countIds, type IdPieces, idsInPiece } from '../items/id-pieces.ts'
import { type NewOperation, recordWholeOperation } from '../journal/journal.ts'
import type { TagChanges } from '../tags/item-tags.ts'
import { checkTagCounts, type Selected } from './bulk.ts'
import {
  beginWork,
  collectedTooLong,
  enqueueItems,
  keepJobWaiting,
  lockRunning,
  type Progress,
  STEP,
} from './running.ts'
import { type StepWriter, stepOperation } from './steps.ts'

/** Pieces of ids that are collected at once: a thousand items, in some milliseconds of SQLite's writer. */
const AT_ONCE = 10

interface Collecting {
  operation: NewOperation
  found: IdPieces
  isFirst: boolean
  /** The tags that the operation changes. */
  tags: TagChanges | undefined
  now: number
}

/** The time of an operation that has not begun: it is not listed, and cannot be undone. */
const NEVER = 0

/**
 * Keeps items for the steps of an operation before it begins. A job drops them where nobody begins it. Throws 'formInvalid'
 * where one of them would have too many tags.
 */
export const collectItems = command(
  'operations.collect',
  async (trx, { operation, found, isFirst, tags, now }: Collecting): Promise<void> => {
    const { owner_id, id, action, session_id } = operation
    const key = { owner_id, id }
    const ids = found.flatMap(idsInPiece)
    if (tags) await checkTagCounts(trx, owner_id, ids, tags)
    if (isFirst) {
      await recordWholeOperation(trx, { ...key, action, at: NEVER, items: 0, first_seq: 0, last_seq: 0 })
      await beginWork(trx, key, { session_id, now, done: 0, total: 0, task: { type: 'collect' } })
    } else {
      const { running } = await lockRunning(trx, key)
      if (running?.task.type !== 'collect') throw collectedTooLong()
      await keepJobWaiting(trx, key, now)
    }
    await enqueueItems(trx, { ...key, items: ids.map((item_id) => ({ item_id })) })
  },
)

interface Wanted {
  found: IdPieces
  tags?: TagChanges | undefined
  /** Ends the collecting: nothing has begun by then. */
  signal: AbortSignal
}

/** Drops what was collected; or finishes the operation, where it has begun although the database reported an error. */
async function dropAll(db: StepWriter, { owner_id, id }: NewOperation): Promise<void> {
  while (!(await db.write(stepOperation, { owner_id, id, limit: STEP })).isDone);
}

/**
 * Begins an operation on items that were found: in its first step alone, or where that does not take all of them once the others
 * are kept for later ones. No step takes longer the more they are.
 */
export async function beginFound(
  db: StepWriter,
  operation: NewOperation,
  { found, tags, signal }: Wanted,
  begin: (selected: Exclude<Selected, { ids: readonly string[] }>) => Promise<Progress>,
): Promise<Progress> {
  const collected = countIds(found)
  if (collected <= STEP) return begin({ found })
  try {
    for (let at = 0; at < found.length; at += AT_ONCE) {
      signal.throwIfAborted()
      const piece = { operation, found: found.slice(at, at + AT_ONCE), isFirst: at === 0, tags }
      await db.writeAt(collectItems, (now) => ({ ...piece, now }))
    }
    return await begin({ collected })
  } catch (error) {
    await dropAll(db, operation).catch(() => {})
    throw error
  }
}
