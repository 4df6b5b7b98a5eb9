import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { sql } from 'kysely'
import type { ItemKind, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Change } from '../journal/journal.ts'

/** What the journal keeps of a deleted tag. */
export interface DeletedTag {
  name: string
  /** Ids of the items that had it, without those that {@link TakenTag}s of the same operation name. */
  items: readonly string[]
  /** The tag into which it was merged. */
  into?: TagRef
}

/** What the journal keeps of a tag that an operation took from items before it deleted it. */
export interface TakenTag {
  taken: readonly string[]
  /** The id of the tag that they got in its place. */
  into?: string
}

/** What the journal keeps of a tag that an operation created without giving it to an item. */
export interface CreatedTag {
  is_created: true
}

/** What the journal keeps of a renamed tag. */
export interface RenamedTag {
  name: string
}

/** What the journal keeps of a tag that a merge gave to items. */
export interface GivenTag {
  given: readonly string[]
}

/** What the journal keeps of the undo of changes of a tag: items that may have got or lost one. */
export interface RetaggedItems {
  retagged: readonly string[]
}

/** Items that a change of a tag names at most: its undo goes in steps of so many. */
const ITEMS_PER_CHANGE = 25

interface TagKey {
  owner_id: string
  id: string
}

const lock = statement((db, value: Value<TagKey>) =>
  db
    .selectFrom('tags')
    .select(['name', 'name_key'])
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .forUpdate(),
)

const lockMany = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .orderBy('name_key')
    .forUpdate(),
)

/** Locks those of the tags that exist, in the order in which saves lock them. */
export const lockTagsById = (trx: Trx, owner_id: string, ids: readonly string[]): Promise<TagRef[]> =>
  lockMany(trx, { owner_id, ids })

const carriers = statement((db, value: Value<TagKey & { limit: number }>) =>
  db
    .selectFrom('item_tags')
    .select('item_id')
    .where('owner_id', '=', value('owner_id'))
    .where('tag_id', '=', value('id'))
    .limit(value('limit')),
)

/** Locks a tag: no item gets or loses it meanwhile. Undefined where it does not exist. */
export async function lockTag(
  trx: Trx,
  tag: TagKey,
): Promise<{ name: string; name_key: string } | undefined> {
  const [found] = await lock(trx, tag)
  return found
}

/** Ids of the items that have a locked tag, or of some of them. */
export const itemsWith = async (
  trx: Trx,
  { owner_id, id }: TagKey,
  limit = Number.MAX_SAFE_INTEGER,
): Promise<string[]> => (await carriers(trx, { owner_id, id, limit })).map(({ item_id }) => item_id)

const carriersAmong = statement((db, value: Value<TagKey & { ids: readonly string[] }>) =>
  db
    .selectFrom('item_tags')
    .select('item_id')
    .where('owner_id', '=', value('owner_id'))
    .where('tag_id', '=', value('id'))
    .where(value.among('item_id', 'ids')),
)

/** Those of the items that have a locked tag. */
export const itemsAmong = async (trx: Trx, tag: TagKey, ids: readonly string[]): Promise<string[]> =>
  (await carriersAmong(trx, { ...tag, ids })).map(({ item_id }) => item_id)

const remove = statement((db, value: Value<TagKey>) =>
  db.deleteFrom('tags').where('owner_id', '=', value('owner_id')).where('id', '=', value('id')),
)

/** The changes of a tag that was taken from items. `into`: the id of the tag that they get in its place. */
export function takenChanges(entity_id: string, items: readonly string[], into?: string): Change[] {
  const changes: Change[] = []
  for (let from = 0; from < items.length; from += ITEMS_PER_CHANGE) {
    const taken = items.slice(from, from + ITEMS_PER_CHANGE)
    const kept: TakenTag = { taken, ...(into !== undefined && { into }) }
    changes.push({ kind: 'tag', entity_id, revision: 0, before: JSON.stringify(kept) })
  }
  return changes
}

/** Removes a locked tag from all items. `into`: the tag that they get in its place. Resolves to the changes. */
export async function removeTag(trx: Trx, tag: TagKey, name: string, into?: TagRef): Promise<Change[]> {
  const items = await itemsWith(trx, tag)
  await remove(trx, tag)
  const kept: DeletedTag = { name, items: items.slice(-ITEMS_PER_CHANGE), ...(into && { into }) }
  const before = JSON.stringify(kept)
  // Undone first: the tag is there again before the other items get it.
  const deletion: Change = { kind: 'tag', entity_id: tag.id, revision: null, before }
  return [...takenChanges(tag.id, items.slice(0, -ITEMS_PER_CHANGE), into?.id), deletion]
}

type Given = TagKey & { items: readonly string[] }

