import type { TagRef } from '@kopilka/contract/items.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { ANALYSER, type IndexDocument, TERMS } from '@kopilka/text/search/terms.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { ChangesTable, ItemKind, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Change } from '../journal/journal.ts'
import { searchIndexOf } from '../search/index.ts'
import type { IndexEntry } from '../search/search-index.ts'
import { giveTagsBack, removeTags, tagsOf, tagsOfEach, type UndoneTags, undoTags } from '../tags/item-tags.ts'
import { mergedInto } from '../tags/merged-tags.ts'
import { countChange, countItem, type Totals } from './counts.ts'
import { identityKeyOf } from './identity.ts'
import { STORED, type StoredRow } from './item.ts'
import type { ItemKey } from './queries.ts'

/** What the journal keeps of an item beside its body. */
export interface ItemBefore extends Omit<StoredRow, 'body'> {
  tags: readonly TagRef[]
  /** When it was deleted, by the file of its import: a time that had not come. Last in the JSON, where imports look for it. */
  deleted_at_in_file?: number | undefined
}

/**
 * What the journal keeps of an item that an operation changed: the columns that it changed, and `updated_at`; the tags
 * that it gave to the item and took from it. A changed body stands beside it.
 */
export interface ChangedBefore extends Partial<Omit<StoredRow, 'body'>> {
  tags_added?: readonly TagRef[]
  tags_removed?: readonly TagRef[]
  /** Ids of the tags that did not exist before. */
  tags_created?: readonly string[]
}

/** What the journal keeps of an item that an operation created; `tags_created`: ids of the tags it created with it. */
export interface CreatedBefore {
  is_created?: true
  tags_created?: readonly string[]
}

/**
 * What the journal keeps of a restored item: when it was deleted, the tags that it had in the trash where it got others in their
 * place, and the ids of the tags that came back with it.
 */
export interface TrashedBefore {
  deleted_at: number
  tags?: readonly TagRef[]
  tags_created?: readonly string[]
}

/** Saves of one session that follow within so many milliseconds make one version (docs/behaviour.md, section 8). */
const ONE_VERSION = 5 * 60_000

interface Locking extends ItemKey {
  session_id: string | null
  since: number
}

/** Another change of the item waits from here on. */
const lock = statement((db, value: Value<Locking>) =>
  db
    .selectFrom('items')
    .select(STORED)
    .select(
      sql<
        number | null
      >`(select case when session_id = ${value('session_id')} and at > ${value('since')} then 1 end
        from changes where owner_id = ${value('owner_id')} and entity_id = items.id and version is not null
        order by seq desc limit 1)`.as('is_one_version'),
    )
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('kind', '=', value('kind'))
    .forUpdate(),
)

/**
 * Locks those of the items that exist, in the order of ids: of two changes of the same items one waits for the other, and
 * never each for the other.
 */
export const lockItems = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(['id', 'kind', 'revision', 'updated_at', 'pinned'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .orderBy('id')
    .forUpdate(),
)

/** The same as {@link lockItems}; resolves to whole rows. */
export const lockWholeItems = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(STORED)
    .select('kind')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .orderBy('id')
    .forUpdate(),
)

/** An item whose row is locked. */
export interface LockedItem {
  row: StoredRow
  /** A save of the session makes no version: one of the same session has just made one. */
  isOneVersion: boolean
}

/** Locks an item for a change at `now`; undefined where it does not exist. */
export async function lockItem(
  trx: Trx,
  key: ItemKey,
  { session_id, now }: { session_id: string | null; now: number },
): Promise<LockedItem | undefined> {
  const [found] = await lock(trx, { ...key, session_id, since: now - ONE_VERSION })
  if (!found) return undefined
  const { is_one_version, ...row } = found
  return { row, isOneVersion: is_one_version === 1 }
}

/** The change of a save, after which the item is at `revision`. */
export function savedChange(
  { kind, id }: ItemKey,
  { row: { body, ...row }, isOneVersion }: LockedItem,
  { tags, revision }: { tags: readonly TagRef[]; revision: number },
): Change {
  const change = { kind, entity_id: id, revision }
  if (isOneVersion) return change
  return {
    ...change,
    version: row.revision,
    before: JSON.stringify({ ...row, tags } satisfies ItemBefore),
    body,
  }
}

