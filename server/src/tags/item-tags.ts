import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { ItemKind, Trx } from '../db/schema.ts'
import { fullTextOf, statement, type Value } from '../db/statement.ts'
import { byName } from './order.ts'
import { lastDeletions, lockTagsById } from './tag-changes.ts'

/** An item that has tags. */
interface Tagged {
  owner_id: string
  id: string
  kind: ItemKind
}

/** When tags are created. Each adds to `totals`, which the caller adds to the usage after all other rows are locked. */
export interface TagCreation {
  now: number
  totals: { tags: number }
  /** Gets the ids of the tags that are created. */
  created?: string[]
}

interface NewTag {
  id: string
  name: string
  name_key: string
}

interface Pair {
  item_id: string
  tag_id: string
  kind: ItemKind
}

type Counts = { notes: number; links: number }

interface CountedTag extends NewTag, Counts {}

const countsOf = (kind: ItemKind, count: number): Counts => ({
  notes: kind === 'note' ? count : 0,
  links: kind === 'link' ? count : 0,
})

/**
 * Creates, locks and counts tags in one statement, in the order of their keys: concurrent saves with the same tags cannot
 * deadlock.
 */
const countNamed = statement(
  (_, value: Value<{ owner_id: string; tags: readonly CountedTag[] }>) =>
    sql<TagRef>`insert into tags (owner_id, id, name, name_key, notes_count, urllinks_count)
    select ${value('owner_id')}, id, name, name_key, cast(notes as integer), cast(links as integer)
    from ${value.rows('tags', 'named', ['id', 'name', 'name_key', 'notes', 'links'])} where true order by name_key
    on conflict (owner_id, name_key) do update set notes_count = tags.notes_count + excluded.notes_count,
      urllinks_count = tags.urllinks_count + excluded.urllinks_count
    returning id, name`,
)

/**
 * As {@link countNamed}, for tags of one item that is there: by the item's row Citus sees that the tags lie where it does. Rows that
 * come from a parameter alone it takes to the coordinator first, which makes the save a two-phase commit. {@link assign} as well.
 */
const countNamedOf = statement(
  (_, value: Value<{ owner_id: string; item_id: string; tags: readonly CountedTag[] }>) =>
    sql<TagRef>`insert into tags (owner_id, id, name, name_key, notes_count, urllinks_count)
    select items.owner_id, named.id, name, name_key, cast(notes as integer), cast(links as integer)
    from items, ${value.rows('tags', 'named', ['id', 'name', 'name_key', 'notes', 'links'])}
    where items.owner_id = ${value('owner_id')} and items.id = ${value('item_id')} order by name_key
    on conflict (owner_id, name_key) do update set notes_count = tags.notes_count + excluded.notes_count,
      urllinks_count = tags.urllinks_count + excluded.urllinks_count
    returning id, name`,
)

/** Creates tags that no item has, in the order of {@link countNamed}, and returns the ids of those that were not there. */
const insertMissing = statement(
  (_, value: Value<{ owner_id: string; tags: readonly NewTag[] }>) =>
    sql<{ id: string }>`insert into tags (owner_id, id, name, name_key, notes_count, urllinks_count)
    select ${value('owner_id')}, id, name, name_key, 0, 0
    from ${value.rows('tags', 'missing', ['id', 'name', 'name_key'])} where true order by name_key
    on conflict (owner_id, name_key) do nothing returning id`,
)

const assign = statement(
  (_, value: Value<{ owner_id: string; item_id: string; tags: readonly TagRef[] }>) =>
    sql<never>`insert into item_tags (owner_id, item_id, tag_id, kind)
    select items.owner_id, items.id, assigned.id, items.kind from items, ${value.rows('tags', 'assigned', ['id'])}
    where items.owner_id = ${value('owner_id')} and items.id = ${value('item_id')}`,
)

const assignAll = statement(
  (_, value: Value<{ owner_id: string; pairs: readonly Pair[] }>) =>
    sql<never>`insert into item_tags (owner_id, item_id, tag_id, kind)
    select ${value('owner_id')}, item_id, tag_id, kind
    from ${value.rows('pairs', 'assigned', ['item_id', 'tag_id', 'kind'])}`,
)