/** Gives the tag to those items that exist and do not have it. The owner comes from their rows, for Citus (docs/scale.md). */
const give = statement(
  (_, value: Value<Given>) =>
    sql<{ item_id: string; kind: ItemKind }>`insert into item_tags (owner_id, item_id, tag_id, kind)
    select owner_id, id, ${value('id')}, kind from items
    where owner_id = ${value('owner_id')} and ${value.among('id', 'items')}
    on conflict (owner_id, item_id, tag_id) do nothing
    returning item_id, kind`,
)

const take = statement((db, value: Value<Given>) =>
  db
    .deleteFrom('item_tags')
    .where('owner_id', '=', value('owner_id'))
    .where('tag_id', '=', value('id'))
    .where(value.among('item_id', 'items'))
    .returning(['item_id', 'kind']),
)

const count = statement((db, value: Value<TagKey & { notes: number; links: number }>) =>
  db
    .updateTable('tags')
    .set(({ eb }) => ({
      notes_count: eb('notes_count', '+', value('notes')),
      urllinks_count: eb('urllinks_count', '+', value('links')),
    }))
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

const insert = statement((db, value: Value<TagKey & { name: string; name_key: string }>) =>
  db
    .insertInto('tags')
    .values({ ...value.row(['owner_id', 'id', 'name', 'name_key']), notes_count: 0, urllinks_count: 0 })
    .onConflict((conflict) => conflict.columns(['owner_id', 'name_key']).doNothing())
    .returning('id'),
)

const byKey = statement((db, value: Value<{ owner_id: string; name_key: string }>) =>
  db
    .selectFrom('tags')
    .select('id')
    .where('owner_id', '=', value('owner_id'))
    .where('name_key', '=', value('name_key'))
    .forUpdate(),
)

async function counted(
  trx: Trx,
  tag: TagKey,
  changed: readonly { item_id: string; kind: ItemKind }[],
  sign: 1 | -1,
): Promise<string[]> {
  const links = changed.filter(({ kind }) => kind === 'link').length
  if (changed.length > 0)
    await count(trx, { ...tag, notes: sign * (changed.length - links), links: sign * links })
  return changed.map(({ item_id }) => item_id)
}

/** Gives a tag to items; resolves to those that exist and did not have it. */
export const giveTag = async (trx: Trx, given: Given): Promise<string[]> =>
  counted(trx, given, await give(trx, given), 1)

/** Takes a tag from items; resolves to those that had it. */
export const takeTag = async (trx: Trx, taken: Given): Promise<string[]> =>
  counted(trx, taken, await take(trx, taken), -1)

/** Creates a deleted tag again with its old id. Resolves to the id of the tag that has its id, or else its name, by now. */
export async function recreateTag(
  trx: Trx,
  { name, ...tag }: TagKey & { name: string },
): Promise<{ id: string; isCreated: boolean }> {
  if (await lockTag(trx, tag)) return { id: tag.id, isCreated: false }
  const name_key = tagNameKey(name)
  // Other transactions may have brought the tag back meanwhile, and deleted it before it is locked here.
  for (;;) {
    const isCreated = (await insert(trx, { ...tag, name, name_key })).length > 0
    const [found] = await byKey(trx, { owner_id: tag.owner_id, name_key })
    if (found) return { id: found.id, isCreated }
  }
}

/** Gives a tag another name. False where another tag has the name. */
export async function setTagName(
  trx: Trx,
  { owner_id, id, name }: TagKey & { name: string },
): Promise<boolean> {
  const name_key = tagNameKey(name)
  const { numUpdatedRows } = await trx
    .updateTable('tags')
    .set({ name, name_key })
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('tags as other')
            .select('other.id')
            .where('other.owner_id', '=', owner_id)
            .where('other.name_key', '=', name_key)
            .where('other.id', '!=', id),
        ),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** The deletions of tags, those of each in their order. */
export const deletions = statement(
  (db, value: Value<{ owner_id: string; before: number; ids: readonly string[] }>) =>
    db
      .selectFrom('changes')
      .select(['entity_id', 'seq', 'is_reverted', 'before'])
      .where('owner_id', '=', value('owner_id'))
      .where(value.among('entity_id', 'ids'))
      .where('seq', '<', value('before'))
      .where('revision', 'is', null)
      // Ordered by their numbers alone, SQLite would read all changes of the owner.
      .orderBy('entity_id')
      .orderBy('seq'),
)

/** By the ids of tags that were deleted before a change: whether the last deletion of each was undone. */
export async function lastDeletions(
  trx: Trx,
  owner_id: string,
  ids: readonly string[],
  before = Number.MAX_SAFE_INTEGER,
): Promise<Map<string, boolean>> {
  const rows = ids.length === 0 ? [] : await deletions(trx, { owner_id, ids, before })
  return new Map(rows.map(({ entity_id, is_reverted }) => [entity_id, is_reverted === 1]))
}
