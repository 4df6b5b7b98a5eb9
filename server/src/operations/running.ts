import { MAX_SKIPPED } from '@kopilka/contract/limits.ts'
import type { Skipped } from '@kopilka/contract/operations.ts'
import { sql } from 'kysely'
import { isOver } from '../clock.ts'
import { command } from '../db/command.ts'
import { deleteFirst } from '../db/delete-first.ts'
import type { Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { DatabaseUnavailable } from '../errors.ts'
import { enqueue, LONGEST_DELAY, reschedule, timesOf, withdrawJob } from '../jobs/queue.ts'
import {
  type Author,
  type Change,
  type NewOperation,
  recordChanges,
  recordOperation,
} from '../journal/journal.ts'

/** Items or changes that one step takes at most. On SQLite other writes wait meanwhile: large items make it fewer (steps.ts). */
export const STEP = 50
/** Bytes of their bodies that one step takes at most, unless the first item alone has more. */
export const STEP_BYTES = 250_000

/** The kind of the job that finishes an operation whose server died. */
export const FINISH_OPERATION = 'finish-operation'
/** Milliseconds after the last step of a request until a job finishes its operation: the server may have died. */
const TAKEOVER_DELAY = 60_000
/**
 * Milliseconds after the last step of a request until another request for the same takes over: the first has failed. Longer
 * than a step takes, whose statements are given up after 15 s.
 */
const FAILED_AFTER = 40_000

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

/** The items of an operation that has not begun are being collected (collect.ts). */
interface CollectTask {
  readonly type: 'collect'
}

/** Undoing an operation: its changes before `before` are still to be undone. */
export interface UndoTask {
  readonly type: 'undo'
  readonly before: number
  readonly due?: DueTag
  readonly summary?: UndoSummary
}

/** What the steps of an undo have put back and left so far: a request that takes it over responds with it as well. */
export interface UndoSummary {
  readonly restored: number
  /**
   * The first of those that were left, and how many there are, at most: of more than are named, one that two steps left is
   * counted twice.
   */
  readonly skipped: readonly Pick<Skipped, 'kind' | 'id'>[]
  readonly skipped_count: number
}

const NOTHING: UndoSummary = { restored: 0, skipped: [], skipped_count: 0 }

/** Adds to the summary, absent before the first step, what a step has put back and left. */
export function addToSummary(
  { restored, skipped, skipped_count }: UndoSummary = NOTHING,
  step: Pick<UndoSummary, 'restored' | 'skipped'>,
): UndoSummary {
  const known = new Set(skipped.map(({ id }) => id))
  const more = step.skipped.filter(({ id }) => !known.has(id) && known.add(id))
  return {
    restored: restored + step.restored,
    skipped: [...skipped, ...more.map(({ kind, id }) => ({ kind, id }))].slice(0, MAX_SKIPPED),
    skipped_count: skipped_count + more.length,
  }
}

/**
 * A tag that came back, and is still to be given to items: undos of earlier changes found it deleted and left it out of
 * them (pending-tag-undos.ts).
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
  readonly task: CollectTask | ItemsTask | MergeTask | UndoTask
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

const addJobs = statement(
  (_, value: Value<{ owner_id: string; now: number }>) => sql<never>`
    insert into jobs (owner_id, id, kind, payload, attempts, run_at, leased_until, created_at)
    select owner_id, id, ${sql.lit(FINISH_OPERATION)}, '', 0, cast(${value('now')} as bigint), 0, cast(${value('now')} as bigint)
    from operations where owner_id = ${value('owner_id')} and work is not null and not exists (
      select 1 from jobs where jobs.owner_id = ${value('owner_id')} and jobs.id = operations.id
    )
    on conflict do nothing`,
)

/** Has jobs finish what an owner has begun, or drop what was collected, where the last job of it was given up. */
export const resumeAbandoned = command(
  'operations.resume-abandoned',
  async (trx, owner: { owner_id: string; now: number }): Promise<void> => {
    await addJobs(trx, owner)
  },
)

/** Keeps the job from taking steps while a request does: only who has done all of an undo knows what it left as it is. */
export const keepJobWaiting = (trx: Trx, { owner_id, id }: OperationKey, now: number): Promise<void> =>
  reschedule(trx, { owner_id, id, run_at: now + TAKEOVER_DELAY })

/** Whether a request, or a job, is about to take the next step of an operation. */
export async function isAttended(trx: Trx, { owner_id, id }: OperationKey, now: number): Promise<boolean> {
  const [job] = await timesOf(trx, { owner_id, id })
  if (!job) return false
  const lastStep = Number(job.run_at) - TAKEOVER_DELAY
  return !isOver(Number(job.leased_until), now, LONGEST_DELAY) || Math.abs(now - lastStep) < FAILED_AFTER
}

/** What is still to be done of an operation whose row is locked. */
export const taskOf = (work: string): Work['task'] => {
  const { task }: Work = JSON.parse(work)
  return task
}

const works = statement((db, value: Value<{ owner_id: string; kind: string }>) =>
  db
    .selectFrom('jobs')
    .innerJoin('operations', (join) =>
      join.onRef('operations.owner_id', '=', 'jobs.owner_id').onRef('operations.id', '=', 'jobs.id'),
    )
    .select('operations.work')
    .where('jobs.owner_id', '=', value('owner_id'))
    .where('jobs.kind', '=', value('kind')),
)

/** What is still to be done of all operations of an owner. */
export const tasksUnderWay = async (db: Db, owner_id: string): Promise<Work['task'][]> =>
  (await works(db, { owner_id, kind: FINISH_OPERATION })).flatMap(({ work }) =>
    work === null ? [] : taskOf(work),
  )

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

/** Keeps items for later steps; those that are kept already once. */
export const enqueueItems = statement(
  (_, value: Value<OperationKey & { items: readonly { item_id: string }[] }>) =>
    sql<never>`insert into operation_items (owner_id, operation_id, item_id)
    select ${value('owner_id')}, ${value('id')}, item_id from ${value.rows('items', 'queued', ['item_id'])} where true
    on conflict do nothing`,
)

/** The first of the kept items. */
export const firstItems = statement((db, value: Value<OperationKey & { limit: number }>) =>
  db
    .selectFrom('operation_items')
    .select('item_id')
    .where('owner_id', '=', value('owner_id'))
    .where('operation_id', '=', value('id'))
    .orderBy('item_id')
    .limit(value('limit')),
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

/** Removes an operation that has changed nothing: there is nothing to undo. */
export const removeEmpty = statement((db, value: Value<OperationKey>) =>
  db
    .deleteFrom('operations')
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('items', '=', 0)
    .where('last_seq', '=', 0),
)

/** Does a task to some items. Resolves to the changes; items that are gone meanwhile are left out. */
export type ItemsStep = (author: Author, ids: readonly string[]) => Promise<Change[]>

/** The bytes of the bodies of items by their ids. */
export type Sizes = (ids: readonly string[]) => Promise<ReadonlyMap<string, number>>

export const sizesByIds = (rows: readonly { id: string; bytes: number }[]): ReadonlyMap<string, number> =>
  new Map(rows.map(({ id, bytes }) => [id, Number(bytes)]))

/** How many of the items a step takes. */
export function countFitting(ids: readonly string[], sizes: ReadonlyMap<string, number>): number {
  let bytes = 0
  const end = ids.findIndex((id, at) => {
    bytes += sizes.get(id) ?? 0
    return at > 0 && bytes > STEP_BYTES
  })
  return end < 0 ? ids.length : end
}

/** What steps do to items; `sizes`: absent where it makes no difference how large they are. */
interface ItemsWork {
  step: ItemsStep
  sizes?: Sizes | undefined
}

const fitting = async (ids: readonly string[], sizes: Sizes | undefined): Promise<readonly string[]> =>
  sizes ? ids.slice(0, countFitting(ids, await sizes(ids))) : ids

/** Items that are kept for the steps of an operation which has not begun: how many. */
export interface Collected {
  readonly collected: number
}

const setBegun = statement((db, value: Value<OperationKey & { at: number }>) =>
  db
    .updateTable('operations')
    .set({ at: value('at') })
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

/** The error of an operation whose items took so long to collect that a job has dropped them. */
export const collectedTooLong = (): Error => new DatabaseUnavailable('The items were dropped meanwhile.')

/** Does the first step of an operation on items, which is all of it where there are few. */
export async function beginItems(
  trx: Trx,
  operation: NewOperation,
  { items: selected, task, ...work }: ItemsWork & { items: readonly string[] | Collected; task: ItemsTask },
): Promise<Progress> {
  const { owner_id, id, session_id, now } = operation
  if ('collected' in selected) {
    const { running } = await lockRunning(trx, { owner_id, id })
    if (running?.task.type !== 'collect') throw collectedTooLong()
    await setBegun(trx, { owner_id, id, at: now })
    const begun = { ...running, now, total: selected.collected, task }
    return continueItems(trx, begun, { ...work, limit: STEP })
  }
  const [ids, { step, sizes }] = [selected, work]
  const total = ids.length
  const first = await fitting(ids.slice(0, STEP), sizes)
  const done = first.length
  const changes = await step(operation, first)
  const changed = changes.length
  const isDone = done === total
  await recordOperation(trx, operation, changes, { evenEmpty: !isDone })
  if (isDone) return { isDone, changed }
  const items = ids.slice(done).map((item_id) => ({ item_id }))
  await enqueueItems(trx, { owner_id, id, items })
  await beginWork(trx, { owner_id, id }, { session_id, now, done, total, task })
  return { isDone, changed }
}

/** Items that are dropped in the time of a step for each that it would take. */
const DROPPED_AT_ONCE = 20

/** Drops some of the items that were collected for an operation which has not begun, and the operation with the last of them. */
export async function dropCollected(
  trx: Trx,
  { owner_id, id }: OperationKey,
  most: number,
): Promise<Progress> {
  const limit = most * DROPPED_AT_ONCE
  const isDone = (await dequeueItems(trx, { owner_id, id, limit })).length < limit
  if (isDone) {
    await endWork(trx, { owner_id, id })
    await removeEmpty(trx, { owner_id, id })
  }
  return { isDone, changed: 0 }
}

/** Does the next step of an operation on items. */
export async function continueItems(
  trx: Trx,
  running: Running & { task: ItemsTask },
  { step, sizes, limit }: ItemsWork & { limit: number },
): Promise<Progress> {
  const { owner_id, id, session_id, now, task } = running
  const key = { owner_id, id }
  const next = (await firstItems(trx, { ...key, limit })).map(({ item_id }) => item_id)
  const ids = await fitting(next, sizes)
  await dequeueItems(trx, { ...key, limit: ids.length })
  const changes = await step({ owner_id, session_id, now }, ids.toSorted())
  await addStep(trx, running, changes)
  const isDone = ids.length === next.length && next.length < limit
  if (isDone) {
    await endWork(trx, key)
    await removeEmpty(trx, key)
  } else await continueWork(trx, running, { done: running.done + ids.length, task })
  return { isDone, changed: running.changed + changes.length }
}
