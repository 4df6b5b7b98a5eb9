import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import { command, preparedCommand } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import { ownerLock } from '../db/owner-lock.ts'
import { pipelined } from '../db/pipelined.ts'
import type { Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { isConverted, type KeepPictures } from '../files/data-pictures.ts'
import { nameFiles, namesFiles } from '../files/references.ts'
import { sha256 } from '../hash.ts'
import {
  type Author,
  type NewOperation,
  newOperation,
  recordChanges,
  recordOperation,
} from '../journal/journal.ts'
import { searchIndexOf } from '../search/index.ts'
import type { IndexedItem } from '../search/search-index.ts'
import {
  addTagsToAll,
  assignTags,
  changedNames,
  countTagsOf,
  replaceTags,
  type TagCreation,
  tagsOf,
} from '../tags/item-tags.ts'
import { type NamedTag, namesByNow } from '../tags/named-tags.ts'
import type { Pool } from '../threads/pool.ts'
import { addTotals, countChange, countItem, noTotals, type Totals } from './counts.ts'
import { findIdempotentResult, requestHash } from './idempotency.ts'
import { type ItemContent, type ItemDraft, type ItemRow, SAVED, type SavedContent } from './item.ts'
import {
  type LockedItem,
  lockItem,
  removeItems,
  savedChange,
  storedDocument,
  undoableSave,
} from './item-changes.ts'
import type { PreparedItem } from './prepare.ts'
import { findItem, hasItem, type ItemKey } from './queries.ts'
import { idsOfLinksTo } from './same-links.ts'

/** The outcome of a change that may be limited to certain revisions. `unchanged`: nothing was left to change, nor recorded. */
export type Outcome<T> = { done: T; unchanged?: true } | { refused: 'missing' | 'changed' }

type InsertedRow = ItemKey &
  SavedContent & { pinned: number; revision: number; created_at: number; updated_at: number }

const insert = statement((db, value: Value<InsertedRow>) =>
  db
    .insertInto('items')
    .values(
      value.row(['owner_id', 'id', 'kind', ...SAVED, 'pinned', 'revision', 'created_at', 'updated_at']),
    ),
)

type ChangedRow = ItemKey & SavedContent & { pinned: number | null; updated_at: number }

const change = statement((db, value: Value<ChangedRow>) =>
  db
    .updateTable('items')
    .set(({ eb, fn, ref }) => ({
      ...value.row([...SAVED, 'updated_at']),
      pinned: fn.coalesce(value('pinned'), ref('pinned')),
      revision: eb('revision', '+', 1),
    }))
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .returning(['revision', 'created_at', 'pinned']),
)

/** Locks an item that is at one of the revisions; without revisions, at any. */
async function lockAt(
  trx: Trx,
  key: ItemKey,
  author: Author,
  revisions: readonly number[] | undefined,
): Promise<Outcome<LockedItem>> {
  const locked = await lockItem(trx, key, author)
  if (!locked) return { refused: 'missing' }
  return revisions && !revisions.includes(locked.row.revision) ? { refused: 'changed' } : { done: locked }
}

const index = (
  trx: Trx,
  item: IndexedItem,
  { document }: PreparedItem,
  tags: readonly { id: string }[],
  { isNew = false } = {},
) =>
  searchIndexOf(trx).upsert(trx, item.owner_id, [{ item, document, tagIds: tags.map(({ id }) => id), isNew }])

/** Length of a body, in characters, from which its item is prepared in another thread: analysing it takes some 25 ms. */
const LONG = 8_000

/**
 * The same while the owner has more than a few saves under way: a hundred at once would hold up those of others. The trip to a
 * warm thread takes half a millisecond; a cold one takes longer to start than these few take.
 */
const LONG_BESIDE_OTHERS = 1_000
const FEW = 3

/** An item as sent or, if it is long, already prepared. */
type SentItem = { draft: ItemDraft } | { prepared: PreparedItem }

/** Loaded with the first item: it takes megabytes, and on SQLite only the writer thread needs it. */
let preparing: typeof import('./prepare.ts') | undefined

async function prepared<Args extends { key: ItemKey; item: SentItem }>(args: Args) {
  if ('prepared' in args.item) return { ...args, item: args.item.prepared }
  preparing ??= await import('./prepare.ts')
  return { ...args, item: preparing.prepareItem(args.key.kind, args.item.draft) }
}

/** An imported item may have no text. */
async function withoutBody(draft: ItemDraft): Promise<{ prepared: PreparedItem }> {
  preparing ??= await import('./prepare.ts')
  return { prepared: preparing.analyseItem(draft) }
}

/** Inserts an item, which has yet to get its tags and to go into the search index. Adds it to the totals. */
export async function insertItem(
  trx: Trx,
  { key, item, created_at, updated_at, revision }: NewRow,
  totals: Totals,
): Promise<Omit<ItemRow, 'tags'>> {
  const { id } = key
  const row = { ...item.saved, id, pinned: Number(item.pinned ?? false), revision, created_at, updated_at }
  await insert(trx, { ...key, ...row })
  await nameFiles(trx, key, row.body)
  countItem(totals, key.kind, row, 1)
  return row
}

interface NewRow {
  key: ItemKey
  item: PreparedItem
  created_at: number
  updated_at: number
  revision: number
}

interface Creation {
  key: ItemKey
  session_id: string | null
  item: SentItem
  created_at: number
  now: number
  idempotencyKey: string | undefined
  /** Hash of the body as sent, where pictures were written in it: which of them become files depends on the room for them. */
  sentBody?: string | undefined
  /** Creates nothing where a link to the same page is kept. */
  unlessSame?: boolean
  quotas: Quotas
}

/** Of concurrent requests for one page the second finds the link of the first. */
const lockPages = ownerLock('samePage')

/** Resolves to the item, or to the id of the item that is there: of the same request, or to the same page. */
export const createItem = preparedCommand(
  'items.create',
  (creation: Creation) => prepared(creation),
  async (
    trx,
    { key, session_id, item, created_at, now, idempotencyKey, sentBody, unlessSame, quotas },
  ): Promise<{ created: ItemRow } | { before: string }> => {
    if (unlessSame) {
      const { owner_id } = key
      await lockPages(trx, owner_id)
      const [before] = await idsOfLinksTo(trx, { owner_id, url: item.saved.url ?? '', limit: 1 })
      if (before !== undefined) return { before }
    }
    if (idempotencyKey !== undefined) {
      const { excerpt, title_key, identity_key, ...content } = item.saved
      const body = sentBody ?? content.body
      const sent = { ...content, body, tags: item.tags ?? [], pinned: item.pinned }
      const request_hash = requestHash(key.kind, sent)
      const request = { owner_id: key.owner_id, key: idempotencyKey, request_hash, item_id: key.id, now }
      const before = await findIdempotentResult(trx, request)
      if (before !== undefined) return { before }
    }
    const totals = noTotals()
    const created = { key, item, created_at, updated_at: created_at, revision: 1 }
    const changed_tags: string[] = []
    const insertion = (trx: Trx) => insertItem(trx, created, totals)
    const tagging = (trx: Trx) =>
      countTagsOf(trx, key, item.tags ?? [], { now, totals, created: changed_tags })
    // Every save locks pictures before tags.
    const [row, tags] = namesFiles(item.saved.body)
      ? [await insertion(trx), await tagging(trx)]
      : await pipelined(trx, [insertion, tagging])
    const { owner_id, kind, id } = key
    const change = { kind, entity_id: id, revision: 1, changed_tags }
    await pipelined(trx, [
      (trx) => assignTags(trx, key, tags),
      (trx) => index(trx, { ...key, created_at }, item, tags, { isNew: true }),
      (trx) => addTotals(trx, owner_id, totals, quotas),
      // Whoever counts the copies of a page holds the row of `usage`, which has been locked by then.
      (trx) => recordChanges(trx, { owner_id, session_id, now }, [change]),
    ])
    return { created: { ...row, tags } }
  },
)

/**
 * Creates many items in one transaction: all tags, then all terms, then all counts. Item by item, two transactions of one
 * owner would lock tags, words and counts crosswise.
 */
export const createItems = preparedCommand(
  'items.create-many',
  (creations: readonly Creation[]) => Promise.all(creations.map(prepared)),
  async (trx, creations) => {
    const owners = Map.groupBy(creations, ({ key }) => key.owner_id)
    for (const [owner_id, own] of [...owners].sort(([one], [other]) => (one < other ? -1 : 1)))
      await createAll(trx, owner_id, own)
  },
)

type PreparedCreation = Awaited<ReturnType<typeof prepared<Creation>>>

async function createAll(trx: Trx, owner_id: string, creations: readonly PreparedCreation[]): Promise<void> {
  const [first] = creations
  if (!first) return
  const { session_id, now, quotas } = first
  const totals = noTotals()
  for (const { key, item, created_at } of creations)
    await insertItem(trx, { key, item, created_at, updated_at: created_at, revision: 1 }, totals)
  const named = creations.map(({ key, item }) => ({ ...key, names: item.tags ?? [] }))
  const created: string[] = []
  const tags = await addTagsToAll(trx, owner_id, named, { others: [], now, totals, created })
  const entries = creations.map(({ key: { id, kind }, item: { document }, created_at }) => ({
    item: { id, kind, created_at },
    document,
    tagIds: (tags.get(id) ?? []).map((tag) => tag.id),
  }))
  await searchIndexOf(trx).upsert(trx, owner_id, entries)
  await addTotals(trx, owner_id, totals, quotas)
  const changed_tags = [...created]
  const changes = creations.map(({ key }) => ({
    ...{ kind: key.kind, entity_id: key.id, revision: 1 },
    changed_tags: changed_tags.splice(0),
  }))
  await recordChanges(trx, { owner_id, session_id, now }, changes)
}

interface Change {
  key: ItemKey
  item: SentItem
  /** The item must be at one of these; undefined: at any. */
  revisions: readonly number[] | undefined
  session_id: string | null
  now: number
  quotas: Quotas
  /** The operation that the change is, which can be undone; undefined where it is a save. */
  operation?: NewOperation | undefined
  /** Tags in place of those of the item, looked up before it was prepared. */
  namedTags?: readonly NamedTag[] | undefined
}

/**
 * The stored item if it already equals the result of a change. Such a change is no conflict: its response may have been
 * lost and the request sent again (RFC 9110, section 13.1.1).
 */
async function findSame(
  trx: Trx,
  key: ItemKey,
  { saved: { title_key, identity_key, ...saved }, tags, tagChanges, pinned }: PreparedItem,
): Promise<ItemRow | undefined> {
  const stored = await findItem(trx, key)
  if (!stored || Object.entries(saved).some(([column, value]) => Reflect.get(stored, column) !== value))
    return undefined
  if (pinned !== undefined && Number(pinned) !== stored.pinned) return undefined
  const names = stored.tags.map(({ name }) => name)
  const wanted = tags ?? (tagChanges ? changedNames(names, tagChanges) : names)
  const keys = new Set(names.map(tagNameKey))
  const sameTags = wanted.length === keys.size && wanted.every((name) => keys.has(tagNameKey(name)))
  return sameTags ? stored : undefined
}

/** Replaces or changes the tags of a locked item, or leaves them as they are. Resolves to its tags. */
async function saveTags(
  trx: Trx,
  key: ItemKey,
  before: readonly TagRef[],
  { tags, tagChanges }: PreparedItem,
  creation: TagCreation,
): Promise<TagRef[]> {
  if (tags) return replaceTags(trx, key, before, tags, creation)
  if (!tagChanges) return [...before]
  const names = changedNames(
    before.map(({ name }) => name),
    tagChanges,
  )
  if (names.length > MAX_TAGS_PER_ITEM)
    throw new AppError('formInvalid', { add_tags: [`tooManyTags:${MAX_TAGS_PER_ITEM}`] })
  return replaceTags(trx, key, before, names, creation)
}

export const updateItem = preparedCommand(
  'items.update',
  (update: Change) => prepared(update),
  async (
    trx,
    { key, item: sent, revisions, session_id, now, operation, namedTags, quotas },
  ): Promise<Outcome<ItemRow>> => {
    const { owner_id } = key
    const author = { owner_id, session_id, now }
    const [locked, assigned] = await pipelined(trx, [
      (trx) => lockAt(trx, key, author, revisions),
      (trx) => tagsOf(trx, key),
    ])
    const item = namedTags ? { ...sent, tags: await namesByNow(trx, owner_id, namedTags, assigned) } : sent
    if ('refused' in locked) {
      const same = locked.refused === 'changed' && (await findSame(trx, key, item))
      return same ? { done: same, unchanged: true } : locked
    }
    const document = operation && (await storedDocument(trx, owner_id, locked.done.row))
    const pinned = item.pinned === undefined ? null : Number(item.pinned)
    const created: string[] = []
    const totals = noTotals()
    countChange(totals, key.kind, locked.done.row, item.saved)
    // Every save locks pictures before tags, which others may change while it waits for them.
    const hasFiles = namesFiles(item.saved.body)
    if (hasFiles) await nameFiles(trx, key, item.saved.body)
    const before = hasFiles ? await tagsOf(trx, key) : assigned
    const [[changed], tags] = await pipelined(trx, [
      (trx) => change(trx, { ...key, ...item.saved, pinned, updated_at: now }),
      (trx) => saveTags(trx, key, before, item, { now, totals, created }),
    ])
    if (!changed) return { refused: 'missing' }
    await index(trx, { ...key, created_at: changed.created_at }, item, tags)
    await addTotals(trx, owner_id, totals, quotas)
    const { revision } = changed
    if (operation) {
      const kept = { before, tags, created, revision, document }
      await recordOperation(trx, operation, [undoableSave(key, locked.done, kept)])
    } else {
      const saved = savedChange(key, locked.done, { tags: before, revision })
      await recordChanges(trx, author, [{ ...saved, changed_tags: created }])
    }
    return { done: { ...item.saved, ...changed, id: key.id, updated_at: now, tags } }
  },
)

interface Deletion {
  key: ItemKey
  revisions: readonly number[] | undefined
  operation: NewOperation
}

/** The item goes to the trash. */
export const deleteItem = command(
  'items.delete',
  async (trx, { key, revisions, operation }: Deletion): Promise<Outcome<{ operation_id: string }>> => {
    const locked = await lockAt(trx, key, operation, revisions)
    if ('refused' in locked) return locked
    const totals = noTotals()
    const { row } = locked.done
    const changes = await removeItems(trx, key.owner_id, [{ key, row, deleted_at: operation.now }], totals)
    await addTotals(trx, key.owner_id, totals)
    await recordOperation(trx, operation, changes)
    return { done: { operation_id: operation.id } }
  },
)

interface NewItem extends Omit<ItemKey, 'id'> {
  session_id?: string
  /** Time of creation if it is not now, as in imported items. */
  created_at?: number
  /** Gives the preparation of a long item up; what has begun to be written is written. */
  signal?: AbortSignal
}

export type ItemStore = ReturnType<typeof createItemStore>

interface Dependencies {
  db: Database
  clock: Clock
  pool: Pool
  quotas: Quotas
  /** Absent: pictures stay in texts as they are sent. */
  keepPictures?: KeepPictures
  /** Called for each item that was created by itself. */
  onCreated?: () => void
}

/** Stores notes and links. Items of other owners count as missing. */
export function createItemStore({
  db,
  clock,
  pool,
  quotas,
  keepPictures = async (_, html) => html,
  onCreated = () => {},
}: Dependencies) {
  const find = (key: ItemKey): Promise<ItemRow | undefined> => findItem(db, key)

  /** Number of saves under way by owner. */
  const underWay = new Map<string, number>()

  const sent = async (
    { owner_id, kind, signal }: Pick<NewItem, 'owner_id' | 'kind' | 'signal'>,
    draft: ItemDraft | { prepared: PreparedItem },
  ): Promise<SentItem> => {
    if ('prepared' in draft) return draft
    const body = await keepPictures(owner_id, draft.body, signal)
    const isOneOfFew = (underWay.get(owner_id) ?? 0) <= FEW
    return body.length < (isOneOfFew ? LONG : LONG_BESIDE_OTHERS)
      ? { draft: { ...draft, body } }
      : { prepared: await pool.run('prepareItem', [kind, { ...draft, body }], { owner_id, signal }) }
  }

  /** Prepares an item and saves it. */
  async function save<T>(
    key: Pick<NewItem, 'owner_id' | 'kind' | 'signal'>,
    draft: ItemDraft | { prepared: PreparedItem },
    write: (item: SentItem) => Promise<T>,
  ): Promise<T> {
    const { owner_id } = key
    underWay.set(owner_id, (underWay.get(owner_id) ?? 0) + 1)
    try {
      return await write(await sent(key, draft))
    } finally {
      const left = (underWay.get(owner_id) ?? 1) - 1
      if (left > 0) underWay.set(owner_id, left)
      else underWay.delete(owner_id)
    }
  }

  function creationOf(wanted: NewItem): Omit<Creation, 'item'> {
    const { owner_id, kind, session_id = null, created_at = clock() } = wanted
    const key = { owner_id, kind, id: uuidv7({ msecs: created_at }) }
    return { key, session_id, created_at, now: clock(), idempotencyKey: undefined, quotas }
  }

  async function create(creation: Creation) {
    const outcome = await db.write(createItem, creation)
    if ('created' in outcome) onCreated()
    return outcome
  }

  return {
    find,

    has: (key: ItemKey): Promise<boolean> => hasItem(db, key),

    /**
     * Creates an item. A request with the same `idempotencyKey` creates nothing and resolves to the current item, or to
     * undefined if that was deleted.
     */
    async create(
      { idempotencyKey, ...wanted }: NewItem & { idempotencyKey?: string | undefined },
      draft: ItemDraft | { prepared: PreparedItem },
    ): Promise<ItemRow | undefined> {
      const isOther = idempotencyKey !== undefined && 'body' in draft && isConverted(draft.body)
      const sentBody = isOther ? sha256(draft.body) : undefined
      return save(wanted, draft, async (item) => {
        const creation = creationOf(wanted)
        const outcome = await create({ ...creation, idempotencyKey, sentBody, item })
        return 'created' in outcome ? outcome.created : find({ ...creation.key, id: outcome.before })
      })
    },

    /** Creates a link, unless one to the same page is kept: resolves to the id of that one. */
    async createUnlessSame(
      wanted: NewItem,
      draft: ItemDraft | { prepared: PreparedItem },
    ): Promise<{ created: ItemRow } | { before: string }> {
      return save(wanted, draft, (item) => create({ ...creationOf(wanted), item, unlessSame: true }))
    },

    /** Creates many items in one transaction, each at its `created_at`. */
    createMany: (items: readonly (NewItem & { draft: ItemDraft })[]): Promise<void> =>
      db.write(
        createItems,
        items.map(({ draft, ...wanted }) => ({ ...creationOf(wanted), item: { draft } })),
      ),

    /** Changes an item if it is at one of the `revisions`; undefined: at any. */
    async update(
      { session_id, signal, ...key }: ItemKey & Pick<NewItem, 'signal'> & { session_id: string },
      draft: ItemDraft | { prepared: PreparedItem },
      revisions?: readonly number[],
    ): Promise<Outcome<ItemRow>> {
      return save({ ...key, ...(signal && { signal }) }, draft, (item) =>
        db.write(updateItem, { key, item, revisions, session_id, now: clock(), quotas }),
      )
    },

    /** Puts the item into the trash. `operation_id`: what can be undone. */
    remove: (
      { session_id, ...key }: ItemKey & { session_id: string },
      revisions?: readonly number[],
    ): Promise<Outcome<{ operation_id: string }>> =>
      db.write(deleteItem, {
        key,
        revisions,
        operation: newOperation({ ...key, session_id }, 'delete_items', clock()),
      }),

    /** Saves the item as an operation that can be undone. */
    async restoreVersion(
      { session_id, signal, ...key }: ItemKey & Pick<NewItem, 'signal'> & { session_id: string },
      { tags: namedTags, ...content }: ItemContent & { tags: readonly NamedTag[] },
      revisions?: readonly number[],
    ): Promise<Outcome<{ item: ItemRow; operation_id: string | undefined }>> {
      const draft = { ...content, tags: undefined }
      const prepared = draft.body === '' ? await withoutBody(draft) : draft
      return save({ ...key, ...(signal && { signal }) }, prepared, async (item) => {
        const now = clock()
        const operation = newOperation({ ...key, session_id }, 'restore_version', now)
        const outcome = await db.write(updateItem, {
          ...{ key, item, revisions, session_id, now, operation, namedTags, quotas },
        })
        if ('refused' in outcome) return outcome
        const operation_id = outcome.unchanged ? undefined : operation.id
        return { done: { item: outcome.done, operation_id } }
      })
    },
  }
}
