import { lengthOf } from '@kopilka/contract/fields.ts'
import { MAX_LENGTH, MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import type { Clock } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { nameFiles } from '../files/references.ts'
import type { Caller } from '../http/caller.ts'
import { addTotals, countChange, noTotals } from '../items/counts.ts'
import { contentOf, type ItemDraft, joinBodies, SAVED, type SavedContent } from '../items/item.ts'
import {
  type LockedItem,
  lockItem,
  removeItems,
  storedDocument,
  undoableSave,
} from '../items/item-changes.ts'
import type { PreparedItem } from '../items/prepare.ts'
import { findItem, type ItemKey } from '../items/queries.ts'
import { type NewOperation, newOperation, recordOperation } from '../journal/journal.ts'
import { searchIndexOf } from '../search/index.ts'
import { lockedTagsOf, replaceTags, tagsOf } from '../tags/item-tags.ts'
import type { Pool } from '../threads/pool.ts'
import { yieldToEventLoop } from '../threads/yield-to-event-loop.ts'

const kindsNamed = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('items')
    .select(['id', 'kind'])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

type MergedRow = ItemKey & SavedContent & { pinned: number; created_at: number; updated_at: number }

const change = statement((db, value: Value<MergedRow>) =>
  db
    .updateTable('items')
    .set(({ eb }) => ({
      ...value.row([...SAVED, 'pinned', 'created_at', 'updated_at']),
      revision: eb('revision', '+', 1),
    }))
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

interface Merge {
  key: ItemKey
  /** All of the items with the revisions at which they were read. */
  revisions: ReadonlyMap<string, number>
  item: PreparedItem
  created_at: number
  operation: NewOperation
  quotas: Quotas
}

function checkTags(count: number): void {
  if (count > MAX_TAGS_PER_ITEM) throw new AppError('mergeManyTags')
}

/** False where one of the items has changed since it was read. Throws 'itemNotFound', 'mergeManyTags' and errors of quotas. */
export const mergeItems = command(
  'items.merge',
  async (trx, { key, revisions, item, created_at, operation, quotas }: Merge): Promise<boolean> => {
    const { owner_id, now } = operation
    const locked = new Map<string, LockedItem>()
    // In the order of ids, as other changes of many items.
    for (const id of [...revisions.keys()].sort()) {
      const found = await lockItem(trx, { ...key, id }, operation)
      if (!found) throw new AppError('itemNotFound')
      if (found.row.revision !== revisions.get(id)) return false
      locked.set(id, found)
    }
    const kept = locked.get(key.id)
    if (!kept) throw new AppError('itemNotFound')
    const document = await storedDocument(trx, owner_id, kept.row)
    const before = await tagsOf(trx, key)
    const pinned = Number(item.pinned ?? false)
    await change(trx, { ...key, ...item.saved, pinned, created_at, updated_at: now })
    await nameFiles(trx, key, item.saved.body)
    const totals = noTotals()
    countChange(totals, key.kind, kept.row, item.saved)
    // As they are by now: to rename or delete a tag changes no revision.
    const all = await lockedTagsOf(trx, owner_id, [...locked.keys()])
    checkTags(all.length)
    const names = all.map(({ name }) => name)
    const tags = await replaceTags(trx, key, await tagsOf(trx, key), names, { now, totals })
    const tagIds = tags.map(({ id }) => id)
    const entry = { item: { ...key, created_at }, document: item.document, tagIds }
    await searchIndexOf(trx).upsert(trx, owner_id, [entry])
    const removals = [...locked]
      .filter(([id]) => id !== key.id)
      .map(([id, { row }]) => ({ key: { ...key, id }, row, deleted_at: now }))
    const removed = await removeItems(trx, owner_id, removals, totals)
    await addTotals(trx, owner_id, totals, quotas)
    const revision = kept.row.revision + 1
    const saved = undoableSave(key, kept, { before, tags, created: [], revision, document })
    await recordOperation(trx, operation, [saved, ...removed])
    return true
  },
)

interface Dependencies {
  db: Database
  clock: Clock
  pool: Pool
  quotas: Quotas
}

/** Attempts to merge items that change meanwhile. */
const ATTEMPTS = 3

export const createItemMerger =
  ({ db, clock, pool, quotas }: Dependencies) =>
  /**
   * Joins items of one kind into the first, which gets the tags and texts of all, the oldest date and a pin; the others go to
   * the trash. Resolves to the operation. Throws 'itemNotFound', 'mergeItself', 'mergeKinds', 'mergeTooLong', 'mergeManyTags',
   * 'changedMeanwhile', and errors of quotas.
   */
  async (
    caller: Caller,
    { keep, merge: merged }: { keep: string; merge: readonly string[] },
    signal: AbortSignal,
  ): Promise<NewOperation> => {
    const { owner_id } = caller
    const ids = [keep, ...merged]
    const found = await kindsNamed(db, { owner_id, ids })
    // All malformed ids are one and the same by now.
    if (merged.includes(keep) && found.length > 0) throw new AppError('mergeItself')
    if (found.length < ids.length) throw new AppError('itemNotFound')
    const [kind, ...others] = new Set(found.map((one) => one.kind))
    if (kind === undefined || others.length > 0) throw new AppError('mergeKinds')
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const { draft, revisions, created_at } = await joined(db, { owner_id, kind }, ids)
      const item = await pool.run<PreparedItem>('analyseItem', draft, { owner_id, signal })
      const operation = newOperation(caller, 'merge_items', clock())
      const key = { owner_id, kind, id: keep }
      if (await db.write(mergeItems, { key, revisions, item, created_at, operation, quotas }))
        return operation
    }
    throw new AppError('changedMeanwhile')
  }

interface Joined {
  draft: ItemDraft
  revisions: Map<string, number>
  created_at: number
}

/** What the first item becomes, except its tags. Reads one item after the other, because each may have megabytes. */
async function joined(db: Database, kept: Omit<ItemKey, 'id'>, ids: readonly string[]): Promise<Joined> {
  const revisions = new Map<string, number>()
  const tags = new Set<string>()
  let draft: ItemDraft | undefined
  let created_at = Number.POSITIVE_INFINITY
  for (const id of ids) {
    await yieldToEventLoop()
    const item = await findItem(db, { ...kept, id })
    if (!item) throw new AppError('itemNotFound')
    revisions.set(id, item.revision)
    created_at = Math.min(created_at, item.created_at)
    for (const { id } of item.tags) tags.add(id)
    const body = draft ? joinBodies(draft.body, item.body) : item.body
    if (body.length > MAX_LENGTH.html && lengthOf(body) > MAX_LENGTH.html) throw new AppError('mergeTooLong')
    const pinned = item.pinned === 1 || draft?.pinned === true
    draft = { ...contentOf(draft ?? item), body, tags: undefined, pinned }
  }
  if (!draft) throw new AppError('itemNotFound')
  checkTags(tags.size)
  return { draft, revisions, created_at }
}