/** The change of a save that can be undone as an operation. `tags`: after it. */
export function undoableSave(
  { kind, id }: ItemKey,
  { row: { body, ...row } }: LockedItem,
  {
    before,
    tags,
    created,
    revision,
    document,
  }: {
    before: readonly TagRef[]
    tags: readonly TagRef[]
    created: readonly string[]
    revision: number
    document: string | undefined
  },
): Change {
  const without = (some: readonly TagRef[], others: readonly TagRef[]) =>
    some.filter((tag) => !others.some((other) => other.id === tag.id))
  const kept: ItemBefore & ChangedBefore = {
    ...row,
    tags: before,
    tags_added: without(tags, before),
    tags_removed: without(before, tags),
    tags_created: created,
  }
  return {
    kind,
    entity_id: id,
    revision,
    version: row.revision,
    before: JSON.stringify(kept),
    body,
    document: document ?? null,
    changed_tags: created,
  }
}

const remove = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db.deleteFrom('items').where('owner_id', '=', value('owner_id')).where(value.among('id', 'ids')),
)

/** An index document as the journal keeps it. */
interface KeptDocument extends IndexDocument {
  analyser: number
}

const kept = (document: IndexDocument): string =>
  JSON.stringify({ ...document, analyser: ANALYSER } satisfies KeptDocument)

/** The index document of a stored item, for the journal. */
export async function storedDocument(trx: Trx, owner_id: string, row: StoredRow): Promise<string> {
  const known = await searchIndexOf(trx).documentsOf(trx, owner_id, [row.id])
  return kept(known.get(row.id) ?? (await documentOf(row)))
}

type Texts = Pick<StoredRow, 'title' | 'body' | 'url'>

/** Loads the analysis of texts when it is needed: it takes megabytes, and most documents are kept. */
export async function documentOf({ title, body, url }: Texts): Promise<IndexDocument> {
  const { createIndexDocument } = await import('@kopilka/text/search/document.ts')
  return createIndexDocument({ title, body: htmlToText(body), url: url ?? '' })
}

/** The document that the journal kept, or a new one where another analyser made it. */
export async function documentFrom(kept: string | null, texts: Texts): Promise<IndexDocument> {
  const document: KeptDocument | undefined = kept === null ? undefined : JSON.parse(kept)
  return document?.analyser === ANALYSER ? document : documentOf(texts)
}

/** The terms that the journal kept, of whatever analyser: an older one lacks some stems, but to read a text anew takes long. */
export function keptTerms(kept: string): IndexDocument['terms'] {
  const { terms }: KeptDocument = JSON.parse(kept)
  return terms
}

/** A locked item that is to be removed. */
export interface Removal {
  key: ItemKey
  row: StoredRow
  /** It goes to the trash as deleted then; undefined: it goes as if it had never been. */
  deleted_at?: number | undefined
  deleted_at_in_file?: number | undefined
  /** What it has in the trash in place of its tags. */
  tags?: readonly TagRef[] | undefined
}

/**
 * Takes locked items of one owner out of all tables, and what they counted from `totals`: their tags stay, even where one was
 * their last item. `taken` gets the ids of the tags. Resolves to the changes; those of items that go to the trash have their whole state.
 */
export async function removeItems(
  trx: Trx,
  owner_id: string,
  removals: readonly Removal[],
  totals: Totals,
  taken?: Set<string>,
): Promise<Change[]> {
  const changes: Change[] = []
  const ids = removals.map(({ key }) => key.id)
  const trashed = removals.flatMap(({ key, deleted_at }) => (deleted_at === undefined ? [] : key.id))
  const tags = await tagsOfEach(trx, owner_id, trashed)
  const documents = await searchIndexOf(trx).documentsOf(trx, owner_id, trashed)
  for (const { key, row: stored, tags: given, deleted_at, deleted_at_in_file } of removals) {
    const { id, kind } = key
    const change = { kind, entity_id: id, revision: null }
    if (deleted_at === undefined) changes.push(change)
    else {
      const { body, ...row } = stored
      const named = given ?? tags.get(id) ?? []
      const before = JSON.stringify({ ...row, tags: named, deleted_at_in_file } satisfies ItemBefore)
      const document = kept(documents.get(id) ?? (await documentOf(stored)))
      const { identity_key } = row
      changes.push({ ...change, before, body, document, deleted_at, identity_key })
    }
    countItem(totals, kind, stored, -1)
  }
  for (const tag of await removeTags(trx, owner_id, ids)) taken?.add(tag)
  await searchIndexOf(trx).delete(trx, owner_id, ids)
  await remove(trx, { owner_id, ids })
  return changes
}