const assigned = statement((db, value: Value<{ owner_id: string; item_id: string }>) =>
  db
    .selectFrom('item_tags')
    .innerJoin('tags', (join) =>
      join.onRef('tags.owner_id', '=', 'item_tags.owner_id').onRef('tags.id', '=', 'item_tags.tag_id'),
    )
    .select(['tags.id', 'tags.name', 'tags.name_key'])
    .where('item_tags.owner_id', '=', value('owner_id'))
    .where('item_tags.item_id', '=', value('item_id')),
)

const lock = statement(
  (db, value: Value<{ owner_id: string; ids: readonly string[]; keys: readonly string[] }>) =>
    db
      .selectFrom('tags')
      .select('id')
      .where('owner_id', '=', value('owner_id'))
      .where(({ or }) => or([value.among('id', 'ids'), value.among('name_key', 'keys')]))
      .orderBy('name_key')
      .forUpdate(),
)

const countIds = statement((db, value: Value<{ owner_id: string; ids: readonly string[] } & Counts>) =>
  db
    .updateTable('tags')
    .set(({ eb }) => ({
      notes_count: eb('notes_count', '+', value('notes')),
      urllinks_count: eb('urllinks_count', '+', value('links')),
    }))
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

const unassign = statement(
  (db, value: Value<{ owner_id: string; item_id: string; ids: readonly string[] }>) =>
    db
      .deleteFrom('item_tags')
      .where('owner_id', '=', value('owner_id'))
      .where('item_id', '=', value('item_id'))
      .where(value.among('tag_id', 'ids')),
)

interface TaggedItems {
  owner_id: string
  items: readonly string[]
}

/** Locks the tags of items in the order in which saves lock them. */
const unassignAll = statement((db, value: Value<TaggedItems>) =>
  db
    .deleteFrom('item_tags')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('item_id', 'items'))
    .returning(['tag_id', 'kind']),
)

const removeUnused = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .deleteFrom('tags')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .where('notes_count', '=', 0)
    .where('urllinks_count', '=', 0)
    .returning('id'),
)

/** Removes those of the tags that no item has. Resolves to their ids. */
export async function removeUnusedTags(
  trx: Trx,
  owner_id: string,
  ids: readonly string[],
): Promise<string[]> {
  return ids.length === 0 ? [] : (await removeUnused(trx, { owner_id, ids })).map(({ id }) => id)
}

/** Those of the tags that exist. */
export const tagsById = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

const refOf = ({ id, name }: TagRef): TagRef => ({ id, name })

/** The tags of an item, in alphabetical order. */
export async function tagsOf(trx: Trx, { owner_id, id }: Tagged): Promise<TagRef[]> {
  return (await assigned(trx, { owner_id, item_id: id })).map(refOf).sort(byName)
}

/**
 * Which tags the items have. The tags themselves are another statement: of an owner whom its statistics do not know PostgreSQL
 * expects one row, and would compare each of these with all tags of the owner.
 */
