import type { TrashedItem } from '@kopilka/contract/trash.ts'
import { command } from '../db/command.ts'
import type { ChangesTable, Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { checkRoom, keptBytes, type Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { addTotals, noTotals } from '../items/counts.ts'
import { type ItemBefore, indexRestored, newRestoring, putBackItem } from '../items/item-changes.ts'
import { type Author, CHANGE, type Change, type NewOperation } from '../journal/journal.ts'
import { tagsReturningFromTrash } from './returning-tags.ts'
import { beginItems, type ItemsStep, type Progress, STEP } from './running.ts'
import { newestTrashed, type TrashPiece, trashed } from './trashed.ts'

const LISTED = ['changes.kind', 'changes.entity_id', 'changes.before', 'trash.deleted_at'] as const

const newest = statement((db, value: Value<TrashPiece>) => newestTrashed(db, value).select(LISTED))

const named = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  trashed(db, value).select(LISTED).where(value.among('trash.item_id', 'ids')),
)

const counted = statement((db, value: Value<{ owner_id: string }>) =>
  db
    .selectFrom('trash')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', value('owner_id')),
)

type Listed = Pick<ChangesTable, 'kind' | 'entity_id' | 'before'> & { deleted_at: number }

const iso = (time: number): string => new Date(time).toISOString()

function itemOf({ kind, entity_id, before, deleted_at }: Listed): TrashedItem {
  const { title, excerpt, url, tags, created_at }: ItemBefore = JSON.parse(before ?? '{}')
  return {
    kind: kind === 'link' ? 'urllink' : 'note',
    id: entity_id,
    title,
    excerpt,
    ...(url !== null && { url }),
    tags: [...tags],
    created_at: iso(created_at),
    deleted_at: iso(deleted_at),
  }
}

/** A piece of the trash, the last deleted first. */
export async function trashedItems(
  db: Db,
  piece: TrashPiece,
): Promise<{ count: number; results: TrashedItem[] }> {
  const [[total], rows] = await Promise.all([counted(db, piece), newest(db, piece)])
  return { count: total?.count ?? 0, results: rows.map(itemOf) }
}

/** Items of the trash in the order of their ids; those that are not there are left out. */
export async function trashedItemsOf(
  db: Db,
  owner_id: string,
  ids: readonly string[],
): Promise<TrashedItem[]> {
  const byId = new Map((await named(db, { owner_id, ids })).map((row) => [row.entity_id, row]))
  return ids.flatMap((id) => {
    const row = byId.get(id)
    return row ? [itemOf(row)] : []
  })
}

const stateOf = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  trashed(db, value)
    .select(CHANGE.map((column) => `changes.${column}` as const))
    .where('trash.item_id', '=', value('id')),
)

const BYTES = keptBytes.as('bytes')

const every = statement((db, value: Value<{ owner_id: string }>) =>
  trashed(db, value).select(['trash.item_id', BYTES]),
)

const among = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  trashed(db, value).select(['trash.item_id', BYTES]).where(value.among('trash.item_id', 'ids')),
)

interface Restoration {
  ids: readonly string[] | 'all'
  /** Whether all of them must be in the trash. */
  all: boolean
  operation: NewOperation
  quotas: Quotas
}

/**
 * Begins to put items of the trash back. Throws 'trashedNotFound' where one of all is not there, and an error where a quota
 * does not allow it.
 */
export const restoreItems = command(
  'trash.restore',
  async (trx: Trx, { ids: wanted, all, operation, quotas }: Restoration): Promise<Progress> => {
    const { owner_id } = operation
    const rows =
      wanted === 'all' ? await every(trx, { owner_id }) : await among(trx, { owner_id, ids: wanted })
    if (all && rows.length < wanted.length) throw new AppError('trashedNotFound')
    // In one order: of two at once one waits for the other, and never each for the other.
    const ids = rows.map(({ item_id }) => item_id).sort()
    if (ids.length > STEP) {
      const text_bytes = rows.reduce((total, row) => total + Number(row.bytes), 0)
      const tags = await tagsReturningFromTrash(trx, owner_id, ids)
      await checkRoom(trx, owner_id, { items: ids.length, tags, text_bytes }, quotas)
    }
    const step: ItemsStep = (author, some) => restoreSome(trx, author, some, quotas)
    return beginItems(trx, operation, { ids, task: { type: 'restore' }, step })
  },
)

/** Puts back those of the items that are in the trash. `quotas`: undefined where there is known to be room. */
export async function restoreSome(
  trx: Trx,
  { owner_id }: Author,
  ids: readonly string[],
  quotas?: Quotas,
): Promise<Change[]> {
  const changes: Change[] = []
  const totals = noTotals()
  const restoring = newRestoring(totals)
  for (const id of ids) {
    const [row] = await stateOf(trx, { owner_id, id })
    const change = row && (await putBackItem(trx, row, restoring))
    if (change) changes.push(change)
  }
  await indexRestored(trx, owner_id, restoring)
  await addTotals(trx, owner_id, totals, quotas)
  return changes
}
