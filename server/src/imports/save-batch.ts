import { deserialize } from 'node:v8'
import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { Import } from '@kopilka/contract/imports.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { EXCERPT_LENGTH, MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { excerptOf } from '@kopilka/text/truncate.ts'
import { sql } from 'kysely'
import { command, preparedCommand } from '../db/command.ts'
import type { ImportsTable, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Quotas } from '../db/usage.ts'
import { codeOf } from '../errors.ts'
import { nameFiles } from '../files/references.ts'
import { addTotals, countChange, noTotals, type Totals } from '../items/counts.ts'
import { identityKeyOf } from '../items/identity.ts'
import type { StoredRow } from '../items/item.ts'
import {
  type ChangedBefore,
  type CreatedBefore,
  documentFrom,
  type ItemBefore,
  lockItem,
  type Removal,
  removeItems,
  storedDocument,
  undoableSave,
} from '../items/item-changes.ts'
import type { ItemKey } from '../items/queries.ts'
import { insertItem } from '../items/store.ts'
import { type Attempt, renewLease } from '../jobs/queue.ts'
import { type Change, recordChanges, recordWholeOperation } from '../journal/journal.ts'
import { searchIndexOf } from '../search/index.ts'
import type { IndexEntry } from '../search/search-index.ts'
import { addTags, addTagsToAll, createTags, removeUnusedTags, tagsOf } from '../tags/item-tags.ts'
import type { CreatedTag } from '../tags/tag-changes.ts'
import { findCopies, findExistingItems, isComparedInFile, trashedBefore } from './existing-items.ts'
import { keyOf } from './merged-text.ts'
import { bodyWith, isMergedInto, type PreparedRow } from './prepare-batch.ts'
import type { ImportMessage, ImportReason } from './row.ts'
import { type ImportKey, lockImport, type RunOptions, setImport } from './store.ts'

/** A batch to save. */
interface Batch {
  key: ImportKey
  attempt: Attempt
  leased_until: number
  /** The place of the last batch: a batch that was saved already is not saved again. */
  after: number
  last: number
  /** {@link PreparedRow}s, serialised. They are moved, not copied: a batch is saved once. */
  rows: Uint8Array<ArrayBuffer>
  options: RunOptions
  quotas: Quotas
  now: number
}

const deleteSaved = statement((db, value: Value<ImportKey & { after: number; last: number }>) =>
  db
    .deleteFrom('import_rows')
    .where('owner_id', '=', value('owner_id'))
    .where('import_id', '=', value('id'))
    .where('seq', '>', value('after'))
    .where('seq', '<=', value('last'))
    .where('kind', 'is not', null),
)

/**
 * Makes entries tell what of them is not imported, so that they stay once their items are saved: only their numbers, as no word of an
 * item is to outlive it. The name of a file is the title of its note. `state`: 'new' where the dry run has told all of it.
 */
const keepReasons = statement(
  (db, value: Value<ImportKey & { seqs: readonly number[]; state: 'ignored' | 'new'; reasons: string }>) =>
    db
      .updateTable('import_rows')
      .set({
        ...{ kind: null, title: '', url: null, identity_key: null, item: null },
        place: sql<string>`case when place like '%"file":%' then '{}' else place end`,
        ...value.row(['state', 'reasons']),
      })
      .where('owner_id', '=', value('owner_id'))
      .where('import_id', '=', value('id'))
      .where(value.among('seq', 'seqs', 'bigint')),
)

const STALE = 'STALE_BATCH'

/** A kept item was changed since the batch was prepared: what it becomes is not analysed yet. */
class StaleBatch extends Error {
  readonly code = STALE
}

/** Whether a batch was not saved and is to be prepared again; the error may come from another thread. */
export const isStale = (error: unknown): boolean => codeOf(error) === STALE

/** What the transaction of a batch collects. */
interface Saving {
  readonly now: number
  readonly totals: Totals
  readonly changes: Change[]
  /** Earlier versions: no part of the operation, as what they tell was before it. */
  readonly versions: Change[]
  readonly entries: IndexEntry[]
  readonly owner_id: string
  readonly operation_id: string | null
}

/** Reads the rows, and frees their bytes at once: V8 would keep tens of megabytes of them until it collects garbage. */
function readRows({ rows: bytes, ...batch }: Batch) {
  const rows: readonly PreparedRow[] = deserialize(bytes)
  bytes.buffer.transfer(0)
  return { ...batch, rows }
}