const insert = statement((db, value: Value<{ owner_id: string; kind: ItemKind } & StoredRow>) =>
  db.insertInto('items').values(value.row(['owner_id', 'kind', ...STORED])),
)

const removeFromTrash = statement((db, value: Value<{ owner_id: string; item_id: string }>) =>
  db
    .deleteFrom('trash')
    .where('owner_id', '=', value('owner_id'))
    .where('item_id', '=', value('item_id'))
    .returning('deleted_at'),
)

/** What items of the trash are put back with, one after the other in one transaction. */
export interface Restoring {
  /** Gets what they count. */
  readonly totals: Totals
  /** Items that {@link indexRestored} is still to index. */
  entries: IndexEntry[]
  /** How many other items may be reindexed, so that tags that were deleted since come back with their ids. */
  others: number
  /** Bytes of their bodies, at most. */
  othersBytes: number
  /** Whether items get the tags into which theirs were merged since; an undo gives them back those that they had. */
  readonly followsMerges: boolean
}

/** Other items that one transaction indexes again, and bytes of their bodies: more take longer than half a second. */
const MAX_OTHERS = 500
const MAX_OTHERS_BYTES = 500_000

export const newRestoring = (
  totals: Totals,
  { followsMerges }: Pick<Restoring, 'followsMerges'>,
): Restoring => ({
  totals,
  followsMerges,
  entries: [],
  others: MAX_OTHERS,
  othersBytes: MAX_OTHERS_BYTES,
})

/** The bytes of the bodies of those of the items that exist. */
export const bodySizes = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(['id', sql<number>`octet_length(body)`.as('bytes')])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

const bytesOf = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(sql<number | null>`sum(octet_length(body))`.as('bytes'))
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

/**
 * The id with which a deleted tag comes back: its own, once the index of search has it at no item any more, as its deletion
 * left it there; a new one where that would take too long.
 */
async function returningId(
  trx: Trx,
  { owner_id, id, at }: { owner_id: string; id: string; at: number },
  restoring: Restoring,
): Promise<string> {
  const limit = restoring.others + 1
  const items = await searchIndexOf(trx).newest(trx, owner_id, { term: TERMS.tag(id) }, { limit })
  if (items.length === limit) return uuidv7({ msecs: at })
  const ids = items.map((item) => item.id)
  const [sum] = ids.length > 0 ? await bytesOf(trx, { owner_id, ids }) : []
  const bytes = Number(sum?.bytes ?? 0)
  if (bytes > restoring.othersBytes) return uuidv7({ msecs: at })
  restoring.others -= ids.length
  restoring.othersBytes -= bytes
  await reindexTags(trx, owner_id, ids)
  return id
}

/** Indexes the items that were put back, all at once. */
export async function indexRestored(trx: Trx, owner_id: string, restoring: Restoring): Promise<void> {
  if (restoring.entries.length > 0) await searchIndexOf(trx).upsert(trx, owner_id, restoring.entries)
  restoring.entries = []
}

/**
 * Puts an item of the trash back as the change that deleted it kept it, at the next revision; {@link indexRestored} makes it
 * found. Resolves to the change; undefined where the item is not in the trash.
 */
