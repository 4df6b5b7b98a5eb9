import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import { ITEM_KINDS, type ItemKind, type Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { addTotals, noTotals } from '../items/counts.ts'
import { type IdPieces, idsInPiece } from '../items/id-pieces.ts'
import {
  bodySizes,
  type ChangedBefore,
  lockItems,
  lockWholeItems,
  type Removal,
  reindexTags,
  removeItems,
} from '../items/item-changes.ts'
import {
  type Author,
  type Change,
  changedTags,
  type NewOperation,
  recordChanges,
} from '../journal/journal.ts'
import { createTags, findTags, removeUnusedTags, type TagChanges } from '../tags/item-tags.ts'
import { giveTag, lockTagsById, takeTag } from '../tags/tag-changes.ts'
import {
  beginItems,
  type Collected,
  firstItems,
  type ItemsStep,
  type ItemsTask,
  type Progress,
  type Sizes,
  STEP,
  sizesByIds,
} from './running.ts'

/** Which items: by their ids, as they were found, or as they were collected since. */
export type Selected = { ids: readonly string[] } | { found: IdPieces } | Collected

interface Named {
  owner_id: string
  ids: readonly string[]
}

const touch = statement((db, value: Value<Named & { pinned: number | null; now: number }>) =>
  db
    .updateTable('items')
    .set(({ eb, fn, ref }) => ({
      pinned: fn.coalesce(value('pinned'), ref('pinned')),
      updated_at: value('now'),
      revision: eb('revision', '+', 1),
    }))
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

/** Items that would have too many tags with `added`, of which there are `count`, and without those of `changed` that are not. */
const withTooManyTags = statement(
  (db, value: Value<Named & { changed: readonly string[]; count: number; most: number }>) =>
    db
      .selectFrom('item_tags')
      .select('item_id')
      .where('owner_id', '=', value('owner_id'))
      .where(value.among('item_id', 'ids'))
      .groupBy('item_id')
      .having(
        sql<boolean>`sum(case when ${value.among('tag_id', 'changed')} then 0 else 1 end) + cast(${value('count')} as integer)
        > cast(${value('most')} as integer)`,
      ),
)

interface BulkChange {
  selected: Selected
  /** Whether all of them must exist. */
  all: boolean
  operation: NewOperation
}

const NOTHING: Progress = { isDone: true, changed: 0 }

/**
 * Locks the selected items, of collected ones those of the first step, and resolves to those that exist; undefined where none does.
 * Throws 'itemNotFound' where one of all does not exist.
 */
async function lockSelected(
  trx: Trx,
  { selected, all, operation: { owner_id, id } }: BulkChange,
): Promise<readonly string[] | Collected | undefined> {
  if ('collected' in selected) {
    const first = await firstItems(trx, { owner_id, id, limit: STEP })
    await lockItems(trx, { owner_id, ids: first.map(({ item_id }) => item_id) })
    return selected
  }
  const ids = 'ids' in selected ? selected.ids : selected.found.flatMap(idsInPiece)
  const rows = ids.length > 0 ? await lockItems(trx, { owner_id, ids }) : []
  if (all && rows.length < ids.length) throw new AppError('itemNotFound')
  return rows.length > 0 ? rows.map((row) => row.id) : undefined
}

interface Changing extends BulkChange {
  tags: TagChanges
  pinned: boolean | undefined
  quotas: Quotas
}

/**
 * Begins to give tags to items, to take tags from them, and to pin them. Throws 'itemNotFound', 'tagQuota', or 'formInvalid' where
 * an item would have too many tags.
 */
export const changeItems = command('items.changeMany', async (trx, change: Changing): Promise<Progress> => {
  const { operation, tags, pinned, quotas } = change
  const { owner_id, now } = operation
  const items = await lockSelected(trx, change)
  if (!items) return NOTHING
  const added = new Set(tags.add.map(tagNameKey))
  const removed = tags.remove.map(tagNameKey).filter((key) => !added.has(key))
  const totals = noTotals()
  const created: string[] = []
  // Those to take are locked with the others, in one order.
  const known = await findTags(trx, owner_id, [...added, ...removed])
  const add = await createTags(trx, owner_id, tags.add, { now, totals, created })
  const addedIds = add.map(({ id }) => id)
  const task: ChangeTask = {
    type: 'change',
    add: addedIds,
    remove: known.map(({ id }) => id).filter((id) => !addedIds.includes(id)),
    created,
    pinned: pinned === undefined ? null : Number(pinned),
  }
  if (!('collected' in items) && (await overfull(trx, owner_id, items, task)).size > 0) throw tooManyTags()
  const step: ItemsStep = (author, some) => changeSome(trx, author, some, task)
  const progress = await beginItems(trx, operation, {
    ...{ items, task, step, sizes: sizesFor(trx, owner_id, task) },
  })
  if (progress.isDone && progress.changed === 0)
    totals.tags -= (await removeUnusedTags(trx, owner_id, created)).length
  else if (created.length > 0) await recordChanges(trx, operation, changedTags(created), { reverted: true })
  await addTotals(trx, owner_id, totals, quotas)
  return progress
})

/** The sizes of items that a task reads or indexes whole. */
export const sizesFor = (
  trx: Trx,
  owner_id: string,
  task: ChangeTask | { type: 'delete' },
): Sizes | undefined =>
  task.type === 'change' && task.add.length + task.remove.length === 0
    ? undefined
    : async (ids) => sizesByIds(await bodySizes(trx, { owner_id, ids }))

type ChangeTask = Extract<ItemsTask, { type: 'change' }>

const tooManyTags = () => new AppError('formInvalid', { add_tags: [`tooManyTags:${MAX_TAGS_PER_ITEM}`] })

/** Throws 'formInvalid' where one of the items would have too many tags. */
export async function checkTagCounts(
  trx: Trx,
  owner_id: string,
  ids: readonly string[],
  { add, remove }: TagChanges,
): Promise<void> {
  const added = [...new Set(add.map(tagNameKey))]
  const known = await findTags(trx, owner_id, [...added, ...remove.map(tagNameKey)])
  const isAdded = ({ name }: TagRef) => added.includes(tagNameKey(name))
  // Of those that do not exist yet only the number makes a difference.
  const missing = added.slice(known.filter(isAdded).length)
  const wanted = {
    add: [...known.filter(isAdded).map(({ id }) => id), ...missing],
    remove: known.filter((tag) => !isAdded(tag)).map(({ id }) => id),
  }
  if ((await overfull(trx, owner_id, ids, wanted)).size > 0) throw tooManyTags()
}

/** Those of the items that would have too many tags. */
async function overfull(
  trx: Trx,
  owner_id: string,
  ids: readonly string[],
  { add, remove }: Pick<ChangeTask, 'add' | 'remove'>,
): Promise<Set<string>> {
  if (add.length === 0) return new Set()
  const changed = [...add, ...remove]
  const asked = { owner_id, ids, changed, count: add.length, most: MAX_TAGS_PER_ITEM }
  return new Set((await withTooManyTags(trx, asked)).map(({ item_id }) => item_id))
}

/** Changes those of the items that exist and can be changed. */
export async function changeSome(
  trx: Trx,
  { owner_id, now }: Author,
  ids: readonly string[],
  task: ChangeTask,
): Promise<Change[]> {
  const { add, remove, created, pinned } = task
  const locked = await lockItems(trx, { owner_id, ids })
  const tags = new Map(
    (await lockTagsById(trx, owner_id, [...add, ...remove])).map((tag) => [tag.id, tag] as const),
  )
  // A save has filled them up since the operation began.
  const full = await overfull(trx, owner_id, ids, task)
  const rows = locked.filter(({ id }) => !full.has(id))
  const items = rows.map(({ id }) => id)
  const taken = await changedBy(remove, tags, (id) => takeTag(trx, { owner_id, id, items }))
  const given = await changedBy(add, tags, (id) => giveTag(trx, { owner_id, id, items }))
  const changed = rows.filter(
    (row) => given.has(row.id) || taken.has(row.id) || (pinned !== null && pinned !== row.pinned),
  )
  if (changed.length === 0) return []
  await touch(trx, { owner_id, ids: changed.map(({ id }) => id), pinned, now })
  await reindexTags(
    trx,
    owner_id,
    items.filter((id) => given.has(id) || taken.has(id)),
  )
  return changed.map(({ id, kind, revision, updated_at, ...before }): Change => {
    const kept: ChangedBefore = {
      updated_at,
      ...(pinned !== null && { pinned: before.pinned }),
      tags_added: given.get(id) ?? [],
      tags_removed: taken.get(id) ?? [],
      ...(created.length > 0 && { tags_created: created }),
    }
    return { kind, entity_id: id, revision: revision + 1, before: JSON.stringify(kept) }
  })
}

/** The tags that each item got, or lost: `change` resolves to the items that a tag was given to, or taken from. */
async function changedBy(
  ids: readonly string[],
  tags: ReadonlyMap<string, TagRef>,
  change: (id: string) => Promise<string[]>,
): Promise<Map<string, TagRef[]>> {
  const byItem = new Map<string, TagRef[]>()
  for (const id of ids) {
    const tag = tags.get(id)
    if (tag) for (const item of await change(id)) byItem.set(item, [...(byItem.get(item) ?? []), tag])
  }
  return byItem
}

/** Begins to put items into the trash. Throws 'itemNotFound'. */
export const deleteItems = command(
  'items.deleteMany',
  async (trx, deletion: BulkChange): Promise<Progress> => {
    const items = await lockSelected(trx, deletion)
    if (!items) return NOTHING
    const { operation } = deletion
    const task = { type: 'delete' } as const
    const step: ItemsStep = (author, some) => deleteSome(trx, author, some)
    return beginItems(trx, operation, { items, task, step, sizes: sizesFor(trx, operation.owner_id, task) })
  },
)

/** Puts those of the items that exist into the trash. */
export async function deleteSome(
  trx: Trx,
  { owner_id, now }: Author,
  ids: readonly string[],
): Promise<Change[]> {
  const totals = noTotals()
  const removals: Removal[] = []
  for (const { kind, ...row } of await lockWholeItems(trx, { owner_id, ids }))
    removals.push({ key: { owner_id, id: row.id, kind }, row, deleted_at: now })
  const changes = await removeItems(trx, owner_id, removals, totals)
  await addTotals(trx, owner_id, totals)
  return changes
}

/** The kinds that a filter names. */
export const kindsOf = (kind: 'note' | 'urllink' | undefined): readonly ItemKind[] =>
  kind === undefined ? ITEM_KINDS : [kind === 'note' ? 'note' : 'link']
