import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_SKIPPED } from '@kopilka/contract/limits.ts'
import type { Skipped } from '@kopilka/contract/operations.ts'
import type { Tag } from '@kopilka/contract/tags.ts'
import type { Clock } from '../clock.ts'
import { type Command, command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { jobsOf } from '../jobs/queue.ts'
import type { JobHandler } from '../jobs/worker.ts'
import type { Author, Change, NewOperation } from '../journal/journal.ts'
import { findTag } from '../tags/store.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import { changeSome, deleteSome, sizesFor } from './bulk.ts'
import { ATTEMPTS, BETWEEN_STEPS } from './maintenance.ts'
import { continueMerge, deleteTag, mergeTags } from './merge-tags.ts'
import { sizeOfUndo } from './restore-size.ts'
import {
  continueItems,
  dropCollected,
  FINISH_OPERATION,
  type ItemsTask,
  keepJobWaiting,
  lockRunning,
  type OperationKey,
  type Progress,
  type Running,
  STEP,
} from './running.ts'
import { restoreSome, trashedSizes } from './trash.ts'
import { beginUndo, continueUndo, type UndoBegun, type Undone } from './undo.ts'

function doSome(trx: Trx, author: Author, ids: readonly string[], task: ItemsTask): Promise<Change[]> {
  if (task.type === 'delete') return deleteSome(trx, author, ids)
  if (task.type === 'restore') return restoreSome(trx, author, ids)
  return changeSome(trx, author, ids, task)
}

/** What a step of an operation, or of its undo, did. */
type Step = Progress & Undone

interface NextStep extends OperationKey {
  limit: number
  /** Whether it is to be a step of the undo, or of the operation itself; absent: of whichever is under way. */
  isUndo?: boolean | undefined
  /** The time where a request does the step; absent: a job does, or a server that starts. */
  now?: number | undefined
}

/** Does the next step of an operation that goes on in steps, of `limit` items. Any server may, also several at once. */
export const stepOperation = command(
  'operations.step',
  async (trx, { limit, now, isUndo, ...key }: NextStep): Promise<Step & { took: number }> => {
    const start = performance.now()
    const { changed, running } = await lockRunning(trx, key)
    const nothing: Step = { isDone: true, changed, restored: 0, skipped: [] }
    const type = running?.task.type
    // What is collected has not begun: only a job drops it, or the request that collects it.
    const isWanted = isUndo === undefined || (type !== 'collect' && isUndo === (type === 'undo'))
    const step = running && isWanted ? { ...nothing, ...(await doStep(trx, running, limit)) } : nothing
    if (now !== undefined && !step.isDone) await keepJobWaiting(trx, key, now)
    return { ...step, took: performance.now() - start }
  },
)

/** Runs steps: the database itself, or a {@link StepWriter}. */
type Steps = Pick<Database, 'write'>

/** The same for a request, which keeps the job waiting for as long as it takes steps. */
export interface StepWriter extends Steps {
  readonly clock: Clock
  /** Writes with the time at which it has its turn, for which it may wait long. */
  writeAt<Args, Result, Prepared>(
    command: Command<Args, Result, Prepared>,
    argsAt: (now: number) => Args,
  ): Promise<Result>
  /** For reads. */
  readonly db: Db
}

/** One step at a time, round-robin between owners: on SQLite whoever saves meanwhile waits for one step, however many operations run. */
const STEPS = { total: 1, perOwner: 1 }

/** Returns the {@link StepWriter} of an owner. */
export type StepWriters = (owner_id: string) => StepWriter

/** One for all operations of a server, those that jobs finish among them. */
export function createStepWriters(db: Database, clock: Clock): StepWriters {
  const steps = createConcurrencyLimit(STEPS)
  return (owner_id) => ({
    clock,
    db,
    write: (command, args) => steps.run(owner_id, () => db.write(command, args)),
    writeAt: (command, argsAt) => steps.run(owner_id, () => db.write(command, argsAt(clock()))),
  })
}

function doStep(trx: Trx, running: Running, limit: number): Promise<Progress | Undone> {
  const { task } = running
  if (task.type === 'collect') return dropCollected(trx, running, limit)
  if (task.type === 'undo') return continueUndo(trx, { ...running, task }, limit)
  if (task.type === 'merge') return continueMerge(trx, { ...running, task }, limit)
  const step = (author: Author, ids: readonly string[]) => doSome(trx, author, ids, task)
  const { owner_id } = running
  const sizes = task.type === 'restore' ? trashedSizes(trx, owner_id) : sizesFor(trx, owner_id, task)
  return continueItems(trx, { ...running, task }, { step, sizes, limit })
}

/** Milliseconds that a step should take: on SQLite other writes wait meanwhile. */
const STEP_TIME = 60
/** The least items of a step, however large they are. */
const LEAST = 5

/**
 * Does what is left of an operation, or of its undo, in steps that hold nobody up: those of large items are of few. `isAlone`:
 * there is nobody yet.
 */
async function* stepsOf(
  doNext: (limit: number) => Promise<Step & { took: number }>,
  isAlone = false,
): AsyncGenerator<Step> {
  for (let limit = STEP; ; ) {
    const { took, ...step } = await doNext(limit)
    yield step
    if (step.isDone) return
    if (isAlone) continue
    limit = Math.min(STEP, Math.max(LEAST, Math.round((limit * STEP_TIME) / took)))
    await sleep(BETWEEN_STEPS)
  }
}

/** The steps of a request that waits for the end. */
const stepsAwaited = (db: StepWriter, { owner_id, id }: OperationKey, isUndo: boolean) =>
  stepsOf((limit) => db.writeAt(stepOperation, (now) => ({ owner_id, id, limit, isUndo, now })))

/** Does what is left of an operation, in steps that hold nobody up. Resolves to how many items it changed. */
export async function finishOperation(
  db: StepWriter,
  { owner_id, id }: OperationKey,
  begun: Progress,
): Promise<number> {
  if (begun.isDone) return begun.changed
  let { changed } = begun
  for await (const step of stepsAwaited(db, { owner_id, id }, false)) changed = step.changed
  return changed
}

/** Deletes a tag, in steps that hold nobody up; its items stay. Throws 'tagNotFound'. */
export async function removeTag(db: StepWriter, operation: NewOperation, id: string): Promise<void> {
  await finishOperation(db, operation, await db.write(deleteTag, { id, operation }))
}

/**
 * Gives the items of a tag another one in its place, in steps that hold nobody up. Resolves to the other tag. Where that is
 * deleted meanwhile, undoes what was done. Throws 'tagNotFound', 'mergeUnderWay'.
 */
export async function mergeTag(
  db: StepWriter,
  operation: NewOperation,
  { id, into, quotas }: { id: string; into: string; quotas: Quotas },
): Promise<Tag> {
  const { owner_id, session_id } = operation
  await finishOperation(db, operation, await db.write(mergeTags, { id, into, operation }))
  const tag = await findTag(db.db, { owner_id, id: into })
  if (tag) return tag
  // Also where the client has gone: nobody else would do it.
  const { signal } = new AbortController()
  await undoOperation(db, { owner_id, session_id, id: operation.id, quotas }, signal).catch(ignoreIfUndone)
  throw new AppError('tagNotFound')
}

/** Ignores the error that another request has undone the operation; throws any other. */
export function ignoreIfUndone(error: unknown): void {
  if (!(error instanceof AppError && ['operationUndone', 'operationNotFound'].includes(error.code)))
    throw error
}

const NOT_DONE: Progress = { isDone: false, changed: 0 }

interface Undo extends Omit<Author, 'now'> {
  id: string
  quotas: Quotas
}

/** Milliseconds between two looks whether an undo that another request makes is over, and for how many a request waits. */
const LOOK_EVERY = 500
const MAX_WAITED = 60_000

const stateOf = statement((db, value: Value<OperationKey>) =>
  db
    .selectFrom('operations')
    .select('undone_at')
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

/**
 * Does the first step of an undo, once the operation has come to its end. Throws 'operationUndone' also where another request
 * undoes it for longer than this one waits, and the reason of the signal where that comes meanwhile.
 */
async function firstStep(
  db: StepWriter,
  { owner_id, id, ...undo }: Undo,
  signal: AbortSignal,
): Promise<UndoBegun> {
  const key = { owner_id, id }
  const start = db.clock()
  for (;;) {
    signal.throwIfAborted()
    const [operation] = await stateOf(db.db, key)
    // Set as an undo begins, and for ever.
    const isUndone = operation !== undefined && operation.undone_at !== null
    if (!isUndone) await finishOperation(db, key, NOT_DONE)
    const size = isUndone ? {} : await sizeOfUndo(db.db, key)
    const first = await db.writeAt(beginUndo, (now) => ({ ...undo, ...key, ...size, now }))
    if (first) return first
    if (db.clock() - start >= MAX_WAITED) throw new AppError('operationUndone')
    await sleep(LOOK_EVERY)
  }
}

/**
 * Undoes an operation, as {@link beginUndo} tells, in steps that hold nobody up. Where another request undoes it, waits for the
 * end of that, a minute at most: only that one tells what it left as it is. `signal`: ends the wait, not what has begun.
 */
export async function undoOperation(
  db: StepWriter,
  undo: Undo,
  signal: AbortSignal,
): Promise<{ restored: number; skipped: Skipped[]; skipped_count: number }> {
  const key = { owner_id: undo.owner_id, id: undo.id }
  const first = await firstStep(db, undo, signal)
  const skipped = new Map<string, Skipped>()
  const name = (some: readonly Skipped[]) => {
    for (const one of some) skipped.set(one.id, one)
  }
  name(first.skipped)
  let { restored } = first
  if (!first.isDone)
    for await (const step of stepsAwaited(db, key, true)) {
      restored += step.restored
      name(step.skipped)
    }
  const named = [...skipped.values()].slice(0, MAX_SKIPPED)
  return { restored, skipped: named, skipped_count: skipped.size + first.unnamed }
}

/** Does what is left of an operation, or of its undo, whoever began it. */
async function finish(
  db: Steps,
  { owner_id, id }: OperationKey,
  signal: AbortSignal,
  isAlone = false,
): Promise<void> {
  const doNext = (limit: number) => db.write(stepOperation, { owner_id, id, limit })
  for await (const _ of stepsOf(doNext, isAlone)) signal.throwIfAborted()
}

/** Finishes an operation whose server died. */
export const finishOperationHandler = (stepWriters: StepWriters): JobHandler => ({
  ...ATTEMPTS,
  run: (job, signal) => finish(stepWriters(job.owner_id), job, signal),
})

/** Milliseconds for which a server that starts finishes operations before it serves; jobs finish the rest. */
const AT_START = 120_000

/** Milliseconds in which another server that is at work takes several steps of an operation. */
const WATCHED = 2_000

/**
 * The operations of which no request takes steps: each step makes their job due later. Only the request that takes all steps of an
 * undo knows what it left as it is. On SQLite there is no other server.
 */
async function abandoned(db: Database): Promise<OperationKey[]> {
  const before = await jobsOf(db, FINISH_OPERATION)
  if (before.length === 0 || db.fullText === 'fts5') return before
  await sleep(WATCHED)
  const later = new Map((await jobsOf(db, FINISH_OPERATION)).map(({ id, run_at }) => [id, Number(run_at)]))
  return before.filter(({ id, run_at }) => later.get(id) === Number(run_at))
}

/**
 * Finishes operations that a killed server left unfinished, so that nobody sees a part of one. Leaves those that another server
 * is at work on. Throws the first error once all have been tried, and where the time is over.
 */
export async function finishInterrupted(db: Database): Promise<void> {
  const signal = AbortSignal.timeout(AT_START)
  const errors: unknown[] = []
  for (const job of await abandoned(db))
    try {
      await finish(db, job, signal, true)
    } catch (error) {
      signal.throwIfAborted()
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}
