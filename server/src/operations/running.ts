import { sql } from 'kysely'
import { deleteFirst } from '../db/delete-first.ts'
import type { Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { enqueue, reschedule, withdrawJob } from '../jobs/queue.ts'
import {
  type Author,
  type Change,
  type NewOperation,
  recordChanges,
  recordOperation,
} from '../journal/journal.ts'

/** Items or changes that one step takes at most. On SQLite other writes wait meanwhile: large items make it fewer (steps.ts). */
export const STEP = 50

/** The kind of the job that finishes an operation whose server died. */
export const FINISH_OPERATION = 'finish-operation'
/** Milliseconds after the last step of a request until a job finishes its operation: the server may have died. */
const TAKEOVER_DELAY = 60_000

/** What an operation does to items, in JSON. Tags stand by their ids, which renaming does not change. */
export type ItemsTask =
  | { readonly type: 'delete' }
  | { readonly type: 'restore' }
  | {
      readonly type: 'change'
      readonly add: readonly string[]
      readonly remove: readonly string[]
      /** Those of `add` that did not exist before. */
      readonly created: readonly string[]
      /** 1: pin; 0: unpin; null: leave. */
      readonly pinned: number | null
    }

/** Gives the items of a tag another one in its place, or none, and deletes the tag. */
export interface MergeTask {
  readonly type: 'merge'
  readonly id: string
  readonly into: string | null
}

/** Undoing an operation: its changes before `before` are still to be undone. */
export interface UndoTask {
  readonly type: 'undo'
  readonly before: number
  readonly due?: DueTag
}

/**
 * A tag that came back, and is still to be given to items: undos of earlier changes found it deleted and left it out of
 * them (left-tags.ts).
 */
export interface DueTag {
  /** The id of the tag that came back, or of the one that has its name. */
  readonly id: string
  /** The id of the deleted tag, and the number of the change that deleted it. */
  readonly deleted: string
  readonly seq: number
  /** What undos left on the tag up to this change is known: the items wait in `operation_items`. */
  readonly known: number
}

/** What is still to be done of an operation. */
interface Work {
  readonly session_id: string | null
  /** When it began: the time of all its changes. */
  readonly now: number
  /** Items or changes that were gone through, of how many. */
  readonly done: number
  readonly total: number
  readonly task: ItemsTask | MergeTask | UndoTask
}

export interface OperationKey {
  owner_id: string
  id: string
}

/** How far an operation has come. `changed`: items that it has changed. */
export interface Progress {
  readonly isDone: boolean
  readonly changed: number
}

export function progressOf(work: string): { done: number; total: number } {
  const { done, total }: Work = JSON.parse(work)
  return { done, total }
}

const lock = statement((db, value: Value<OperationKey>) =>
  db
    .selectFrom('operations')
    .select(['first_seq', 'items', 'work'])
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .forUpdate(),
)

/** An operation of which something is still to be done; its row is locked. */
export interface Running extends OperationKey, Work {
  readonly first_seq: number
  readonly changed: number
}

/** Locks an operation for its next step. Undefined where nothing is left to do; `changed` then holds as well. */
export async function lockRunning(
  trx: Trx,
  key: OperationKey,
): Promise<{ changed: number; running?: Running }> {
  const [row] = await lock(trx, key)
  const changed = row?.items ?? 0
  if (!row || row.work === null) return { changed }
  const work: Work = JSON.parse(row.work)
  return { changed, running: { ...key, ...work, changed, first_seq: Number(row.first_seq) } }
}

const keep = statement((db, value: Value<OperationKey & { work: string | null }>) =>
  db
    .updateTable('operations')
    .set({ work: value('work') })
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

/** Begins to do the rest in steps, and makes sure that it is done if this server dies. */
export async function beginWork(trx: Trx, key: OperationKey, work: Work): Promise<void> {
  await keep(trx, { ...key, work: JSON.stringify(work) })
  const { owner_id, id } = key
  const run_at = work.now + TAKEOVER_DELAY
  await enqueue(trx, { owner_id, id, kind: FINISH_OPERATION, payload: '', now: work.now, run_at })
}

/** Keeps the job from taking steps while a request does: only who has done all of an undo knows what it left as it is. */
export const keepJobWaiting = (trx: Trx, { owner_id, id }: OperationKey, now: number): Promise<void> =>
  reschedule(trx, { owner_id, id, run_at: now + TAKEOVER_DELAY })

/** Keeps what is left after a step. */
export async function continueWork(
  trx: Trx,
  { owner_id, id, session_id, now, total }: Running,
  { done, task }: Pick<Work, 'done' | 'task'>,
): Promise<void> {
  const work: Work = { session_id, now, done, total, task }
  await keep(trx, { owner_id, id, work: JSON.stringify(work) })
}

/** Nothing is left to do. */
export async function endWork(trx: Trx, { owner_id, id }: OperationKey): Promise<void> {
  await keep(trx, { owner_id, id, work: null })
  await withdrawJob(trx, { owner_id, id })
}

/** Keeps items for later steps. */
export const enqueueItems = statement(
  (_, value: Value<OperationKey & { items: readonly { item_id: string }[] }>) =>
    sql<never>`insert into operation_items (owner_id, operation_id, item_id)
    select ${value('owner_id')}, ${value('id')}, item_id from ${value.rows('items', 'queued', ['item_id'])}`,
)

/** Takes the first of the kept items. */
export const dequeueItems = deleteFirst<OperationKey & { limit: number }>({
  ...{ table: 'operation_items', key: 'item_id', order: 'item_id' },
  where: (value) => sql`operation_id = ${value('id')}`,
})

const addChanges = statement(
  (db, value: Value<OperationKey & { items: number; first: number; last: number }>) =>
    db
      .updateTable('operations')
      .set(({ eb, ref }) => ({
        items: eb('items', '+', value('items')),
        first_seq: sql`case when ${ref('last_seq')} = 0 then ${value('first')} else ${ref('first_seq')} end`,
        last_seq: value('last'),
      }))
      .where('owner_id', '=', value('owner_id'))
      .where('id', '=', value('id')),
)

/** Records the changes of a step. `items`: how many items or tags it changed, where that is not one for each change. */
export async function addStep(
  trx: Trx,
  { owner_id, id, session_id, now }: Author & OperationKey,
  changes: readonly Change[],
  items = changes.length,
): Promise<void> {
  if (changes.length === 0) return
  const { first, last } = await recordChanges(trx, { owner_id, session_id, now }, changes, {
    operation_id: id,
  })
  await addChanges(trx, { owner_id, id, items, first, last })
}

const removeEmpty = statement((db, value: Value<OperationKey>) =>
  db
    .deleteFrom('operations')
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('items', '=', 0),
)

/** Does a task to some items. Resolves to the changes; items that are gone meanwhile are left out. */
export type ItemsStep = (author: Author, ids: readonly string[]) => Promise<Change[]>

/** Does the first step of an operation on items, which is all of it where there are few. */
export async function beginItems(
  trx: Trx,
  operation: NewOperation,
  { ids, task, step }: { ids: readonly string[]; task: ItemsTask; step: ItemsStep },
): Promise<Progress> {
  const { owner_id, id, session_id, now } = operation
  const total = ids.length
  const changes = await step(operation, ids.slice(0, STEP))
  const changed = changes.length
  const isDone = total <= STEP
  await recordOperation(trx, operation, changes, { evenEmpty: !isDone })
  if (isDone) return { isDone, changed }
  const items = ids.slice(STEP).map((item_id) => ({ item_id }))
  await enqueueItems(trx, { owner_id, id, items })
  await beginWork(trx, { owner_id, id }, { session_id, now, done: STEP, total, task })
  return { isDone, changed }
}

/** Does the next step of an operation on items. */
export async function continueItems(
  trx: Trx,
  running: Running & { task: ItemsTask },
  { step, limit }: { step: ItemsStep; limit: number },
): Promise<Progress> {
  const { owner_id, id, session_id, now, task } = running
  const key = { owner_id, id }
  const ids = (await dequeueItems(trx, { ...key, limit })).map(({ key }) => key)
  const changes = await step({ owner_id, session_id, now }, ids.sort())
  await addStep(trx, running, changes)
  const isDone = ids.length < limit
  if (isDone) {
    await endWork(trx, key)
    await removeEmpty(trx, key)
  } else await continueWork(trx, running, { done: running.done + ids.length, task })
  return { isDone, changed: running.changed + changes.length }
}