/**
 * Saves the items of a batch, all or none. False where the import is not running any more, or another server runs it. Throws
 * an error that {@link isStale} knows.
 */
export const saveBatch = preparedCommand('imports.save-batch', readRows, saveRows, {
  moved: ({ rows }: Batch) => [rows.buffer],
  // An import goes on after the last batch that is on the disk; finishImport waits for all of them.
  isDeferred: true,
})

async function saveRows(trx: Trx, batch: ReturnType<typeof readRows>): Promise<boolean> {
  const { key, options, now, after, last, rows } = batch
  const { owner_id } = key
  if (!(await renewLease(trx, batch.attempt, batch.leased_until))) return false
  const found = await lockImport(trx, key)
  if (found?.state !== 'running') return false
  if (found.position !== after) return true
  const { operation_id } = found
  const collected = { totals: noTotals(), changes: [], versions: [], entries: [] }
  const saving: Saving = { now, owner_id, operation_id, ...collected }
  const result = { added: found.added, merged: found.merged, skipped: found.skipped }
  const known = await findExistingItems(
    trx,
    found,
    rows.map(({ item }) => item.saved),
  )
  const copies =
    options.duplicates === 'merge' ? await findCopies(trx, found, { rows, kept: known }) : undefined
  const isTrashed = await trashedBefore(trx, found, rows.map(deletionOf), now)
  const added: PreparedRow[] = []
  const merged: (readonly [ItemKey, PreparedRow, isOfFile: boolean])[] = []
  for (const row of rows) {
    const { identity_key } = row.item.saved
    const { seq, kind, id, deletedAt } = row
    const isDeleted = deletedAt !== undefined
    const existing = isDeleted || identity_key === null ? undefined : known.get(identity_key)
    if ((!existing && !isTrashed(deletionOf(row))) || options.duplicates === 'add') {
      added.push(row)
      if (identity_key !== null && !isDeleted && isComparedInFile(found, row.item.saved))
        known.set(identity_key, { id, isOfFile: true })
    } else if (existing && isMergedInto(existing, options)) {
      // Keys of notes and of links differ.
      const { isOfFile } = existing
      merged.push([{ owner_id, kind, id: copies?.get(seq) ?? existing.id }, row, isOfFile])
    } else result.skipped += 1
  }
  result.added += added.length
  const listed = await createListedTags(trx, batch, found, saving)
  const others = merged.flatMap(([, { item }]) => item.tags ?? [])
  const named = await addItems(trx, added, others, saving)
  const lost: Lost[] = added.map((row) => [row, tagsLost(row.lostTags)])
  for (const [same, row, isOfFile] of merged) {
    const { isMore, reasons } = await mergeInto(trx, same, { row, isOfFile }, saving)
    // One that repeats another of the file is none of its own, whatever it adds to that.
    result[isMore && options.duplicates === 'merge' ? 'merged' : 'skipped'] += 1
    lost.push([row, reasons])
  }
  // One of the trash, or a kept one without room, may be the only item that a tag was created for.
  saving.totals.tags -= (await removeUnusedTags(trx, owner_id, named)).length
  await searchIndexOf(trx).upsert(trx, owner_id, saving.entries)
  await addTotals(trx, owner_id, saving.totals, batch.quotas)
  const seqs = await record(trx, found, saving, { listed, named })
  const notSaved = lost.filter(isNotSaved)
  for (const [state, some] of [
    ['ignored', notSaved],
    ['new', lost.filter((one) => !isNotSaved(one))],
  ] as const)
    for (const [reasons, numbers] of byReasons(some))
      await keepReasons(trx, { ...key, state, reasons, seqs: numbers })
  const ignored = notSaved.length
  await deleteSaved(trx, { ...key, after, last })
  await setImport(trx, key, {
    ...{ ...result, ...seqs, done: last, position: last },
    ...(ignored > 0 && { summary: withIgnored(found.summary, ignored) }),
  })
  return true
}

const tagsLost = (count: number): ImportReason[] => (count > 0 ? [`importManyTags:${count}`] : [])

/** An entry, and what of it the saving left out besides what the dry run has told. */
type Lost = readonly [PreparedRow, readonly ImportReason[]]

const isNotSaved = ([{ isWithoutPage }, lost]: Lost): boolean => isWithoutPage || lost.length > 0

