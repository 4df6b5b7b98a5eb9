import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { command } from '../db/command.ts'
import { ITEM_KINDS, type ItemKind, type Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { addTotals, noTotals } from '../items/counts.ts'
import { type ChangedBefore, lockItem, reindexTags, trashItem } from '../items/item-changes.ts'
import { idsListed, type Listed } from '../items/queries.ts'
import { type Change, type NewOperation, recordOperation } from '../journal/journal.ts'
import { createTags, findTags, type TagChanges, type TagCreation } from '../tags/item-tags.ts'
import { giveTag, takeTag } from '../tags/tag-changes.ts'

/** Which items: by their ids, or all of the lists of these kinds. */
export type Selected = { ids: readonly string[] } | { kinds: readonly ItemKind[]; list: Omit<Listed, 'kind'> }

interface Named {
  owner_id: string
  ids: readonly string[]
}

/** In the order of ids: of two changes of the same items one waits for the other, and never each for the other. */
const lock = statement((db, value: Value<Named>) =>
  db
    .selectFrom('items')
    .select(['id', 'kind', 'revision', 'updated_at', 'pinned'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .orderBy('id')
    .forUpdate(),
)

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

const withTooManyTags = statement((db, value: Value<Named & { most: number }>) =>
  db
    .selectFrom('item_tags')
    .select('item_id')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('item_id', 'ids'))
    .groupBy('item_id')
    .having(({ fn }) => fn.countAll(), '>', value('most'))
    .limit(1),
)

async function idsOf(trx: Trx, owner_id: string, selected: Selected): Promise<readonly string[]> {
  if ('ids' in selected) return selected.ids
  const lists = selected.kinds.map((kind) => idsListed(trx, { ...selected.list, owner_id, kind }))
  return (await Promise.all(lists)).flat()
}

interface BulkChange {
  selected: Selected
  /** Whether all of them must exist. */
  all: boolean
  operation: NewOperation
}

/** Locks the selected items. Throws 'itemNotFound' where one of all does not exist. */
async function lockSelected(trx: Trx, { selected, all, operation: { owner_id } }: BulkChange) {
  const ids = await idsOf(trx, owner_id, selected)
  const rows = ids.length > 0 ? await lock(trx, { owner_id, ids }) : []
  if (all && rows.length < ids.length) throw new AppError('itemNotFound')
  return rows
}

interface Changing extends BulkChange {
  tags: TagChanges
  pinned: boolean | undefined
  quotas: Quotas
}

/**
 * Gives tags to items, takes tags from them, and pins them. Resolves to how many items were changed. Throws 'itemNotFound',
 * 'tagQuota', or 'formInvalid' where an item would have too many tags.
 */
export const changeItems = command('items.changeMany', async (trx, change: Changing): Promise<number> => {
  const { operation, pinned: pin, quotas } = change
  const { owner_id, now } = operation
  const rows = await lockSelected(trx, change)
  if (rows.length === 0) return 0
  const ids = rows.map(({ id }) => id)
  const totals = noTotals()
  const { given, taken } = await changeTags(trx, { owner_id, ids }, change.tags, { now, totals })
  const pinned = pin === undefined ? null : Number(pin)
  const changed = rows.filter(
    (row) => given.has(row.id) || taken.has(row.id) || (pinned !== null && pinned !== row.pinned),
  )
  if (changed.length === 0) return 0
  await touch(trx, { owner_id, ids: changed.map(({ id }) => id), pinned, now })
  await reindexTags(
    trx,
    owner_id,
    ids.filter((id) => given.has(id) || taken.has(id)),
  )
  const changes = changed.map(({ id, kind, revision, updated_at, ...before }): Change => {
    const kept: ChangedBefore = {
      updated_at,
      ...(pinned !== null && { pinned: before.pinned }),
      tags_added: given.get(id) ?? [],
      tags_removed: taken.get(id) ?? [],
    }
    return { kind, entity_id: id, revision: revision + 1, before: JSON.stringify(kept) }
  })
  await addTotals(trx, owner_id, totals, quotas)
  await recordOperation(trx, operation, changes)
  return changed.length
})

type TagsByItem = ReadonlyMap<string, TagRef[]>

/** Gives tags to locked items and takes others from them. Resolves to what each item got and lost. */
async function changeTags(
  trx: Trx,
  { owner_id, ids }: Named,
  { add, remove }: TagChanges,
  creation: TagCreation,
): Promise<{ given: TagsByItem; taken: TagsByItem }> {
  const given = new Map<string, TagRef[]>()
  const taken = new Map<string, TagRef[]>()
  const added = new Set(add.map(tagNameKey))
  const removed = new Set(remove.map(tagNameKey).filter((key) => !added.has(key)))
  // In one order, as saves lock them.
  const known = await findTags(trx, owner_id, [...added, ...removed])
  const note = (changes: Map<string, TagRef[]>, tag: TagRef, items: readonly string[]): void => {
    for (const item of items) changes.set(item, [...(changes.get(item) ?? []), tag])
  }
  for (const tag of known.filter(({ name }) => removed.has(tagNameKey(name))))
    note(taken, tag, await takeTag(trx, { owner_id, id: tag.id, items: ids }))
  for (const tag of await createTags(trx, owner_id, add, creation))
    note(given, tag, await giveTag(trx, { owner_id, id: tag.id, items: ids }))
  const [full] = add.length > 0 ? await withTooManyTags(trx, { owner_id, ids, most: MAX_TAGS_PER_ITEM }) : []
  if (full) throw new AppError('formInvalid', { add_tags: [`tooManyTags:${MAX_TAGS_PER_ITEM}`] })
  return { given, taken }
}

/** Puts items into the trash. Resolves to how many. Throws 'itemNotFound'. */
export const deleteItems = command('items.deleteMany', async (trx, deletion: BulkChange): Promise<number> => {
  const { operation } = deletion
  const { owner_id, now } = operation
  const changes: Change[] = []
  const totals = noTotals()
  for (const { id, kind } of await lockSelected(trx, deletion)) {
    const key = { owner_id, id, kind }
    const locked = await lockItem(trx, key, operation)
    if (locked) changes.push(await trashItem(trx, key, locked.row, { deleted_at: now, totals }))
  }
  if (changes.length === 0) return 0
  await addTotals(trx, owner_id, totals)
  await recordOperation(trx, operation, changes)
  return changes.length
})

/** The kinds that a filter names. */
export const kindsOf = (kind: 'note' | 'urllink' | undefined): readonly ItemKind[] =>
  kind === undefined ? ITEM_KINDS : [kind === 'note' ? 'note' : 'link']
