import { OPERATION_DAYS } from '@kopilka/contract/limits.ts'
import type { Skipped } from '@kopilka/contract/operations.ts'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import type { ChangesTable, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { checkQuotas, type Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { addTotals, noTotals } from '../items/counts.ts'
import type { StoredRow } from '../items/item.ts'
import {
  bodySizes,
  type ChangedBefore,
  type CreatedBefore,
  indexRestored,
  lockItem,
  lockItems,
  lockWholeItems,
  newRestoring,
  putBackItem,
  type Removal,
  reindexTags,
  removeItems,
  type TrashedBefore,
  undoItemChange,
} from '../items/item-changes.ts'
import { type Author, CHANGE, type Change, recordChanges } from '../journal/journal.ts'
import type { DeletedTag, GivenTag, RetaggedItems, TakenTag } from '../tags/tag-changes.ts'
import { lastChangesOf, lastRenamesAndDeletions } from './last-changes.ts'
import { createdAgain, pendingChanges } from './pending-tag-undos.ts'
import type { UndoSize } from './restore-size.ts'
import {
  addToSummary,
  beginWork,
  continueWork,
  countFitting,
  type DueTag,
  endWork,
  isAttended,
  keepJobWaiting,
  type OperationKey,
  type Running,
  STEP,
  STEP_BYTES,
  sizesByIds,
  taskOf,
  type UndoTask,
} from './running.ts'
import { skippedOf, titled } from './skipped.ts'
import { undoItemTags } from './undo-many.ts'
import type { UndoState } from './undo-state.ts'
import { giveDue, removeCreatedTags, stillThere, undoTagChange } from './undo-tags.ts'

/** How long an operation can be undone, in milliseconds. */
export const UNDOABLE_FOR = OPERATION_DAYS * 24 * 60 * 60_000

const claim = statement((db, value: Value<OperationKey & { since: number }>) =>
  db
    .selectFrom('operations')
    .select(['undone_at', 'first_seq', 'last_seq', 'work'])
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('at', '>', value('since'))
    .forUpdate(),
)

const changesBefore = statement(
  (db, value: Value<OperationKey & { first: number; before: number; limit: number }>) =>
    db
      .selectFrom('changes')
      .select(CHANGE)
      .where('owner_id', '=', value('owner_id'))
      .where('seq', '>=', value('first'))
      .where('seq', '<', value('before'))
      .where('operation_id', '=', value('id'))
      .orderBy('seq', 'desc')
      .limit(value('limit')),
)

/** The sizes of the changes of {@link changesBefore}. */
const changeSizes = statement(
  (db, value: Value<OperationKey & { first: number; before: number; limit: number }>) =>
    db
      .selectFrom('changes')
      .select(['seq', sql<number>`coalesce(octet_length(body), 0)`.as('bytes')])
      .where('owner_id', '=', value('owner_id'))
      .where('seq', '>=', value('first'))
      .where('seq', '<', value('before'))
      .where('operation_id', '=', value('id'))
      .orderBy('seq', 'desc')
      .limit(value('limit')),
)

/** Notes that changes are undone. What they replaced is the present again, and no earlier version. */
const revert = statement((db, value: Value<{ owner_id: string; seqs: readonly number[] }>) =>
  db
    .updateTable('changes')
    .set({ is_reverted: 1, version: null })
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('seq', 'seqs', 'bigint')),
)

const end = statement((db, value: Value<OperationKey & { now: number }>) =>
  db
    .updateTable('operations')
    .set({ undone_at: value('now') })
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

/** How far an undo has come: what the last step put back, and what it left as it is. */
export interface Undone {
  readonly isDone: boolean
  readonly restored: number
  readonly skipped: readonly Skipped[]
}

/** The same of the first step of a request. `unnamed`: how many more, at most, the steps of another request left, which has failed. */
export interface UndoBegun extends Undone {
  readonly unnamed: number
}

interface Undoing extends Partial<UndoSize> {
  id: string
  quotas: Quotas
}

/**
 * Begins to undo an operation: puts back what it changed, and leaves as it is what was changed since. A change and its undo
 * cancel each other, so operations can be undone in any order. Goes on with an undo whose request has failed. Undefined where
 * the operation, or its undo, is under way. Throws 'operationNotFound', 'operationUndone', and an error where a quota does not
 * allow it.
 */
export const beginUndo = command(
  'operations.undo',
  async (
    trx: Trx,
    { id, quotas, restoreSize, changes, ...author }: Author & Undoing,
  ): Promise<UndoBegun | undefined> => {
    const { owner_id, now } = author
    const [operation] = await claim(trx, { owner_id, id, since: now - UNDOABLE_FOR })
    if (!operation) throw new AppError('operationNotFound')
    if (operation.work !== null) return takeOver(trx, { owner_id, id }, operation.work, now)
    if (operation.undone_at !== null) throw new AppError('operationUndone')
    const [first_seq, last_seq] = [Number(operation.first_seq), Number(operation.last_seq)]
    await end(trx, { owner_id, id, now })
    if (restoreSize) await checkQuotas(trx, owner_id, restoreSize, quotas)
    const range = { owner_id, id, first_seq, before: last_seq + 1, limit: STEP }
    const { task, done, found, ...undone } = await undoSome(trx, { ...author, ...range }, quotas)
    if (!undone.isDone) {
      const { session_id } = author
      const summary = addToSummary(undefined, undone)
      const total = (changes ?? last_seq - first_seq + 1) + found
      const work = { session_id, now, done, total, task: { ...task, summary } }
      await beginWork(trx, { owner_id, id }, work)
    }
    return { ...undone, unnamed: 0 }
  },
)

/** Takes over an undo whose request has failed: what that had done counts as done by the first step. */
async function takeOver(
  trx: Trx,
  key: OperationKey,
  work: string,
  now: number,
): Promise<UndoBegun | undefined> {
  const task = taskOf(work)
  if (task.type !== 'undo' || (await isAttended(trx, key, now))) return undefined
  await keepJobWaiting(trx, key, now)
  const { restored, skipped, skipped_count } =
    task.summary ?? addToSummary(undefined, { restored: 0, skipped: [] })
  const named = await titled(trx, key.owner_id, skipped)
  return { isDone: false, restored, skipped: named, unnamed: skipped_count - skipped.length }
}

/** Does the next step of an undo. */
export async function continueUndo(
  trx: Trx,
  running: Running & { task: UndoTask },
  limit: number,
): Promise<Undone> {
  const { task, done, found, ...undone } = await undoSome(trx, { ...running, ...running.task, limit })
  if (undone.isDone) await endWork(trx, running)
  else {
    const summary = addToSummary(running.task.summary, undone)
    const total = running.total + found
    await continueWork(trx, { ...running, total }, { done: running.done + done, task: { ...task, summary } })
  }
  return undone
}

/** Changes of an operation, the last of them before `before`. */
interface Range extends OperationKey {
  first_seq: number
  before: number
  due?: DueTag
  limit: number
}

interface UndoneStep extends Undone {
  /** What is left. */
  task: UndoTask
  /** Changes that were undone or left, and items that got a tag that was due to them. */
  done: number
  /** Items that this step found are to get a tag in later ones. */
  found: number
}

const isOfTag = ({ kind }: ChangesTable): boolean => kind === 'tag'

/** Undoes some changes of an operation, the last before `before` first; or gives a tag to those to which it is due. */
async function undoSome(
  trx: Trx,
  { id, first_seq, before, due, limit, session_id, now, owner_id }: Author & Range,
  quotas?: Quotas,
): Promise<UndoneStep> {
  const author = { owner_id, session_id, now }
  const range = { owner_id, id, first: first_seq, before, limit }
  const sizes = due ? [] : await changeSizes(trx, range)
  const fitting = countFitting(
    sizes.map(({ seq }) => String(seq)),
    sizesByIds(sizes.map(({ seq, bytes }) => ({ id: String(seq), bytes }))),
  )
  const next = fitting === 0 ? [] : await changesBefore(trx, { ...range, limit: fitting })
  const items = [...new Set(next.flatMap(itemsOf))]
  const rows = stepOf(next, limit, sizesByIds(await bodySizes(trx, { owner_id, ids: items })))
  // Items before tags, as saves lock them.
  const locked = await lockItems(trx, { owner_id, ids: [...new Set(rows.flatMap(itemsOf))] })
  const idsOf = (changed: readonly ChangesTable[]) => changed.map(({ entity_id }) => entity_id)
  const [ofTags, ofItems] = [rows.filter(isOfTag), rows.filter((row) => !isOfTag(row))]
  const last = await lastChangesOf(trx, { owner_id, id }, first_seq, idsOf(ofItems))
  const ends = await lastRenamesAndDeletions(trx, { owner_id, id }, first_seq, idsOf(ofTags))
  const totals = noTotals()
  const state: UndoState = {
    ...{ skipped: [], totals, restoring: newRestoring(totals, { followsMerges: false }), restored: 0 },
    ...{ created: new Map(), alone: new Set(), retagged: new Set(), taken: new Set(), left: new Map() },
    ...{ changedTags: new Set(), standing: new Set() },
    ...{ operation: { owner_id, id }, limit, found: 0 },
    wasTagSince: (end, { entity_id, seq }) => (ends.get(entity_id)?.[end] ?? 0) > seq,
  }
  const { skipped } = state
  const changes: Change[] = []
  const removals = new Map<string, Removal>()
  let done = 0
  let first = before
  if (due) {
    const given = await giveDue(trx, due, state)
    changes.push(...given.changes)
    done = given.items
  }
  const isChanged = ({ entity_id, seq }: ChangesTable) => (last.get(entity_id) ?? 0) > seq
  // All at once, as an operation does it: one after the other would take several times as long.
  const isOfItems = ofTags.length === 0
  const atOnce = isOfItems ? rows.filter((row) => !isChanged(row)) : []
  const undone = await undoItemTags(trx, owner_id, atOnce, locked)
  for (const id of undone.retagged) state.retagged.add(id)
  for (const id of undone.taken) state.taken.add(id)
  for (const [tag, seq] of undone.created) state.created.set(tag, seq)
  const wholes = await wholeItems(
    trx,
    owner_id,
    atOnce.filter(({ seq }) => !undone.changes.has(Number(seq))),
  )
  const reverted: number[] = []
  for (const row of rows) {
    if (state.due) break
    done += 1
    first = Number(row.seq)
    const change =
      undone.changes.get(first) ?? (isChanged(row) ? undefined : await undoChange(trx, row, state, wholes))
    if (!change) {
      // Their index may have a tag that its deletion left there.
      if (row.kind === 'tag') for (const id of itemsOf(row)) state.retagged.add(id)
      skipped.push(await skippedOf(trx, row))
      continue
    }
    reverted.push(first)
    // The undo of another change of the step may look whether this one is undone.
    if (!isOfItems) await revert(trx, { owner_id, seqs: reverted.splice(0) })
    if (row.kind !== 'tag') state.restored += 1
    if ('key' in change) removals.set(change.key.id, change)
    else changes.push(change)
  }
  await revert(trx, { owner_id, seqs: reverted })
  // In the order in which one deletion had them: the trash shows those of one moment by their changes.
  const removed = [...removals.values()].sort((one, other) => (one.key.id < other.key.id ? -1 : 1))
  changes.push(...(await removeItems(trx, owner_id, removed, totals, state.taken)))
  // A deleted item of an archive was created, then deleted: its deletion is undone first, and puts it back.
  state.restoring.entries = state.restoring.entries.filter(({ item }) => !removals.has(item.id))
  await indexRestored(trx, owner_id, state.restoring)
  await reindexTags(trx, owner_id, [...state.retagged])
  const unknown = await removeCreatedTags(trx, owner_id, first_seq, state)
  changes.push(...pendingChanges(state.left, unknown, state.standing))
  for (const { id, name } of await stillThere(trx, owner_id, state.alone)) {
    skipped.push({ kind: 'tag', id, title: name, reason: 'changed' })
    state.restored -= 1
  }
  await addTotals(trx, owner_id, totals, quotas)
  const [one] = changes
  if (one) {
    const changed_tags = [...(one.changed_tags ?? []), ...state.changedTags]
    const tag = due?.id ?? rows.find(({ kind }) => kind === 'tag')?.entity_id
    if (tag !== undefined && state.retagged.size > 0) changes.push(retaggedChange(tag, state.retagged))
    await recordChanges(trx, author, [{ ...one, changed_tags }, ...changes.slice(1)], { reverted: true })
  }
  const isDone = !due && !state.due && done === sizes.length && done < limit
  const { restored, found } = state
  const task: UndoTask = { type: 'undo', before: first, ...(state.due && { due: state.due }) }
  return { isDone, restored, skipped, task, done, found }
}

/** Names the items that the undo of a change of a tag may have given a tag, or taken one from. */
const retaggedChange = (entity_id: string, items: ReadonlySet<string>): Change => ({
  kind: 'tag',
  entity_id,
  revision: 0,
  before: JSON.stringify({ retagged: [...items] } satisfies RetaggedItems),
})

/** The first of the changes, which concern as many items as a step takes, or are one change. */
function stepOf(
  rows: readonly ChangesTable[],
  limit: number,
  sizes: ReadonlyMap<string, number>,
): ChangesTable[] {
  const items = new Set<string>()
  let bytes = 0
  const end = rows.findIndex((row, at) => {
    for (const id of itemsOf(row)) {
      if (!items.has(id)) bytes += sizes.get(id) ?? 0
      items.add(id)
    }
    return at > 0 && (items.size > limit || bytes > STEP_BYTES)
  })
  return end < 0 ? [...rows] : rows.slice(0, end)
}

function itemsOf({ kind, entity_id, before }: ChangesTable): readonly string[] {
  if (kind !== 'tag') return [entity_id]
  const kept: Partial<DeletedTag & GivenTag & TakenTag> = JSON.parse(before ?? '{}')
  return kept.items ?? kept.given ?? kept.taken ?? []
}

/** The items of changes by their ids, without those of several, which each of them changes. They are locked. */
async function wholeItems(
  trx: Trx,
  owner_id: string,
  rows: readonly ChangesTable[],
): Promise<Map<string, StoredRow>> {
  const byItem = Map.groupBy(rows, ({ entity_id }) => entity_id)
  const ids = rows.flatMap(({ entity_id: id, revision }) =>
    revision !== null && byItem.get(id)?.length === 1 ? id : [],
  )
  const items = ids.length > 0 ? await lockWholeItems(trx, { owner_id, ids }) : []
  return new Map(items.map(({ kind: _, ...row }) => [row.id, row]))
}

/**
 * Undoes one change, or says which item is to be removed for that; undefined where it is not possible any more. Adds items
 * that a tag is not given back to.
 */
async function undoChange(
  trx: Trx,
  row: ChangesTable,
  state: UndoState,
  wholes: ReadonlyMap<string, StoredRow>,
): Promise<Change | Removal | undefined> {
  if (row.kind === 'tag') return undoTagChange(trx, row, state)
  const { totals, restoring, created, taken, changedTags, left, retagged } = state
  if (row.revision === null) {
    const change = await putBackItem(trx, row, restoring)
    return change && { ...change, before: null }
  }
  const { owner_id, entity_id: id, kind } = row
  const key = { owner_id, id, kind }
  const stored = wholes.get(id) ?? (await lockItem(trx, key, { session_id: null, now: row.at }))?.row
  if (!stored) return undefined
  // It keeps no more what it replaced.
  if (row.before === null) return undefined
  const before: CreatedBefore | TrashedBefore | ChangedBefore = JSON.parse(row.before)
  const { tags_created = [] } = before
  const isRestored = 'deleted_at' in before
  for (const tag of isRestored ? await createdAgain(trx, owner_id, tags_created, row.seq) : tags_created)
    created.set(tag, Number(row.seq))
  if ('is_created' in before) return { key, row: stored }
  if (isRestored) return { key, row: stored, deleted_at: before.deleted_at, tags: before.tags }
  return undoItemChange(trx, key, row, { row: stored, totals, taken, changedTags, left, retagged })
}