const assignedToAll = statement((db, value: Value<TaggedItems>) =>
  db
    .selectFrom('item_tags')
    .select(['item_id', 'tag_id'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('item_id', 'items')),
)

/** The tags of each of the items, in alphabetical order, by the ids of those that have any. */
export async function tagsOfEach(
  trx: Trx,
  owner_id: string,
  items: readonly string[],
): Promise<Map<string, TagRef[]>> {
  const byItem = new Map<string, TagRef[]>()
  const pairs = items.length > 0 ? await assignedToAll(trx, { owner_id, items }) : []
  const ids = [...new Set(pairs.map(({ tag_id }) => tag_id))]
  const known = ids.length > 0 ? await tagsById(trx, { owner_id, ids }) : []
  const tagOf = new Map(known.map((tag) => [tag.id, tag]))
  for (const { item_id, tag_id } of pairs) {
    const tag = tagOf.get(tag_id)
    if (tag) byItem.set(item_id, [...(byItem.get(item_id) ?? []), tag])
  }
  for (const tags of byItem.values()) tags.sort(byName)
  return byItem
}

/** The tags that any of the items has. Locks them: nobody renames or deletes one meanwhile. */
export async function lockedTagsOf(trx: Trx, owner_id: string, items: readonly string[]): Promise<TagRef[]> {
  const pairs = await assignedToAll(trx, { owner_id, items })
  return lockTagsById(trx, owner_id, [...new Set(pairs.map(({ tag_id }) => tag_id))])
}

/**
 * Adds tags of these names to an item that has none of them, and creates missing tags. A tag that exists in other letter
 * case keeps its spelling.
 */
export async function addTags(
  trx: Trx,
  { owner_id, id: item_id, kind }: Tagged,
  names: readonly string[],
  creation: TagCreation,
): Promise<TagRef[]> {
  const tags = await countTags(trx, owner_id, [{ kind, names }], creation, item_id)
  await assignTags(trx, { owner_id, id: item_id }, tags)
  return tags.sort(byName)
}

/** The first half of {@link addTags}: creates, locks and counts the tags. Resolves to them in alphabetical order. */
export const countTagsOf = async (
  trx: Trx,
  { owner_id, id, kind }: Tagged,
  names: readonly string[],
  creation: TagCreation,
): Promise<TagRef[]> => (await countTags(trx, owner_id, [{ kind, names }], creation, id)).sort(byName)

/** The other half of {@link addTags}. */
export async function assignTags(
  trx: Trx,
  { owner_id, id: item_id }: Omit<Tagged, 'kind'>,
  tags: readonly TagRef[],
): Promise<void> {
  if (tags.length > 0) await assign(trx, { owner_id, item_id, tags })
}

/** An item that gets its first tags. */
export interface NewlyTagged extends Pick<Tagged, 'id' | 'kind'> {
  readonly names: readonly string[]
}

/**
 * Adds tags to items that have none, in as many statements for all as for one, and creates missing ones, also of the names of
 * `others`, which no item has yet. Resolves to the tags of each item by its id.
 */
export async function addTagsToAll(
  trx: Trx,
  owner_id: string,
  items: readonly NewlyTagged[],
  { others, ...creation }: TagCreation & { others: readonly string[] },
): Promise<Map<string, TagRef[]>> {
  const tags = await countTags(trx, owner_id, [...items, { names: others }], creation)
  const byKey = new Map(tags.map((tag) => [tagNameKey(tag.name), tag]))
  const given = new Map<string, TagRef[]>()
  const pairs: Pair[] = []
  for (const { id, kind, names } of items) {
    const keys = new Set(names.map(tagNameKey))
    const own = [...keys].flatMap((key) => byKey.get(key) ?? [])
    given.set(id, own.sort(byName))
    for (const tag of own) pairs.push({ item_id: id, tag_id: tag.id, kind })
  }
  if (pairs.length > 0) await assignAll(trx, { owner_id, pairs })
  return given
}

/** Names of an item of a kind, or of none. */
type Naming = { readonly kind?: ItemKind; readonly names: readonly string[] }

/**
 * Creates missing tags of the names, adds them to the totals, and counts the items with each. The tags are locked. `item_id`: of the
 * one item that gets them, where it is one.
 */
async function countTags(
  trx: Trx,
  owner_id: string,
  namings: readonly Naming[],
  { now, totals, created }: TagCreation,
  item_id?: string,
): Promise<TagRef[]> {
  const byKey = new Map<string, CountedTag>()
  for (const { kind, names } of namings) {
    const own = new Set<string>()
    for (const name of names) {
      const name_key = tagNameKey(name)
      if (own.has(name_key)) continue
      own.add(name_key)
      const tag = byKey.get(name_key) ?? { id: uuidv7({ msecs: now }), name, name_key, notes: 0, links: 0 }
      if (kind === 'note') tag.notes += 1
      if (kind === 'link') tag.links += 1
      byKey.set(name_key, tag)
    }
  }
  if (byKey.size === 0) return []
  const named = { owner_id, tags: [...byKey.values()] }
  const tags = await (item_id === undefined
    ? countNamed(trx, named)
    : countNamedOf(trx, { ...named, item_id }))
  const ids = new Set(Array.from(byKey.values(), ({ id }) => id))
  const fresh = tags.filter(({ id }) => ids.has(id))
  created?.push(...fresh.map(({ id }) => id))
  totals.tags += fresh.length
  return tags
}

/** The tags of these names, locked; missing ones are created and added to the totals. */
export const createTags = (
  trx: Trx,
  owner_id: string,
  names: readonly string[],
  creation: TagCreation,
): Promise<TagRef[]> => countTags(trx, owner_id, [{ names }], creation)

const withKeys = statement((db, value: Value<{ owner_id: string; keys: readonly string[] }>) =>
  db
    .selectFrom('tags')
    .select(['id', 'name'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('name_key', 'keys'))
    .orderBy('name_key')
    .forUpdate(),
)

/** The tags with these keys of names, locked. */
export const findTags = (trx: Trx, owner_id: string, keys: readonly string[]): Promise<TagRef[]> =>
  withKeys(trx, { owner_id, keys })

/** Names of tags to add to an item and to remove from it. A name in both is added. */
export interface TagChanges {
  add: readonly string[]
  remove: readonly string[]
}

/** The names of an item's tags after the changes. */
export function changedNames(names: readonly string[], { add, remove }: TagChanges): string[] {
  const removed = new Set(remove.map(tagNameKey))
  const known = new Set(names.map(tagNameKey))
  const added = new Set(add.map(tagNameKey))
  const kept = names.filter((name) => !removed.has(tagNameKey(name)) || added.has(tagNameKey(name)))
  return [...kept, ...add.filter((name) => !known.has(tagNameKey(name)))]
}

/** What stands for deleted tags, by their ids. */
type Replacements = (deleted: readonly string[]) => Promise<ReadonlyMap<string, TagRef>>

const idsOf = (tags: readonly TagRef[]): string[] => tags.map(({ id }) => id)

/**
 * Gives the tags back to an item that has none of them: each by its name of now, and one that was deleted since as what
 * `replacements` has for it, as the tag that has taken its name, or else with the id that `returningId` resolves to. `created`:
 * ids of those that were created.
 */
export async function giveTagsBack(
  trx: Trx,
  { owner_id, id: item_id, kind }: Tagged,
  former: readonly TagRef[],
  returningId: (deleted: string) => Promise<string>,
  replacements: Replacements = async () => new Map(),
): Promise<{ tags: TagRef[]; created: string[] }> {
  if (former.length === 0) return { tags: [], created: [] }
  const there = await tagsById(trx, { owner_id, ids: idsOf(former) })
  const present = new Set(idsOf(there))
  const deleted = idsOf(former).filter((id) => !present.has(id))
  const replaced = deleted.length > 0 ? await replacements(deleted) : new Map<string, TagRef>()
  const before = former.map((tag) => replaced.get(tag.id) ?? tag)
  const known = replaced.size > 0 ? await tagsById(trx, { owner_id, ids: idsOf(before) }) : there
  const names = new Map(known.map(({ id, name }) => [id, name]))
  const wanted = before.map(({ id, name: oldName }) => {
    const name = names.get(id) ?? oldName
    return { id, name, name_key: tagNameKey(name) }
  })
  const keys = wanted.map(({ name_key }) => name_key)
  // All are locked at once, in the order in which they are counted: nobody deletes one before it is.
  const namesakes = await findTags(trx, owner_id, keys)
  const taken = new Set(namesakes.map(({ name }) => tagNameKey(name)))
  const byKey = new Map<string, NewTag>()
  for (const { id: oldId, name, name_key } of wanted) {
    if (byKey.has(name_key) && !names.has(oldId)) continue
    const id = taken.has(name_key) ? oldId : await returningId(oldId)
    byKey.set(name_key, { id, name, name_key })
  }
  const created: { id: string }[] = []
  let missing = [...byKey.values()].filter(({ name_key }) => !taken.has(name_key))
  // Other transactions may have brought the same tags back meanwhile, and deleted them before they are locked here.
  while (missing.length > 0) {
    created.push(...(await insertMissing(trx, { owner_id, tags: missing })))
    const locked = await findTags(trx, owner_id, [...byKey.keys()])
    const present = new Set(locked.map(({ name }) => tagNameKey(name)))
    missing = missing.filter(({ name_key }) => !present.has(name_key))
  }
  const counted = Array.from(byKey.values(), (tag) => ({ ...tag, ...countsOf(kind, 1) }))
  const tags = await countNamedOf(trx, { owner_id, item_id, tags: counted })
  await assign(trx, { owner_id, item_id, tags })
  return { tags: tags.sort(byName), created: created.map(({ id }) => id) }
}

const changedSince = statement(
  (db, value: Value<{ owner_id: string; ids: readonly string[]; after: number }>) =>
    db
      .selectFrom('changes')
      .select('entity_id')
      .distinct()
      .where('owner_id', '=', value('owner_id'))
      .where(value.among('entity_id', 'ids'))
      .where('seq', '>', value('after'))
      .where('is_reverted', '=', 0),
)

/** The id of an item, and the number of the change of its tags that was undone. */
export type PendingItem = readonly [id: string, seq: number]

/** Those of the missing tags that nobody deleted, or whose deletion was undone: they went because no item had them. */
async function neverDeleted(trx: Trx, owner_id: string, tags: readonly TagRef[]): Promise<TagRef[]> {
  const isUndone = await lastDeletions(
    trx,
    owner_id,
    tags.map(({ id }) => id),
  )
  return tags.filter(({ id }) => isUndone.get(id) !== false)
}

/** Those of an item's tags that it got in place of missing ones, whose names they have taken. */
async function namesakesOf(
  trx: Trx,
  owner_id: string,
  missing: readonly TagRef[],
  tags: readonly NewTag[],
): Promise<NewTag[]> {
  const keys = new Map(missing.map(({ id, name }) => [tagNameKey(name), id]))
  const found = tags.filter(({ name_key }) => keys.has(name_key))
  if (found.length === 0) return []
  const known = await tagsById(trx, { owner_id, ids: missing.map(({ id }) => id) })
  return found.filter(({ name_key }) => !known.some(({ id }) => id === keys.get(name_key)))
}

/**
 * By the id of a tag: items that are to have it, and not to have it, once other operations on the tag are undone; and those
 * that keep it only because other merges gave it to them as well.
 */
export type PendingTags = Map<string, { due: PendingItem[]; lost: PendingItem[]; held: PendingItem[] }>

/** Notes an item in a list of what is pending on a tag. */
export function leavePending(
  left: PendingTags,
  tag: string,
  list: 'due' | 'lost' | 'held',
  item: PendingItem,
): void {
  const items = left.get(tag) ?? { due: [], lost: [], held: [] }
  items[list].push(item)
  left.set(tag, items)
}

/** What undos do to tags. */
export interface UndoneTags {
  readonly totals: { tags: number }
  /** Ids of tags that items lost. */
  readonly taken: Set<string>
  /** Ids of tags that were created or removed. */
  readonly changedTags: Set<string>
  readonly left: PendingTags
}

/**
 * Takes away the tags that the change `seq` added to an item, and gives back those that it removed, except tags that somebody
 * deleted since. The item's row is locked.
 */
export async function undoTags(
  trx: Trx,
  item: Tagged,
  { seq, added, removed }: { seq: number; added: readonly TagRef[]; removed: readonly TagRef[] },
  { taken, changedTags, left, totals }: UndoneTags,
): Promise<void> {
  if (added.length + removed.length === 0) return
  const { owner_id, id: item_id, kind } = item
  const now = await assigned(trx, { owner_id, item_id })
  const has = ({ id }: TagRef) => now.some((tag) => tag.id === id)
  const missing = removed.filter((tag) => !has(tag))
  const leave = (list: 'due' | 'lost', tags: readonly TagRef[]) => {
    for (const { id } of tags) leavePending(left, id, list, [item_id, seq])
  }
  const namesakes = await namesakesOf(
    trx,
    owner_id,
    added.filter((tag) => !has(tag)),
    now,
  )
  const ids = [...added, ...removed, ...namesakes].map(({ id }) => id)
  const rows = await changedSince(trx, { owner_id, ids, after: seq })
  const changed = new Set(rows.map(({ entity_id }) => entity_id))
  const gone = [...added.filter(has), ...namesakes.filter(({ id }) => !changed.has(id))]
  leave(
    'lost',
    added.filter((tag) => changed.has(tag.id) || !has(tag)),
  )
  leave(
    'due',
    removed.filter((tag) => changed.has(tag.id) || has(tag)),
  )
  if (gone.length + missing.length === 0) return
  await lockTags(trx, owner_id, [...gone, ...missing], [])
  await take(trx, item, gone)
  for (const { id } of gone) taken.add(id)
  const tags = await tagsById(trx, { owner_id, ids: missing.map(({ id }) => id) })
  const absent = missing.filter(({ id }) => !tags.some((tag) => tag.id === id))
  leave(
    'due',
    absent.filter(({ id }) => !changed.has(id)),
  )
  const names = new Set([...now, ...tags].map(({ name }) => tagNameKey(name)))
  const unused = (await neverDeleted(trx, owner_id, absent)).filter(
    ({ name }) => !names.has(tagNameKey(name)),
  )
  const { created } = await giveTagsBack(trx, item, unused, async (id) => id)
  totals.tags += created.length
  for (const id of created) changedTags.add(id)
  if (tags.length === 0) return
  await countIds(trx, { owner_id, ids: tags.map(({ id }) => id), ...countsOf(kind, 1) })
  await assign(trx, { owner_id, item_id, tags })
}

/** Replaces the tags of an item. The caller holds the lock of its row, so that concurrent changes count correctly. */
export async function replaceTags(
  trx: Trx,
  item: Tagged,
  before: readonly TagRef[],
  names: readonly string[],
  creation: TagCreation,
): Promise<TagRef[]> {
  const { owner_id } = item
  const wanted = new Set(names.map(tagNameKey))
  const had = new Set(before.map(({ name }) => tagNameKey(name)))
  const kept = before.filter(({ name }) => wanted.has(tagNameKey(name)))
  const gone = before.filter(({ name }) => !wanted.has(tagNameKey(name)))
  const added = names.filter((name) => !had.has(tagNameKey(name)))
  // Locks removed and added tags together in the order of their keys.
  if (gone.length > 0) await lockTags(trx, owner_id, gone, added.map(tagNameKey))
  await take(trx, item, gone)
  return [...kept.map(refOf), ...(await addTags(trx, item, added, creation))].sort(byName)
}

/** Removes all tags from items whose rows are locked. The tags stay, even without items. Resolves to their ids. */
export async function removeTags(trx: Trx, owner_id: string, items: readonly string[]): Promise<string[]> {
  if (fullTextOf(trx) === 'tsvector') await lockedTagsOf(trx, owner_id, items)
  const lost = new Map<string, Counts>()
  for (const { tag_id, kind } of await unassignAll(trx, { owner_id, items })) {
    const { notes, links } = lost.get(tag_id) ?? { notes: 0, links: 0 }
    const more = countsOf(kind, 1)
    lost.set(tag_id, { notes: notes + more.notes, links: links + more.links })
  }
  // A statement for all that lost as many: an update from a list reads all tags of the owner on SQLite.
  for (const same of Map.groupBy(lost, ([, { notes, links }]) => `${notes} ${links}`).values()) {
    const { notes, links } = same[0]?.[1] ?? { notes: 0, links: 0 }
    await countIds(trx, { owner_id, ids: same.map(([id]) => id), notes: -notes, links: -links })
  }
  return [...lost.keys()]
}

async function take(
  trx: Trx,
  { owner_id, id: item_id, kind }: Tagged,
  tags: readonly TagRef[],
): Promise<void> {
  if (tags.length === 0) return
  const ids = tags.map(({ id }) => id)
  await unassign(trx, { owner_id, item_id, ids })
  await countIds(trx, { owner_id, ids, ...countsOf(kind, -1) })
}

/** Locks tags by id or key. Does nothing on SQLite, where a transaction locks the whole database. */
export async function lockTags(
  trx: Trx,
  owner_id: string,
  tags: readonly { id: string }[],
  keys: readonly string[],
): Promise<void> {
  if (fullTextOf(trx) === 'fts5') return
  await lock(trx, { owner_id, ids: tags.map(({ id }) => id), keys })
}
