import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import type { ChangesTable, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { lockItems } from '../items/item-changes.ts'
import type { Change } from '../journal/journal.ts'
import { findTags, leavePending, removeUnusedTags, tagsById } from '../tags/item-tags.ts'
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
  recreateTag,
  setTagName,
  type TakenTag,
  takeTag,
} from '../tags/tag-changes.ts'
import { lastChangesOf, lastRenamesAndDeletions } from './last-changes.ts'
import { itemsOfOtherMerges } from './other-merges.ts'
import { createdByUndone, pendingItems, standingTags } from './pending-tag-undos.ts'
import { type DueTag, dequeueItems, enqueueItems, type OperationKey } from './running.ts'
import { deletion, skippedOf, unchanged } from './skipped.ts'
import { trashedItemsOf } from './trash.ts'
import type { TagItems, UndoState } from './undo-state.ts'

/** Undoes a change of a tag; undefined where that is not possible any more. */
export async function undoTagChange(
  trx: Trx,
  row: ChangesTable,
  state: UndoState,
): Promise<Change | undefined> {
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
  // Of what a merge gave or took, the undo of the deletion leaves out what this undo takes, and gives what it gives.
  const isDeleted = state.wasTagSince('deleted', row)
  if (isDeleted && !('given' in kept || 'taken' in kept)) return undefined
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
    if (isDeleted) {
      const items = await unchanged(trx, { owner_id, id, seq, items: without(kept.taken, lost) }, skipped)
      for (const item of items) leavePending(state.left, id, 'due', [item, Number(seq)])
    } else {
      const tag = await tagOrNamesake(trx, { owner_id, id })
      if (tag === undefined) return undefined
      await giveTo(trx, { owner_id, id: tag, seq, items: kept.taken }, lost, state)
    }
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
export async function giveDue(
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

/**
 * Removes the tags that undone changes created, once no item has them and nobody has changed them since: those that somebody
 * has are named. Resolves to those of `created` that are not known as such yet: they may stay for now, or come back as another
 * undo gives them to an item.
 */
export async function removeCreatedTags(
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

/** Those of the tags that were not removed: an item has them, or they were changed since. */
export const stillThere = async (trx: Trx, owner_id: string, ids: ReadonlySet<string>): Promise<TagRef[]> =>
  ids.size > 0 ? tagsById(trx, { owner_id, ids: [...ids] }) : []

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
