import { OPERATION_DAYS } from '@kopilka/contract/limits.ts'
import type { Skipped } from '@kopilka/contract/operations.ts'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import type { ChangesTable, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { checkRoom, keptBytes, type Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { addTotals, noTotals, type Totals } from '../items/counts.ts'
import {
  type ChangedBefore,
  type CreatedBefore,
  lockItem,
  putBackItem,
  type Removal,
  reindexTags,
  removeItems,
  type TrashedBefore,
  undoItemChange,
} from '../items/item-changes.ts'
import { type Author, CHANGE, type Change, recordChanges } from '../journal/journal.ts'
import { removeUnusedTags } from '../tags/item-tags.ts'
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
import {
  beginWork,
  continueWork,
  endWork,
  type OperationKey,
  type Running,
  STEP,
  type UndoTask,
} from './running.ts'

/** How long an operation can be undone, in milliseconds. */
export const UNDOABLE_FOR = OPERATION_DAYS * 24 * 60 * 60_000

const claim = statement((db, value: Value<OperationKey & { since: number }>) =>
  db
    .selectFrom('operations')
    .select(['undone_at', 'first_seq', 'last_seq', 'work'])
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

/** How many changes an operation made, and what it deleted: items, and bytes of bodies. */
const sizesOf = statement((db, value: Value<OperationKey & { first_seq: number; last_seq: number }>) =>
  db
    .selectFrom('changes')
    .select(({ fn }) => [
      fn.countAll<number>().as('changes'),
      sql<number>`sum(case when revision is null and kind <> 'tag' then 1 else 0 end)`.as('items'),
      sql<number>`sum(case when revision is null then ${keptBytes} else 0 end)`.as('bytes'),
    ])
    .where('owner_id', '=', value('owner_id'))
    .where('seq', '>=', value('first_seq'))
    .where('seq', '<=', value('last_seq'))
    .where('operation_id', '=', value('id')),
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
  /** Ids of tags that the changes created. */
  readonly created: Set<string>
}

/** How far an undo has come: what the last step put back, and what it left as it is. */
export interface Undone {
  readonly isDone: boolean
  readonly restored: number
  readonly skipped: readonly Skipped[]
}

/**
 * Begins to undo an operation: puts back what it changed, and leaves as it is what was changed since. A change and its undo
 * cancel each other, so operations can be undone in any order. Throws 'operationNotFound', 'operationUndone', and an error
 * where a quota does not allow it.
 */
export const beginUndo = command(
  'operations.undo',
  async (trx: Trx, { id, quotas, ...author }: Author & { id: string; quotas: Quotas }): Promise<Undone> => {
    const { owner_id, now } = author
    const [operation] = await claim(trx, { owner_id, id, since: now - UNDOABLE_FOR })
    if (!operation) throw new AppError('operationNotFound')
    // One that has not come to its end is finished first (operations/steps.ts).
    if (operation.undone_at !== null || operation.work !== null) throw new AppError('operationUndone')
    const [first_seq, last_seq] = [Number(operation.first_seq), Number(operation.last_seq)]
    await end(trx, { owner_id, id, now })
    const [sizes] = await sizesOf(trx, { owner_id, id, first_seq, last_seq })
    const total = Number(sizes?.changes ?? 0)
    const isShort = total <= STEP
    if (!isShort)
      await checkRoom(
        trx,
        owner_id,
        { items: Number(sizes?.items ?? 0), text_bytes: Number(sizes?.bytes ?? 0) },
        quotas,
      )
    const key = { owner_id, id, first_seq }
    const { before, ...undone } = await undoSome(
      trx,
      { ...author, ...key, before: last_seq + 1 },
      isShort ? quotas : undefined,
    )
    if (!undone.isDone) {
      const { session_id } = author
      const work = { session_id, now, done: STEP, total, task: { type: 'undo', before } } as const
      await beginWork(trx, { owner_id, id }, work)
    }
    return undone
  },
)

/** Does the next step of an undo. */
export async function continueUndo(trx: Trx, running: Running & { task: UndoTask }): Promise<Undone> {
  const { before, ...undone } = await undoSome(trx, { ...running, before: running.task.before })
  if (undone.isDone) await endWork(trx, running)
  else await continueWork(trx, running, { done: running.done + STEP, task: { type: 'undo', before } })
  return undone
}

/** Undoes some changes of an operation, the last before `before` first. Resolves to the first of them as well. */
async function undoSome(
  trx: Trx,
  { id, first_seq, before, ...author }: Author & OperationKey & { first_seq: number; before: number },
  quotas?: Quotas,
): Promise<Undone & { before: number }> {
  const { owner_id } = author
  const rows = await changesBefore(trx, { owner_id, id, first: first_seq, before, limit: STEP })
  const ids = rows.map((row) => row.entity_id)
  const last = await lastChangesOf(trx, { owner_id, id }, first_seq, ids)
  const state: UndoState = { skipped: [], totals: noTotals(), created: new Set() }
  const { skipped, totals } = state
  const changes: Change[] = []
  const removals: Removal[] = []
  for (const row of rows) {
    const isChanged = (last.get(row.entity_id) ?? 0) > row.seq
    const change = isChanged ? undefined : await undoChange(trx, row, state)
    if (!change) {
      skipped.push(await skippedOf(trx, row))
      continue
    }
    await revert(trx, { owner_id, seq: row.seq })
    if ('key' in change) removals.push(change)
    else changes.push(change)
  }
  // All at once, which takes a fifth of the time.
  changes.push(...(await removeItems(trx, owner_id, removals, totals)))
  totals.tags -= await removeCreatedTags(trx, owner_id, first_seq, state.created)
  await addTotals(trx, owner_id, totals, quotas)
  if (changes.length > 0) await recordChanges(trx, author, changes, { reverted: true })
  const isDone = rows.length < STEP
  return { isDone, restored: changes.length, skipped, before: Number(rows.at(-1)?.seq ?? 0) }
}

/** Removes those of the tags that no item has and nobody has changed since. Resolves to how many. */
async function removeCreatedTags(
  trx: Trx,
  owner_id: string,
  after: number,
  created: ReadonlySet<string>,
): Promise<number> {
  if (created.size === 0) return 0
  const ids = [...created]
  const changed = await lastChangesOf(trx, { owner_id, id: '' }, after, ids)
  return removeUnusedTags(
    trx,
    owner_id,
    ids.filter((id) => !changed.has(id)),
  )
}

/**
 * Undoes one change, or says which item is to be removed for that; undefined where it is not possible any more. Adds items
 * that a tag is not given back to.
 */
async function undoChange(
  trx: Trx,
  row: ChangesTable,
  state: UndoState,
): Promise<Change | Removal | undefined> {
  if (row.kind === 'tag') return undoTagChange(trx, row, state)
  const { totals, created } = state
  if (row.revision === null) {
    const change = await putBackItem(trx, row, totals)
    return change && { ...change, before: null }
  }
  const { owner_id, entity_id: id, kind } = row
  const key = { owner_id, id, kind }
  const locked = await lockItem(trx, key, { session_id: null, now: row.at })
  if (!locked) return undefined
  if (row.before === null) return { key, row: locked.row }
  const before: CreatedBefore | TrashedBefore | ChangedBefore = JSON.parse(row.before)
  for (const tag of before.tags_created ?? []) created.add(tag)
  if ('is_created' in before) return { key, row: locked.row }
  if ('deleted_at' in before) return { key, row: locked.row, deleted_at: before.deleted_at }
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