/** The numbers of entries of which something is not imported, by the JSON of what. */
function byReasons(rows: readonly Lost[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>()
  for (const [{ seq, isWithoutPage, remarks }, lost] of rows) {
    const reasons: ImportReason[] = [
      ...(isWithoutPage ? (['importPageNotRead'] as const) : []),
      ...lost,
      ...remarks,
    ]
    const key = JSON.stringify(reasons)
    if (reasons.length > 0) numbers.set(key, [...(numbers.get(key) ?? []), seq])
  }
  return numbers
}

function withIgnored(json: string, more: number): string {
  const summary: Import['summary'] = JSON.parse(json)
  return JSON.stringify({ ...summary, ignored: summary.ignored + more })
}

const deletionOf = ({ deletedAt, item }: PreparedRow) => ({
  deletedAt,
  identity_key: item.saved.identity_key,
})

/** Creates the tags that the file lists, with its first batch. Resolves to the ids of those that are new. */
async function createListedTags(
  trx: Trx,
  { after }: Pick<Batch, 'after'>,
  { listed_tags }: ImportsTable,
  { owner_id, now, totals }: Saving,
): Promise<string[]> {
  const created: string[] = []
  const names: string[] = after === 0 ? JSON.parse(listed_tags) : []
  await createTags(trx, owner_id, names, { now, totals, created })
  return created
}

/**
 * Adds items with their earlier versions, to the trash where they were there. Creates missing tags, also `others`; resolves to
 * the ids of these.
 */
async function addItems(
  trx: Trx,
  rows: readonly PreparedRow[],
  others: readonly string[],
  { owner_id, now, totals, changes, versions, entries }: Saving,
): Promise<string[]> {
  const added = []
  for (const entry of rows) {
    const {
      kind,
      id,
      item,
      createdAt: created_at = now,
      updatedAt: updated_at = created_at,
      revision,
    } = entry
    const row = { key: { owner_id, id, kind }, item, created_at, updated_at, revision }
    added.push({ entry, row: await insertItem(trx, row, totals) })
  }
  const named = rows.map(({ id, kind, item }) => ({ id, kind, names: item.tags ?? [] }))
  const created: string[] = []
  const given = await addTagsToAll(trx, owner_id, named, { others, now, totals, created })
  const removals: Removal[] = []
  const removed: IndexEntry[] = []
  for (const { entry: one, row } of added) {
    const { kind, id, item, revision, versions: earlier, deletedAt } = one
    const key = { owner_id, id, kind }
    const before = JSON.stringify({ is_created: true } satisfies CreatedBefore)
    changes.push({ kind, entity_id: id, revision, before })
    for (const version of earlier) {
      versions.push(versionOf(key, row, version))
      await nameFiles(trx, key, version.body)
    }
    const indexed = { id, kind, created_at: row.created_at }
    const tags = given.get(id) ?? []
    const entry = { item: indexed, document: item.document, tagIds: idsOf(tags) }
    if (deletedAt === undefined) entries.push(entry)
    else {
      removed.push(entry)
      // The trash would keep an item for ever that is deleted only one day.
      const times = {
        deleted_at: Math.min(deletedAt, now),
        deleted_at_in_file: deletedAt > now ? deletedAt : undefined,
      }
      removals.push({ key, row: { ...item.saved, ...row }, tags: spelledAs(item.tags ?? [], tags), ...times })
    }
  }
  if (removals.length > 0) {
    await searchIndexOf(trx).upsert(trx, owner_id, removed)
    changes.push(...(await removeItems(trx, owner_id, removals, totals)))
  }
  return created
}

const idsOf = (tags: readonly TagRef[]): string[] => tags.map(({ id }) => id)

/** The tags of an item in the spelling of its entry: the trash keeps the one that they had, whatever it is now. */
function spelledAs(names: readonly string[], tags: readonly TagRef[]): TagRef[] {
  const spellings = new Map(names.map((name) => [tagNameKey(name), name]))
  return tags.map(({ id, name }) => ({ id, name: spellings.get(tagNameKey(name)) ?? name }))
}

/** The change that keeps an earlier version, as the save that followed it recorded it. */
function versionOf(
  { kind, id }: ItemKey,
  saved: Omit<StoredRow, 'title_key' | 'identity_key'>,
  { title, url, body, tags, revision, savedAt, replacedAt }: PreparedRow['versions'][number],
): Change {
  const before: Omit<ItemBefore, 'title_key' | 'identity_key'> = {
    ...{ id, title, url, revision, pinned: saved.pinned, created_at: saved.created_at, updated_at: savedAt },
    excerpt: excerptOf(htmlToText(body), EXCERPT_LENGTH),
    tags: tags.map((name) => ({ id: '', name })),
  }
  return {
    ...{ kind, entity_id: id, revision: revision + 1, version: revision, body, at: replacedAt },
    before: JSON.stringify(before),
  }
}

const mergeRow = statement(
  (
    db,
    value: Value<
      ItemKey & Pick<StoredRow, 'body' | 'excerpt' | 'identity_key' | 'pinned' | 'created_at' | 'updated_at'>
    >,
  ) =>
    db
      .updateTable('items')
      .set(({ eb }) => ({
        ...value.row(['body', 'excerpt', 'identity_key', 'pinned', 'created_at', 'updated_at']),
        revision: eb('revision', '+', 1),
      }))
      .where('owner_id', '=', value('owner_id'))
      .where('id', '=', value('id')),
)

/** The earlier versions that an item has. */
const versionsOf = statement((db, value: Value<ItemKey>) =>
  db
    .selectFrom('changes')
    .select('before')
    .where('owner_id', '=', value('owner_id'))
    .where('entity_id', '=', value('id'))
    .where('version', 'is not', null),
)

/** How many of the earlier versions an item lacks. */
async function countMissing(trx: Trx, key: ItemKey, versions: PreparedRow['versions']): Promise<number> {
  if (versions.length === 0) return 0
  const keyIn = (savedAt: number, title: string): string => JSON.stringify([savedAt, title])
  const kept = (await versionsOf(trx, key)).map(({ before }) => {
    // Written by versionOf and undoableSave.
    const { updated_at, title }: ItemBefore = JSON.parse(before ?? '{}')
    return keyIn(updated_at, title)
  })
  const keys = new Set(kept)
  return versions.filter(({ savedAt, title }) => !keys.has(keyIn(savedAt, title))).length
}

/** The operation that changed an item last; null where none did. */
const lastChange = statement((db, value: Value<ItemKey>) =>
  db
    .selectFrom('changes')
    .select('operation_id')
    .where('owner_id', '=', value('owner_id'))
    .where('entity_id', '=', value('id'))
    .orderBy('seq', 'desc')
    .limit(1),
)

/** Whether the import itself made the last change of a locked item. */
async function isOwnLast(trx: Trx, key: ItemKey, { changes, operation_id }: Saving): Promise<boolean> {
  if (changes.some(({ entity_id }) => entity_id === key.id)) return true
  const [last] = await lastChange(trx, key)
  return last?.operation_id === operation_id
}

/**
 * The change of an item that the import has created, and has changed last: an undo removes the item, or puts back the texts that a
 * change before this one keeps. So this one keeps none: they may be long, and a file may repeat the item as often as it has
 * entries. `updated_at` is not the first column: those who follow the
 * journal read the texts anew (changes/rows.ts).
 */
function withoutVersion(
  { kind, entity_id, revision }: Change,
  { created_at, updated_at, pinned }: StoredRow,
  tags_added: readonly TagRef[],
): Change {
  const before = JSON.stringify({ created_at, updated_at, pinned, tags_added } satisfies ChangedBefore)
  return { kind, entity_id, revision, before }
}

interface Merge {
  /** The entry had something more. */
  readonly isMore: boolean
  /** What of it was not added. */
  readonly reasons: readonly ImportReason[]
}

/** Adds to a kept item what the entry has more: tags, a text that is not in its own, a pin, an older date of creation. */
async function mergeInto(
  trx: Trx,
  key: ItemKey,
  { row, isOfFile }: { row: PreparedRow; isOfFile: boolean },
  saving: Saving,
): Promise<Merge> {
  const { owner_id, now, totals, changes, entries } = saving
  const locked = await lockItem(trx, key, { session_id: null, now })
  if (!locked) return { isMore: false, reasons: [] }
  const stored = locked.row
  const before = await tagsOf(trx, key)
  const keys = new Set(before.map(({ name }) => tagNameKey(name)))
  const room = Math.max(0, MAX_TAGS_PER_ITEM - before.length)
  const missing = (row.item.tags ?? []).filter((name) => !keys.has(tagNameKey(name)))
  const names = missing.slice(0, room)
  const both = bodyWith(stored.body, row)
  const body = both ?? stored.body
  const lostTags = missing.length - names.length + row.lostTags
  const lostVersions = await countMissing(trx, key, row.versions)
  const reasons: ImportReason[] = [
    ...(both === undefined ? (['importTextNotMerged'] as const) : []),
    ...tagsLost(lostTags),
    ...(lostVersions > 0 ? [`importVersionsNotMerged:${lostVersions}` as const] : []),
  ]
  const pinned = Math.max(stored.pinned, Number(row.item.pinned ?? false))
  const created_at = Math.min(stored.created_at, row.createdAt ?? stored.created_at)
  const isMore =
    names.length > 0 || body !== stored.body || pinned !== stored.pinned || created_at !== stored.created_at
  if (!isMore) return { isMore, reasons }
  const document = await storedDocument(trx, owner_id, stored)
  const isLonger = body !== stored.body
  if (isLonger && row.merged?.key !== keyOf({ ...stored, body })) throw new StaleBatch()
  const merged = {
    ...{ ...stored, body, pinned, created_at },
    ...(isLonger && row.merged && { excerpt: row.merged.excerpt }),
    identity_key: identityKeyOf({ ...stored, body }),
  }
  // An item of the same file is changed when the file says.
  const updated_at = isOfFile ? Math.max(stored.updated_at, row.updatedAt ?? 0) : now
  await mergeRow(trx, { ...merged, ...key, updated_at })
  await nameFiles(trx, key, body)
  countChange(totals, key.kind, stored, merged)
  const tags = [...before, ...(await addTags(trx, key, names, { now, totals }))]
  const revision = stored.revision + 1
  const saved = undoableSave(key, locked, { before, tags, created: [], revision, document })
  const isTextKept = isOfFile && (await isOwnLast(trx, key, saving))
  changes.push(isTextKept ? withoutVersion(saved, stored, tags.slice(before.length)) : saved)
  const at = entries.findIndex(({ item }) => item.id === key.id)
  if (at >= 0) entries.splice(at, 1)
  const analysed = (isLonger && row.merged?.document) || (await documentFrom(document, merged))
  entries.push({ item: { ...key, created_at }, document: analysed, tagIds: idsOf(tags) })
  return { isMore, reasons }
}

/** The change of a tag that was created by itself. */
const createdTag = (id: string): Change => ({
  kind: 'tag',
  entity_id: id,
  revision: 0,
  before: JSON.stringify({ is_created: true } satisfies CreatedTag),
})

/**
 * Records the changes. The first one of an item names the tags that were created, so that an undo removes them; tags that the
 * file lists have changes of their own where there is none.
 */
async function record(
  trx: Trx,
  { session_id, operation_id, first_seq }: ImportsTable,
  { owner_id, now, changes: ofItems, versions }: Saving,
  { listed, named }: { listed: readonly string[]; named: readonly string[] },
): Promise<Pick<ImportsTable, 'first_seq' | 'last_seq'> | undefined> {
  const author = { owner_id, session_id, now }
  if (versions.length > 0) await recordChanges(trx, author, versions)
  const [own] = ofItems
  const changes = own ? ofItems : listed.map(createdTag)
  if (changes.length === 0) return undefined
  const tags_created = [...listed, ...named]
  if (own && tags_created.length > 0) {
    own.before = JSON.stringify({
      ...JSON.parse(own.before ?? '{}'),
      tags_created,
    } satisfies CreatedBefore)
    own.changed_tags = tags_created
  }
  const { first, last } = await recordChanges(trx, author, changes, { operation_id })
  return { first_seq: first_seq ?? first, last_seq: last }
}

interface Finish {
  key: ImportKey
  now: number
  state: 'done' | 'cancelled' | 'failed'
  /** Why it failed. */
  error?: ImportMessage | `${string}Quota` | null
}

/** Ends a run. Records what it has saved as an operation; resolves to its id, to be undone where it was cancelled. */
export const finishImport = command(
  'imports.finish',
  async (trx, { key, now, state, error = null }: Finish): Promise<string | undefined> => {
    const found = await lockImport(trx, key)
    if (!found) return undefined
    if (found.state === 'running') {
      const done = state === 'done' ? found.total : found.done
      await setImport(trx, key, { state, error, done, sample: '[]', listed_tags: '[]' })
    }
    const { first_seq, last_seq, operation_id, added, merged } = found
    if (first_seq === null || last_seq === null || operation_id === null) return undefined
    if (!(await isRecorded(trx, { owner_id: key.owner_id, id: operation_id }))) {
      const operation = { owner_id: key.owner_id, id: operation_id, action: 'import' as const, at: now }
      await recordWholeOperation(trx, { ...operation, items: added + merged, first_seq, last_seq })
    }
    return operation_id
  },
)

async function isRecorded(trx: Trx, { owner_id, id }: ImportKey): Promise<boolean> {
  const found = await trx
    .selectFrom('operations')
    .select('id')
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return found !== undefined
}
