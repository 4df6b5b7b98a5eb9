import { setTimeout as sleep } from 'node:timers/promises'
import type { Skipped } from '@kopilka/contract/operations.ts'
import type { Clock } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Trx } from '../db/schema.ts'
import type { Quotas } from '../db/usage.ts'
import { jobsOf } from '../jobs/queue.ts'
import type { JobHandler } from '../jobs/worker.ts'
import type { Author, Change, NewOperation } from '../journal/journal.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import { changeSome, deleteSome } from './bulk.ts'
import { ATTEMPTS, BETWEEN_STEPS } from './maintenance.ts'
import { continueMerge, deleteTag } from './merge-tags.ts'
import {
  continueItems,
  FINISH_OPERATION,
  type ItemsTask,
  keepJobWaiting,
  lockRunning,
  type OperationKey,
  type Progress,
  type Running,
  STEP,
} from './running.ts'
import { restoreSome } from './trash.ts'
import { beginUndo, continueUndo, type Undone } from './undo.ts'

function doSome(trx: Trx, author: Author, ids: readonly string[], task: ItemsTask): Promise<Change[]> {
  if (task.type === 'delete') return deleteSome(trx, author, ids)
  if (task.type === 'restore') return restoreSome(trx, author, ids)
  return changeSome(trx, author, ids, task)
}

/** What a step of an operation, or of its undo, did. */
type Step = Progress & Undone

interface NextStep extends OperationKey {
  limit: number
  /** The time of a request that does the steps; absent: a job does, or a server that starts. */
  now?: number | undefined
}

/** Does the next step of an operation that goes on in steps, of `limit` items. Any server may, also several at once. */
export const stepOperation = command(
  'operations.step',
  async (trx, { limit, now, ...key }: NextStep): Promise<Step & { took: number }> => {
    const start = performance.now()
    const { changed, running } = await lockRunning(trx, key)
    const nothing: Step = { isDone: true, changed, restored: 0, skipped: [] }
    const step = running ? { ...nothing, ...(await doStep(trx, running, limit)) } : nothing
    if (now !== undefined && !step.isDone) await keepJobWaiting(trx, key, now)
    return { ...step, took: performance.now() - start }
  },
)

/** Runs steps: the database itself, or the turns of an owner. */
type Steps = Pick<Database, 'write'>

/** The same for a request, which keeps the job waiting for as long as it takes steps. */
export interface StepWriter extends Steps {
  readonly clock: Clock
}

/** One step at a time, and owners in turns: on SQLite whoever saves meanwhile waits for one step, however many operations run. */
const STEPS = { total: 1, perOwner: 1 }

/** The turns of each owner. */
export type StepTurns = (owner_id: string) => StepWriter

/** One for all operations of a server, those that jobs finish among them. */
export function createStepTurns(db: Database, clock: Clock): StepTurns {
  const steps = createConcurrencyLimit(STEPS)
  return (owner_id) => ({
    clock,
    write: (command, args) => steps.run(owner_id, () => db.write(command, args)),
  })
}

function doStep(trx: Trx, running: Running, limit: number): Promise<Progress | Undone> {
  const { task } = running
  if (task.type === 'undo') return continueUndo(trx, { ...running, task }, limit)
  if (task.type === 'merge') return continueMerge(trx, { ...running, task }, limit)
  const step = (author: Author, ids: readonly string[]) => doSome(trx, author, ids, task)
  return continueItems(trx, { ...running, task }, { step, limit })
}

/** Milliseconds that a step should take: on SQLite other writes wait meanwhile. */
const STEP_TIME = 60
/** The least items of a step, however large they are. */
const LEAST = 5

interface Stepping {
  /** Tells the time where a request waits for the end. */
  clock?: Clock
  /** There is nobody yet. */
  isAlone?: boolean
}

/** Does what is left of an operation, or of its undo, in steps that hold nobody up: those of large items are of few. */
async function* stepsOf(
  db: Steps,
  { owner_id, id }: OperationKey,
  { clock, isAlone = false }: Stepping,
): AsyncGenerator<Step> {
  for (let limit = STEP; ; ) {
    const { took, ...step } = await db.write(stepOperation, { owner_id, id, limit, now: clock?.() })
    yield step
    if (step.isDone) return
    if (isAlone) continue
    limit = Math.min(STEP, Math.max(LEAST, Math.round((limit * STEP_TIME) / took)))
    await sleep(BETWEEN_STEPS)
  }
}

/** Does what is left of an operation, in steps that hold nobody up. Resolves to how many items it changed. */
export async function finishOperation(
  db: StepWriter,
  { owner_id, id }: OperationKey,
  begun: Progress,
): Promise<number> {
  if (begun.isDone) return begun.changed
  let { changed } = begun
  for await (const step of stepsOf(db, { owner_id, id }, { clock: db.clock })) changed = step.changed
  return changed
}

/** Deletes a tag, in steps that hold nobody up; its items stay. Throws 'tagNotFound'. */
export async function removeTag(db: StepWriter, operation: NewOperation, id: string): Promise<void> {
  await finishOperation(db, operation, await db.write(deleteTag, { id, operation }))
}

const NOT_DONE: Progress = { isDone: false, changed: 0 }

/** Undoes an operation, as {@link beginUndo} tells, in steps that hold nobody up. */
export async function undoOperation(
  db: StepWriter,
  undo: Omit<Author, 'now'> & { id: string; quotas: Quotas },
): Promise<{ restored: number; skipped: Skipped[] }> {
  const key = { owner_id: undo.owner_id, id: undo.id }
  // An operation that is under way is finished first.
  await finishOperation(db, key, NOT_DONE)
  const first = await db.write(beginUndo, { ...undo, now: db.clock() })
  const skipped = new Map<string, Skipped>()
  const name = (some: readonly Skipped[]) => {
    for (const one of some) skipped.set(one.id, one)
  }
  name(first.skipped)
  let { restored } = first
  if (!first.isDone)
    for await (const step of stepsOf(db, key, { clock: db.clock })) {
      restored += step.restored
      name(step.skipped)
    }
  return { restored, skipped: [...skipped.values()] }
}

/** Does what is left of an operation, or of its undo, whoever began it. */
async function finish(
  db: Steps,
  { owner_id, id }: OperationKey,
  signal: AbortSignal,
  isAlone = false,
): Promise<void> {
  for await (const _ of stepsOf(db, { owner_id, id }, { isAlone })) signal.throwIfAborted()
}

/** Finishes an operation whose server died. */
export const finishOperationHandler = (turns: StepTurns): JobHandler => ({
  ...ATTEMPTS,
  run: (job, signal) => finish(turns(job.owner_id), job, signal),
})

/** Milliseconds for which a server that starts finishes operations before it serves; jobs finish the rest. */
const AT_START = 120_000

/**
 * Finishes operations that a killed server left unfinished, so that nobody sees a part of one. Throws the first error
 * once all have been tried, and where the time is over.
 */
export async function finishInterrupted(db: Database): Promise<void> {
  const signal = AbortSignal.timeout(AT_START)
  const errors: unknown[] = []
  for (const job of await jobsOf(db, FINISH_OPERATION))
    try {
      await finish(db, job, signal, true)
    } catch (error) {
      signal.throwIfAborted()
      errors.push(error)
    }
  if (errors.length > 0) throw errors[0]
}
