import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { OPERATION_DAYS } from '@kopilka/contract/limits.ts'
import type { Skipped } from '@kopilka/contract/operations.ts'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import type { ChangesTable, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { checkQuotas, type Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { addTotals, noTotals, type Totals } from '../items/counts.ts'
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
  type Restoring,
  reindexTags,
  removeItems,
  type TrashedBefore,
  undoItemChange,
} from '../items/item-changes.ts'
import { type Author, CHANGE, type Change, recordChanges } from '../journal/journal.ts'
import { findTags, leavePending, removeUnusedTags, tagsById, type UndoneTags } from '../tags/item-tags.ts'
import { mergedInto } from '../tags/merged-tags.ts'
import { findTag } from '../tags/store.ts'
import {
  type CreatedTag,
  type DeletedTag,
  type GivenTag,
  giveTag,
  lastDeletions,
  lockTag,
  type RenamedTag,
  type RetaggedItems,
  recreateTag,
  setTagName,
  type TakenTag,
  takeTag,
} from '../tags/tag-changes.ts'
import { lastChangesOf, lastRenamesAndDeletions } from './last-changes.ts'
import { itemsOfOtherMerges } from './other-merges.ts'
import {
  createdAgain,
  createdByUndone,
  pendingChanges,
  pendingItems,
  standingTags,
} from './pending-tag-undos.ts'
import type { UndoSize } from './restore-size.ts'
import {
  addToSummary,
  beginWork,
  continueWork,
  countFitting,
  type DueTag,
  dequeueItems,
  endWork,
  enqueueItems,
  isAttended,
  keepJobWaiting,
  type OperationKey,
  type Running,
  STEP,
  STEP_BYTES,
  sizesByIds,
  taskOf,
  type UndoSummary,
  type UndoTask,
} from './running.ts'
import { trashedItemsOf } from './trash.ts'
import { undoItemTags } from './undo-many.ts'

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

const revert = statement((db, value: Value<{ owner_id: string; seqs: readonly number[] }>) =>
  db
    .updateTable('changes')
    .set({ is_reverted: 1 })
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

const titles = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(['id', 'kind', 'title'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

interface UndoState extends UndoneTags {
  readonly operation: OperationKey
  readonly skipped: Skipped[]
  readonly totals: Totals
  readonly restoring: Restoring
  /** How many items and tags were put back. */
  restored: number
  /** Ids of tags that the changes created, with the numbers of those changes. */
  readonly created: Map<string, number>
  /** Ids of those that were created by themselves, without an item. */
  readonly alone: Set<string>
  /** Ids of tags that stand for deleted ones from this step on. */
  readonly standing: Set<string>
  /** Ids of items that are to be reindexed: they got or lost a tag, or the index has one at them that was deleted. */
  readonly retagged: Set<string>
  /** How many items one step gives a tag. */
  readonly limit: number
  /** Whether the tag of a change was renamed or deleted since. */
  readonly wasTagSince: (end: 'renamed' | 'deleted', change: ChangesTable) => boolean
  /** What the next step gives a tag, before it undoes other changes. */
  due?: DueTag | undefined
  /** How many items there are to be given a tag in steps of their own. */
  found: number
}

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

/** Gives the titles again to what was left as it is. */
async function titled(trx: Trx, owner_id: string, skipped: UndoSummary['skipped']): Promise<Skipped[]> {
  const ids = skipped.map(({ id }) => id)
  const items = [...(await titles(trx, { owner_id, ids })), ...(await trashedItemsOf(trx, owner_id, ids))]
  const titleOf = new Map(items.map(({ id, title }) => [id, title]))
  for (const { id, name } of await tagsById(trx, { owner_id, ids })) titleOf.set(id, name)
  return skipped.map(({ kind, id }) => ({ kind, id, title: titleOf.get(id) ?? '', reason: 'changed' }))
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

/**
 * Removes the tags that undone changes created, once no item has them and nobody has changed them since: those that somebody
 * has are named. Resolves to those of `created` that are not known as such yet: they may stay for now, or come back as another
 * undo gives them to an item.
 */
async function removeCreatedTags(
  trx: Trx,
  owner_id: string,
  after: number,
  { created, alone, taken, changedTags, skipped, standing, totals }: UndoState,
): Promise<Map<string, number>> {
  const known = new Set(await createdByUndone(trx, owner_id, [...created.keys(), ...taken]))
  const all = [...new Set([...created.keys(), ...known])]
  const ids = without(all, [...standing, ...(await standingTags(trx, owner_id, all))])
  if (ids.length === 0) return created
  const changed = await lastChangesOf(trx, { owner_id, id: '' }, after, ids)
  const unchanged = ids.filter((id) => !changed.has(id))
  const removed = await removeUnusedTags(trx, owner_id, unchanged)
  totals.tags -= removed.length
  for (const id of removed) changedTags.add(id)
  for (const id of ids.filter((id) => changed.has(id) && created.has(id) && !alone.has(id))) {
    const tag = await findTag(trx, { owner_id, id })
    if (tag && tag.notes_count + tag.urllinks_count === 0)
      skipped.push({ kind: 'tag', id, title: tag.name, reason: 'changed' })
  }
  return new Map([...created].filter(([id]) => !known.has(id)))
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

/** Those of the tags that were not removed: an item has them, or they were changed since. */
const stillThere = async (trx: Trx, owner_id: string, ids: ReadonlySet<string>): Promise<TagRef[]> =>
  ids.size > 0 ? tagsById(trx, { owner_id, ids: [...ids] }) : []

async function undoTagChange(trx: Trx, row: ChangesTable, state: UndoState): Promise<Change | undefined> {
  const { owner_id, entity_id: id, operation_id, seq, revision, before } = row
  if (before === null) return undefined
  const { skipped, totals, taken } = state
  const change = { kind: 'tag', entity_id: id, revision: 0 } as const
  const kept: CreatedTag | DeletedTag | RenamedTag | GivenTag | TakenTag = JSON.parse(before)
  if ('is_created' in kept) {
    state.created.set(id, Number(seq))
    state.alone.add(id)
    state.restored += 1
    return change
  }
  // Of what a merge gave, the undo of the deletion leaves out what this undo takes.
  if (!('given' in kept) && state.wasTagSince('deleted', row)) return undefined
  const { due, lost, last } = await pendingItems(trx, { owner_id, id }, Number(seq))
  if ('items' in kept && revision === null) {
    const { name } = kept
    const { isCreated, ...tag } = await recreateTag(trx, { owner_id, id, name })
    if (tag.id !== id) state.standing.add(tag.id)
    if (isCreated) totals.tags += 1
    // Another tag has its name, spelled in another way, or it came back with an item, under the name that it had there.
    else if (state.wasTagSince('renamed', row)) skipped.push(await skippedOf(trx, row))
    else if (
      !(await (tag.id === id
        ? setTagName(trx, { owner_id, id, name })
        : hasNameOfItsOwn(trx, state.operation, { ...tag, seq: Number(seq) }, name)))
    )
      skipped.push({ kind: 'tag', id: tag.id, title: name, reason: 'changed' })
    const fits = kept.items.length + due.length <= state.limit
    if (fits) taken.add(tag.id)
    else {
      state.due = { id: tag.id, deleted: id, seq: Number(seq), known: last }
      state.found += due.length
      await enqueueItems(trx, { ...state.operation, items: due.map((item_id) => ({ item_id })) })
    }
    const items = fits ? [...kept.items, ...due] : kept.items
    const gotIt = await giveTo(trx, { ...tag, owner_id, seq, items }, lost, state)
    await takeHeld(trx, { id: kept.into?.id, owner_id, seq, items: kept.items }, state)
    // Where another tag has its name, and all have that one, nothing came back.
    if (isCreated || tag.id === id || gotIt > 0 || state.due) state.restored += 1
    return change
  }
  if ('taken' in kept) {
    const tag = await tagOrNamesake(trx, { owner_id, id })
    if (tag === undefined) return undefined
    await giveTo(trx, { owner_id, id: tag, seq, items: kept.taken }, lost, state)
    await takeHeld(trx, { id: kept.into, owner_id, seq, items: kept.taken }, state)
    return change
  }
  if ('given' in kept) {
    const [merged] = await mergedAt(trx, { owner_id, operation_id, seq: Number(seq) + 1 })
    // The merged tag stays as it is, or this one has its name by now: without this one its items would lose both.
    if (merged?.is_reverted === 0) return undefined
    if (merged) {
      const back = await tagOrNamesake(trx, { owner_id, id: merged.entity_id })
      if (back === id || (back !== undefined && back === (await standIn(trx, { owner_id, id }))))
        return undefined
    }
    await takeGiven(trx, { owner_id, id, seq, items: without(kept.given, due) }, Number(seq), state)
    return change
  }
  if (state.wasTagSince('renamed', row) || !(await setTagName(trx, { owner_id, id, name: kept.name })))
    return undefined
  taken.add(id)
  state.restored += 1
  return change
}

/**
 * Takes a tag from items that a merge gave it to, by the change `since`. Those that other merges gave it to as well keep it until
 * these are undone; where the tag was deleted since, the undo of that leaves the items out.
 */
async function takeGiven(trx: Trx, tag: TagItems, since: number, state: UndoState): Promise<void> {
  const { owner_id, id } = tag
  const items = await unchanged(trx, { ...tag, seq: since }, state.skipped)
  const given = (await lockTag(trx, tag)) ? id : await standIn(trx, tag)
  const held = new Set<string>()
  for (const into of new Set([id, given ?? id]))
    for (const item of await itemsOfOtherMerges(trx, state.operation, { into, after: since, items })) {
      leavePending(state.left, into, 'held', [item, since])
      held.add(item)
    }
  const free = items.filter((item) => !held.has(item))
  if (given !== undefined) {
    const lostIt = await takeTag(trx, { owner_id, id: given, items: free })
    state.taken.add(given)
    state.restored += lostIt.length
    return changed(trx, { ...tag, items: free, changed: lostIt }, state)
  }
  for (const item of free) leavePending(state.left, id, 'lost', [item, since])
  state.restored += free.length
  // It was merged into another tag since, which the items keep.
  for (const { id: other, name } of (await mergedInto(trx, owner_id, [id])).values())
    state.skipped.push({ kind: 'tag', id: other, title: name, reason: 'changed' })
}

/** Takes from items the tag into which theirs had been merged, where they kept it for that merge alone. */
async function takeHeld(
  trx: Trx,
  { id, ...tag }: Omit<TagItems, 'id'> & { id: string | undefined },
  state: UndoState,
): Promise<void> {
  if (id === undefined) return
  const { held } = await pendingItems(trx, { ...tag, id }, Number(tag.seq))
  const items = tag.items.filter((item) => held.has(item))
  const since = Math.min(...items.map((item) => held.get(item) ?? 0))
  if (items.length > 0) await takeGiven(trx, { ...tag, id, items }, since, state)
}

/**
 * Gives a tag that came back to the next of the items to which it is due, unless it has been deleted again. Resolves to the
 * change, and to how many items were gone through.
 */
async function giveDue(
  trx: Trx,
  { id, deleted, seq, known }: DueTag,
  state: UndoState,
): Promise<{ changes: Change[]; items: number }> {
  const { operation, limit } = state
  const { owner_id } = operation
  const items = (await dequeueItems(trx, { ...operation, limit })).map(({ key }) => key)
  // Other undos may have taken the change back that gave it to an item.
  const { lost } = await pendingItems(trx, { owner_id, id: deleted }, seq, known)
  // Items before tags, as saves lock them.
  await lockItems(trx, { owner_id, ids: items })
  const isThere = await lockTag(trx, { owner_id, id })
  if (isThere) await giveTo(trx, { owner_id, id, seq, items }, lost, state)
  else await dequeueItems(trx, { ...operation, limit: Number.MAX_SAFE_INTEGER })
  if (isThere && items.length === limit) state.due = { id, deleted, seq, known }
  else state.taken.add(id)
  return { changes: isThere ? [{ kind: 'tag', entity_id: id, revision: 0 }] : [], items: items.length }
}

/** Whether a tag is spelled so, and did not get the name by a renaming after a change: the undo of that would take it away. */
async function hasNameOfItsOwn(
  trx: Trx,
  key: OperationKey,
  { id, seq }: { id: string; seq: number },
  name: string,
): Promise<boolean> {
  const [tag] = await tagsById(trx, { owner_id: key.owner_id, ids: [id] })
  const ends = await lastRenamesAndDeletions(trx, key, seq, [id])
  return tag?.name === name && !ends.get(id)?.renamed
}

/** The change of the tag that an operation merged into another one: it follows the change of the other one. */
const mergedAt = statement(
  (db, value: Value<{ owner_id: string; operation_id: string | null; seq: number }>) =>
    db
      .selectFrom('changes')
      .select(['entity_id', 'is_reverted'])
      .where('owner_id', '=', value('owner_id'))
      .where('seq', '=', value('seq'))
      .where('operation_id', '=', value('operation_id'))
      .where('kind', '=', 'tag'),
)

/** The id of a tag, or of the one that has the name with which it was deleted. */
async function tagOrNamesake(trx: Trx, tag: { owner_id: string; id: string }): Promise<string | undefined> {
  if (await lockTag(trx, tag)) return tag.id
  const [deleted] = await deletion(trx, tag)
  const { name }: { name?: string } = JSON.parse(deleted?.before ?? '{}')
  const [namesake] = name === undefined ? [] : await findTags(trx, tag.owner_id, [tagNameKey(name)])
  return namesake?.id
}

/** The id of the tag that items got in place of a deleted one whose deletion was undone; undefined where that was not, or it is gone. */
const standIn = async (trx: Trx, tag: { owner_id: string; id: string }): Promise<string | undefined> =>
  (await lastDeletions(trx, tag.owner_id, [tag.id])).get(tag.id) ? tagOrNamesake(trx, tag) : undefined

const without = (items: readonly string[], others: readonly string[]): string[] => {
  const left = new Set(others)
  return [...new Set(items)].filter((id) => !left.has(id))
}

/** Items of the change `seq` of a tag. */
interface TagItems {
  owner_id: string
  id: string
  seq: number
  items: readonly string[]
}

/** Gives a tag back to those of the items that are to have it and were not changed since. Resolves to how many got it. */
async function giveTo(trx: Trx, tag: TagItems, lost: readonly string[], state: UndoState): Promise<number> {
  // Those that do not get it are no more to be found by it either.
  for (const item of tag.items) state.retagged.add(item)
  const items = await unchanged(trx, { ...tag, items: without(tag.items, lost) }, state.skipped)
  const { owner_id, id } = tag
  const gotIt = await giveTag(trx, { owner_id, id, items })
  // The undo of the merge that gave it to the others since leaves it to them.
  for (const item of without(items, gotIt)) leavePending(state.left, id, 'due', [item, Number(tag.seq)])
  await changed(trx, { ...tag, items, changed: gotIt }, state)
  return gotIt.length
}

/** Notes the items that got or lost a tag; names those of the others that are in the trash. */
async function changed(
  trx: Trx,
  { owner_id, items, changed }: TagItems & { changed: readonly string[] },
  { retagged, skipped }: UndoState,
): Promise<void> {
  for (const id of changed) retagged.add(id)
  const others = without(items, changed)
  const trashed = others.length > 0 ? await trashedItemsOf(trx, owner_id, others) : []
  for (const { kind, id, title } of trashed) skipped.push({ kind, id, title, reason: 'changed' })
}

const changesAt = statement((db, value: Value<{ owner_id: string; seqs: readonly number[] }>) =>
  db
    .selectFrom('changes')
    .select(['kind', 'entity_id', 'before'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('seq', 'seqs', 'bigint')),
)

/** Those of the items that were not changed since; the others, also in the trash, are added to `skipped`. */
async function unchanged(
  trx: Trx,
  { owner_id, seq, items: ids }: TagItems,
  skipped: Skipped[],
): Promise<string[]> {
  const last = await lastChangesOf(trx, { owner_id, id: '' }, seq, ids)
  const listed = await titles(trx, { owner_id, ids: [...last.keys()] })
  const titleOf = new Map(listed.map(({ id, title }) => [id, title]))
  for (const { kind, entity_id: id, before } of await changesAt(trx, {
    owner_id,
    seqs: [...last.values()],
  })) {
    const kept: { title?: string } = JSON.parse(before ?? '{}')
    const title = titleOf.get(id) ?? kept.title ?? ''
    skipped.push({ kind: kind === 'link' ? 'urllink' : 'note', id, title, reason: 'changed' })
  }
  return ids.filter((id) => !last.has(id))
}

const deletion = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db
    .selectFrom('changes')
    .select('before')
    .where('owner_id', '=', value('owner_id'))
    .where('entity_id', '=', value('id'))
    .where('revision', 'is', null)
    .orderBy('seq', 'desc')
    .limit(1),
)

async function skippedOf(
  trx: Trx,
  { owner_id, kind, entity_id: id, before }: ChangesTable,
): Promise<Skipped> {
  const kept: { title?: string; name?: string } = JSON.parse(before ?? '{}')
  const skipped = { id, reason: 'changed' } as const
  if (kind === 'tag') {
    const tag = await lockTag(trx, { owner_id, id })
    const [deleted] = tag ? [] : await deletion(trx, { owner_id, id })
    const { name }: { name?: string } = tag ?? JSON.parse(deleted?.before ?? JSON.stringify(kept))
    return { ...skipped, kind, title: name ?? '' }
  }
  const [item] = [
    ...(await titles(trx, { owner_id, ids: [id] })),
    ...(await trashedItemsOf(trx, owner_id, [id])),
  ]
  return { ...skipped, kind: kind === 'link' ? 'urllink' : 'note', title: item?.title ?? kept.title ?? '' }
}