export async function putBackItem(
  trx: Trx,
  { owner_id, entity_id: id, kind, at, before, body, document }: ChangesTable,
  restoring: Restoring,
): Promise<Change | undefined> {
  const { totals, followsMerges } = restoring
  if (kind === 'tag' || before === null || body === null) return undefined
  const [trashed] = await removeFromTrash(trx, { owner_id, item_id: id })
  if (!trashed) return undefined
  const { tags: tagsBefore, ...kept }: ItemBefore = JSON.parse(before)
  const identity_key = identityKeyOf({ ...kept, body })
  const row = { ...kept, body, identity_key, revision: kept.revision + 1 }
  const key = { owner_id, id, kind }
  await insert(trx, { ...key, ...row })
  const { tags, created } = await giveTagsBack(
    trx,
    key,
    tagsBefore,
    (tag) => returningId(trx, { owner_id, id: tag, at: Number(at) }, restoring),
    followsMerges ? (deleted) => mergedInto(trx, owner_id, deleted) : undefined,
  )
  restoring.entries.push({
    item: { ...key, created_at: row.created_at },
    document: await documentFrom(document, row),
    tagIds: tags.map((tag) => tag.id),
  })
  countItem(totals, kind, row, 1)
  totals.tags += created.length
  const { deleted_at } = trashed
  const isSame = ({ id, name }: TagRef) => tags.some((tag) => tag.id === id && tag.name === name)
  const restored: TrashedBefore = {
    deleted_at,
    ...(!tagsBefore.every(isSame) && { tags: tagsBefore }),
    ...(created.length > 0 && { tags_created: created }),
  }
  const change = { kind, entity_id: id, revision: row.revision, changed_tags: created }
  return { ...change, before: JSON.stringify(restored) }
}

/** Locked: a save that has not been committed yet would be indexed as it was before. */
const itemsOf = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(['id', 'kind', 'created_at'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids'))
    .orderBy('id')
    .forUpdate(),
)

const wholeOf = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  db
    .selectFrom('items')
    .select(STORED)
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

/** Items that are put into the index at once. */
const INDEXED_AT_ONCE = 100

/** Updates the index of search after the tags of items changed, their texts did not. */
export async function reindexTags(trx: Trx, owner_id: string, ids: readonly string[]): Promise<void> {
  const index = searchIndexOf(trx)
  for (let from = 0; from < ids.length; from += INDEXED_AT_ONCE) {
    const entries: IndexEntry[] = []
    const items = await itemsOf(trx, { owner_id, ids: ids.slice(from, from + INDEXED_AT_ONCE) })
    const found = items.map(({ id }) => id)
    const tags = await tagsOfEach(trx, owner_id, found)
    const documents = await index.documentsOf(trx, owner_id, found)
    for (const item of items) {
      const known = documents.get(item.id)
      const [row] = known ? [] : await wholeOf(trx, { owner_id, id: item.id })
      const document = known ?? (row && (await documentOf(row)))
      if (document) entries.push({ item, document, tagIds: (tags.get(item.id) ?? []).map(({ id }) => id) })
    }
    if (entries.length > 0) await index.upsert(trx, owner_id, entries)
  }
}

/**
 * Undoes a change of an item whose row is locked: puts the columns and tags back that it changed. Where it changed tags alone,
 * `retagged` gets the item, which is then to be indexed.
 */
export async function undoItemChange(
  trx: Trx,
  key: ItemKey,
  { seq, before, body, document }: Pick<ChangesTable, 'seq' | 'before' | 'body' | 'document'>,
  { row, retagged, ...undone }: { row: StoredRow; totals: Totals; retagged: Set<string> } & UndoneTags,
): Promise<Change> {
  const { owner_id, kind, id } = key
  const { tags_added = [], tags_removed = [], ...rest }: ChangedBefore = JSON.parse(before ?? '{}')
  const columns = Object.fromEntries(
    Object.entries({ ...rest, ...(body !== null && { body }) }).filter(
      ([column]) => column !== 'id' && column !== 'revision' && STORED.some((stored) => stored === column),
    ),
  )
  const changed = await trx
    .updateTable('items')
    .set(({ eb }) => ({
      ...columns,
      identity_key: identityKeyOf({ ...row, ...columns }),
      revision: eb('revision', '+', 1),
    }))
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .returning(STORED)
    .executeTakeFirstOrThrow()
  countChange(undone.totals, kind, row, changed)
  await undoTags(trx, key, { seq: Number(seq), added: tags_added, removed: tags_removed }, undone)
  const change = { kind, entity_id: id, revision: changed.revision }
  const sameTexts = body === null && !('title' in columns || 'url' in columns)
  if (sameTexts) {
    if (tags_added.length + tags_removed.length > 0) retagged.add(id)
    return change
  }
  await searchIndexOf(trx).upsert(trx, owner_id, [
    {
      item: { ...key, created_at: changed.created_at },
      document: await documentFrom(document, changed),
      tagIds: (await tagsOf(trx, key)).map((tag) => tag.id),
    },
  ])
  return change
}
