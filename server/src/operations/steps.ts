import { setTimeout as sleep } from 'node:timers/promises'
import type { Skipped } from '@kopilka/contract/operations.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Trx } from '../db/schema.ts'
import type { Quotas } from '../db/usage.ts'
import { jobsOf } from '../jobs/queue.ts'
import type { JobHandler } from '../jobs/worker.ts'
import type { Author, Change } from '../journal/journal.ts'
import { changeSome, deleteSome } from './bulk.ts'
import { ATTEMPTS, BETWEEN_STEPS } from './maintenance.ts'
import {
  continueItems,
  FINISH_OPERATION,
  type ItemsTask,
  lockRunning,
  type OperationKey,
  type Progress,
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

/** Does the next step of an operation that goes on in steps. Any server may, also several at once. */
export const stepOperation = command('operations.step', async (trx, key: OperationKey): Promise<Step> => {
  const { changed, running } = await lockRunning(trx, key)
  const nothing = { isDone: true, changed, restored: 0, skipped: [] }
  if (!running) return nothing
  const { task } = running
  if (task.type === 'undo') return { ...nothing, ...(await continueUndo(trx, { ...running, task })) }
  const step = (author: Author, ids: readonly string[]) => doSome(trx, author, ids, task)
  return { ...nothing, ...(await continueItems(trx, { ...running, task }, step)) }
})

/** Where steps are run: the database itself, or the turns of owners. */
export type StepWriter = Pick<Database, 'write'>

/** Does what is left of an operation on items, in steps that hold nobody up. Resolves to how many items it changed. */
export async function finishOperation(
  db: StepWriter,
  { owner_id, id }: OperationKey,
  begun: Progress,
): Promise<number> {
  let { isDone, changed } = begun
  while (!isDone) {
    await sleep(BETWEEN_STEPS)
    const step = await db.write(stepOperation, { owner_id, id })
    isDone = step.isDone
    changed = step.changed
  }
  return changed
}

/** Undoes an operation, as {@link beginUndo} tells, in steps that hold nobody up. */
export async function undoOperation(
  db: StepWriter,
  undo: Author & { id: string; quotas: Quotas },
): Promise<{ restored: number; skipped: Skipped[] }> {
  const key = { owner_id: undo.owner_id, id: undo.id }
  // An operation that is under way is finished first.
  await finishOperation(db, key, await db.write(stepOperation, key))
  const first = await db.write(beginUndo, undo)
  const skipped: Skipped[] = [...first.skipped]
  let { isDone, restored } = first
  while (!isDone) {
    await sleep(BETWEEN_STEPS)
    const step = await db.write(stepOperation, key)
    isDone = step.isDone
    restored += step.restored
    skipped.push(...step.skipped)
  }
  return { restored, skipped }
}

/** Does what is left of an operation, or of its undo, whoever began it. */
async function finish(db: Database, { owner_id, id }: OperationKey, signal: AbortSignal): Promise<void> {
  while (!(await db.write(stepOperation, { owner_id, id })).isDone) {
    signal.throwIfAborted()
    await sleep(BETWEEN_STEPS)
  }
}

/** Finishes an operation whose server died. */
export const finishOperationHandler = (db: Database): JobHandler => ({
  ...ATTEMPTS,
  run: (job, signal) => finish(db, job, signal),
})

/** Milliseconds for which a server that starts finishes operations before it serves; a job finishes the rest. */
const AT_START = 20_000

/** Finishes operations that a killed server left unfinished: nobody sees a part of one. */
export async function finishInterrupted(db: Database): Promise<void> {
  const signal = AbortSignal.timeout(AT_START)
  for (const job of await jobsOf(db, FINISH_OPERATION)) await finish(db, job, signal)
}
