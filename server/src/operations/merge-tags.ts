import { command } from '../db/command.ts'
import type { Trx } from '../db/schema.ts'
import { addToUsage } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { lockItems, reindexTags } from '../items/item-changes.ts'
import { type Author, type Change, type NewOperation, recordOperation } from '../journal/journal.ts'
import { findTag } from '../tags/store.ts'
import {
  type GivenTag,
  giveTag,
  itemsWith,
  lockTagsById,
  removeTag,
  type TakenTag,
  takeTag,
} from '../tags/tag-changes.ts'
import {
  addStep,
  beginWork,
  continueWork,
  endWork,
  type MergeTask,
  type Progress,
  type Running,
  STEP,
} from './running.ts'

interface Merge {
  owner_id: string
  id: string
  /** The tag that stays. */
  into: string
  operation: NewOperation
}

/** Begins to give the items of a tag another one in its place. Throws 'tagNotFound'. */
export const mergeTags = command(
  'tags.merge',
  async (trx, { owner_id, id, into, operation }: Merge): Promise<Progress> => {
    const task: MergeTask = { type: 'merge', id, into }
    const { changes, changed, done, isDone } = await mergeSome(trx, operation, task, STEP)
    if (changes.length === 0) throw new AppError('tagNotFound')
    await recordOperation(trx, operation, changes, { items: changed })
    const rest = isDone ? undefined : await findTag(trx, { owner_id, id })
    if (rest) {
      const total = done + rest.notes_count + rest.urllinks_count
      const { session_id, now } = operation
      await beginWork(trx, { owner_id, id: operation.id }, { session_id, now, done, total, task })
    }
    return { isDone, changed }
  },
)

/** Does the next step of a merge. */
export async function continueMerge(
  trx: Trx,
  running: Running & { task: MergeTask },
  limit: number,
): Promise<Progress> {
  const { task } = running
  const { changes, changed, done, isDone } = await mergeSome(trx, running, task, limit)
  await addStep(trx, running, changes, changed)
  if (isDone) await endWork(trx, running)
  else await continueWork(trx, running, { done: running.done + done, task })
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

/** Gives some of the items the other tag; deletes the tag once no more have it. Ends where one of the two is gone. */
async function mergeSome(
  trx: Trx,
  { owner_id }: Author,
  { id, into }: MergeTask,
  limit: number,
): Promise<MergeStep> {
  const tag = { owner_id, id }
  // Items before tags, as saves lock them.
  await lockItems(trx, { owner_id, ids: await itemsWith(trx, tag, limit) })
  const locked = await lockTagsById(trx, owner_id, [id, into])
  const merged = locked.find((one) => one.id === id)
  if (!merged || locked.length < 2) return { changes: [], changed: 0, done: 0, isDone: true }
  const found = await itemsWith(trx, tag, limit + 1)
  const isDone = found.length <= limit
  const items = found.slice(0, limit)
  const given = await giveTag(trx, { owner_id, id: into, items })
  const changes: Change[] = []
  if (given.length > 0) changes.push(changeOf(into, { given }))
  if (isDone) {
    changes.push(...(await removeTag(trx, tag, merged.name)))
    await addToUsage(trx, owner_id, { tags: -1 })
  } else changes.push(changeOf(id, { taken: await takeTag(trx, { ...tag, items }) }))
  await reindexTags(trx, owner_id, items)
  return { changes, changed: given.length + Number(isDone), done: items.length, isDone }
}

const changeOf = (entity_id: string, kept: GivenTag | TakenTag): Change => ({
  kind: 'tag',
  entity_id,
  revision: 0,
  before: JSON.stringify(kept),
})
