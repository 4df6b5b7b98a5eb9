import { OPERATION_DAYS } from '@kopilka/contract/limits.ts'
import type { Skipped } from '@kopilka/contract/operations.ts'
import { command } from '../db/command.ts'
import type { ChangesTable, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { addTotals, noTotals, type Totals } from '../items/counts.ts'
import {
  type CreatedBefore,
  lockItem,
  putBackItem,
  reindexTags,
  removeCreatedItem,
  type TrashedBefore,
  trashItem,
  undoItemChange,
} from '../items/item-changes.ts'
import { type Author, CHANGE, type Change, recordChanges } from '../journal/journal.ts'
import {
  type DeletedTag,
  type GivenTag,
  giveTag,
  lockTag,
  type RenamedTag,
  recreateTag,
  setTagName,
  takeTag,
} from '../tags/tag-changes.ts'

/** How long an operation can be undone, in milliseconds. */
export const UNDOABLE_FOR = OPERATION_DAYS * 24 * 60 * 60_000

/** Changes that are read at once, each perhaps with a long body. */
const READ_AT_ONCE = 20

interface OperationKey {
  owner_id: string
  id: string
}

const claim = statement((db, value: Value<OperationKey & { since: number }>) =>
  db
    .selectFrom('operations')
    .select(['undone_at', 'first_seq', 'last_seq'])
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

const lastChanges = statement(
  (db, value: Value<{ owner_id: string; id: string; after: number; ids: readonly string[] }>) =>
    db
      .selectFrom('changes')
      .select(({ fn }) => ['entity_id', fn.max('seq').as('seq')])
      .where('owner_id', '=', value('owner_id'))
      .where('seq', '>', value('after'))
      .where('is_reverted', '=', 0)
      .where(({ eb, or }) => or([eb('operation_id', 'is', null), eb('operation_id', '!=', value('id'))]))
      .where(value.among('entity_id', 'ids'))
      .groupBy('entity_id'),
)

/** The numbers of the last changes of each, of those after one: without those that were undone, and those of the operation. */
async function lastChangesOf(
  trx: Trx,
  { owner_id, id }: OperationKey,
  after: number,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = await lastChanges(trx, { owner_id, id, after, ids })
  return new Map(rows.map(({ entity_id, seq }) => [entity_id, Number(seq)]))
}

const revert = statement((db, value: Value<{ owner_id: string; seq: number }>) =>
  db
    .updateTable('changes')
    .set({ is_reverted: 1 })
    .where('owner_id', '=', value('owner_id'))
    .where('seq', '=', value('seq')),
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

interface UndoState {
  readonly skipped: Skipped[]
  readonly totals: Totals
}

interface Undone {
  restored: number
  skipped: Skipped[]
}

/**
 * Undoes an operation: puts back what it changed, and leaves as it is what was changed since. A change and its undo cancel
 * each other, so operations can be undone in any order. Throws 'operationNotFound' or 'operationUndone'.
 */
export const undoOperation = command(
  'operations.undo',
  async (trx: Trx, { id, quotas, ...author }: Author & { id: string; quotas: Quotas }): Promise<Undone> => {
    const { owner_id, now } = author
    const [operation] = await claim(trx, { owner_id, id, since: now - UNDOABLE_FOR })
    if (!operation) throw new AppError('operationNotFound')
    if (operation.undone_at !== null) throw new AppError('operationUndone')
    const first = operation.first_seq
    const changes: Change[] = []
    const state: UndoState = { skipped: [], totals: noTotals() }
    const { skipped } = state
    for (let before = operation.last_seq + 1; before > first; ) {
      const rows = await changesBefore(trx, { owner_id, id, first, before, limit: READ_AT_ONCE })
      const last = await lastChangesOf(
        trx,
        { owner_id, id },
        first,
        rows.map((row) => row.entity_id),
      )
      for (const row of rows) {
        const isChanged = (last.get(row.entity_id) ?? 0) > row.seq
        const change = isChanged ? undefined : await undoChange(trx, row, state)
        if (change) {
          await revert(trx, { owner_id, seq: row.seq })
          changes.push(change)
        } else skipped.push(await skippedOf(trx, row))
      }
      before = rows.length < READ_AT_ONCE ? first : (rows.at(-1)?.seq ?? first)
    }
    await end(trx, { owner_id, id, now })
    await addTotals(trx, owner_id, state.totals, quotas)
    if (changes.length > 0) await recordChanges(trx, author, changes, { reverted: true })
    return { restored: changes.length, skipped }
  },
)

/** Undoes one change; undefined where that is not possible any more. Adds items that a tag is not given back to. */
async function undoChange(trx: Trx, row: ChangesTable, state: UndoState): Promise<Change | undefined> {
  if (row.kind === 'tag') return undoTagChange(trx, row, state)
  const { totals } = state
  if (row.revision === null) {
    const change = await putBackItem(trx, row, totals)
    return change && { ...change, before: null }
  }
  const { owner_id, entity_id: id, kind } = row
  const key = { owner_id, id, kind }
  const locked = await lockItem(trx, key, { session_id: null, now: row.at })
  if (!locked) return undefined
  if (row.before === null) return removeCreatedItem(trx, key, { ...locked, totals })
  const before: object = JSON.parse(row.before)
  if ('is_created' in before)
    return removeCreatedItem(trx, key, { ...locked, ...(before as CreatedBefore), totals })
  if ('deleted_at' in before) {
    const { deleted_at } = before as TrashedBefore
    return trashItem(trx, key, locked.row, { deleted_at, totals })
  }
  return undoItemChange(trx, key, row, { ...locked, totals })
}

async function undoTagChange(
  trx: Trx,
  { owner_id, entity_id: id, seq, revision, before }: ChangesTable,
  { skipped, totals }: UndoState,
): Promise<Change | undefined> {
  if (before === null) return undefined
  const kept: DeletedTag | RenamedTag | GivenTag = JSON.parse(before)
  if ('given' in kept) {
    if (!(await lockTag(trx, { owner_id, id }))) return undefined
    const items = await unchanged(trx, owner_id, seq, kept.given, skipped)
    await reindexTags(trx, owner_id, await takeTag(trx, { owner_id, id, items }))
  } else if ('items' in kept && revision === null) {
    const { isCreated, ...tag } = await recreateTag(trx, { owner_id, id, name: kept.name })
    if (isCreated) totals.tags += 1
    const items = await unchanged(trx, owner_id, seq, kept.items, skipped)
    await reindexTags(trx, owner_id, await giveTag(trx, { ...tag, owner_id, items }))
  } else {
    if (!(await lockTag(trx, { owner_id, id }))) return undefined
    if (!(await setTagName(trx, { owner_id, id, name: kept.name }))) return undefined
  }
  return { kind: 'tag', entity_id: id, revision: 0 }
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
  owner_id: string,
  seq: number,
  ids: readonly string[],
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

async function skippedOf(
  trx: Trx,
  { owner_id, kind, entity_id: id, before }: ChangesTable,
): Promise<Skipped> {
  const kept: { title?: string; name?: string } = JSON.parse(before ?? '{}')
  const skipped = { id, reason: 'changed' } as const
  if (kind === 'tag') {
    const tag = await lockTag(trx, { owner_id, id })
    return { ...skipped, kind, title: tag?.name ?? kept.name ?? '' }
  }
  const [item] = await titles(trx, { owner_id, ids: [id] })
  return { ...skipped, kind: kind === 'link' ? 'urllink' : 'note', title: item?.title ?? kept.title ?? '' }
}
