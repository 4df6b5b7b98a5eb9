import { command } from '../db/command.ts'
import type { Trx } from '../db/schema.ts'
import { addToUsage } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { bodySizes, lockItems, reindexTags } from '../items/item-changes.ts'
import { type Author, type Change, type NewOperation, recordOperation } from '../journal/journal.ts'
import { findTag } from '../tags/store.ts'
import {
  type GivenTag,
  giveTag,
  itemsAmong,
  itemsWith,
  lockTagsById,
  removeTag,
  takenChanges,
  takeTag,
} from '../tags/tag-changes.ts'
import {
  addStep,
  beginWork,
  continueWork,
  countFitting,
  endWork,
  type MergeTask,
  type Progress,
  type Running,
  removeEmpty,
  STEP,
  sizesByIds,
  tasksUnderWay,
} from './running.ts'

interface Merge {
  id: string
  /** The tag that stays. */
  into: string
  operation: NewOperation
}

/** Begins to give the items of a tag another one in its place. Throws 'tagNotFound', 'mergeUnderWay'. */
export const mergeTags = command('tags.merge', (trx, { id, into, operation }: Merge) =>
  begin(trx, operation, { type: 'merge', id, into }),
)

/** Begins to delete a tag; its items stay. Throws 'tagNotFound'. */
export const deleteTag = command('tags.delete', (trx, { id, operation }: Omit<Merge, 'into'>) =>
  begin(trx, operation, { type: 'merge', id, into: null }),
)

async function begin(trx: Trx, operation: NewOperation, task: MergeTask): Promise<Progress> {
  const { owner_id, session_id, now } = operation
  const step = await mergeSome(trx, operation, task, STEP)
  if (!step) throw new AppError('tagNotFound')
  const { changes, changed, done, isDone } = step
  if (task.into !== null && (await isGoing(trx, owner_id, task.into))) throw new AppError('mergeUnderWay')
  await recordOperation(trx, operation, changes, { items: changed, evenEmpty: !isDone })
  const rest = isDone ? undefined : await findTag(trx, { owner_id, id: task.id })
  if (rest) {
    const total = done + rest.notes_count + rest.urllinks_count
    await beginWork(trx, { owner_id, id: operation.id }, { session_id, now, done, total, task })
  }
  return { isDone, changed }
}

/**
 * Whether a locked tag is being merged into another one, or deleted. Were this the other one, each merge would give the other
 * its items back, without an end.
 */
const isGoing = async (trx: Trx, owner_id: string, id: string): Promise<boolean> =>
  (await tasksUnderWay(trx, owner_id)).some((task) => task.type === 'merge' && task.id === id)

/** Does the next step of a merge or deletion. */
export async function continueMerge(
  trx: Trx,
  running: Running & { task: MergeTask },
  limit: number,
): Promise<Progress> {
  const { task } = running
  const { changes, changed, done, isDone } = (await mergeSome(trx, running, task, limit)) ?? ENDED
  await addStep(trx, running, changes, changed)
  if (isDone) {
    await endWork(trx, running)
    await removeEmpty(trx, running)
  } else await continueWork(trx, running, { done: running.done + done, task })
  return { isDone, changed: running.changed + changed }
}

interface MergeStep {
  changes: Change[]
  /** Items that got the other tag, and the tag where it was deleted. */
  changed: number
  /** Items that lost the tag. */
  done: number
  isDone: boolean
}

const ENDED: MergeStep = { changes: [], changed: 0, done: 0, isDone: true }

/** Items that lose a tag in the time that it takes to give one another tag, which changes the index of search. */
const DELETED_AT_ONCE = 20

/**
 * Takes a tag from some of its items, which get the other one if there is one; deletes the tag once no more have it. Undefined
 * where one of the two is gone. A deletion leaves the index of search as it is: nobody can search for the tag, and what brings it back
 * indexes the items again.
 */
async function mergeSome(
  trx: Trx,
  { owner_id }: Author,
  { id, into }: MergeTask,
  limit: number,
): Promise<MergeStep | undefined> {
  const tag = { owner_id, id }
  const isDeletion = into === null
  const most = isDeletion ? limit * DELETED_AT_ONCE : limit
  // Items before tags, as saves lock them.
  const held = isDeletion ? [] : await itemsWith(trx, tag, most)
  if (!isDeletion) await lockItems(trx, { owner_id, ids: held })
  const locked = await lockTagsById(trx, owner_id, isDeletion ? [id] : [id, into])
  const name = locked.find((one) => one.id === id)?.name
  const other = locked.find((one) => one.id === into)
  if (name === undefined || !(isDeletion || other)) return undefined
  const found = await itemsWith(trx, tag, most + 1)
  // Others may have taken the tag from some before it was locked, and given it to some that are not.
  const next = isDeletion ? found.slice(0, most) : await itemsAmong(trx, tag, held)
  // Without the other tag, nothing is indexed.
  const sizes = isDeletion ? [] : await bodySizes(trx, { owner_id, ids: next })
  const items = next.slice(0, countFitting(next, sizesByIds(sizes)))
  const isDone = items.length === found.length
  const given = isDeletion ? [] : await giveTag(trx, { owner_id, id: into, items })
  const changes: Change[] = []
  if (!isDeletion && given.length > 0) changes.push(givenChange(into, given))
  if (isDone) {
    changes.push(...(await removeTag(trx, tag, name, other)))
    await addToUsage(trx, owner_id, { tags: -1 })
  } else changes.push(...takenChanges(id, await takeTag(trx, { ...tag, items }), into ?? undefined))
  if (!isDeletion) await reindexTags(trx, owner_id, items)
  return { changes, changed: given.length + Number(isDone), done: items.length, isDone }
}

const givenChange = (entity_id: string, given: readonly string[]): Change => ({
  kind: 'tag',
  entity_id,
  revision: 0,
  before: JSON.stringify({ given } satisfies GivenTag),
})
