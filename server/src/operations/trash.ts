import type { TrashedItem, WholeTrashed } from '@kopilka/contract/trash.ts'
import { command } from '../db/command.ts'
import type { ChangesTable, Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { bodyBytes, checkQuotas, type Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { addTotals, noTotals } from '../items/counts.ts'
import { type ItemBefore, indexRestored, newRestoring, putBackItem } from '../items/item-changes.ts'
import { type Author, CHANGE, type Change, type NewOperation } from '../journal/journal.ts'
import type { RestoreSize } from './restore-size.ts'
import {
  beginItems,
  type Collected,
  type ItemsStep,
  type Progress,
  type Sizes,
  sizesByIds,
} from './running.ts'
import { newestTrashed, type TrashPiece, trashed } from './trashed.ts'

const LISTED = ['changes.kind', 'changes.entity_id', 'changes.before', 'trash.deleted_at'] as const

const newest = statement((db, value: Value<TrashPiece>) => newestTrashed(db, value).select(LISTED))

const named = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  trashed(db, value).select(LISTED).where(value.among('trash.item_id', 'ids')),
)

/** How many items the trash has, or `most`. */
const counted = statement((db, value: Value<{ owner_id: string; most: number }>) =>
  db
    .selectFrom((some) =>
      some
        .selectFrom('trash')
        .select('item_id')
        .where('owner_id', '=', value('owner_id'))
        .limit(value('most'))
        .as('some'),
    )
    .select(({ fn }) => fn.countAll<number>().as('count')),
)

type Listed = Pick<ChangesTable, 'kind' | 'entity_id' | 'before'> & { deleted_at: number }

const lastChange = statement((db, value: Value<{ owner_id: string }>) =>
  db.selectFrom('change_counts').select('last_seq').where('owner_id', '=', value('owner_id')),
)

/** The number of the last change of an owner: what is put into the trash from now on has a greater one. */
export async function lastChangeOf(db: Db, owner_id: string): Promise<number> {
  const [row] = await lastChange(db, { owner_id })
  return Number(row?.last_seq ?? 0)
}

export interface TrashPage {
  count: number
  results: TrashedItem[]
}

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

/**
 * A piece of the trash, the last deleted first. Counts all of it, and passes over what comes before the piece: of a trash that has
 * more than `few` items resolves to undefined, because that is for a worker thread.
 */
export async function trashedItems(db: Db, piece: TrashPiece, few: number): Promise<TrashPage | undefined> {
  const [{ count } = { count: 0 }] = await counted(db, { ...piece, most: few + 1 })
  if (count > few) return undefined
  const rows = piece.offset < count ? await newest(db, piece) : []
  return { count, results: rows.map(itemOf) }
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

const whole = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  trashed(db, value)
    .select([...LISTED, 'changes.body'])
    .where('trash.item_id', '=', value('id')),
)

/** An item of the trash with its text. */
export async function findTrashed(db: Db, owner_id: string, id: string): Promise<WholeTrashed | undefined> {
  const [row] = await whole(db, { owner_id, id })
  if (!row) return undefined
  const body = row.body ?? ''
  return { ...itemOf(row), ...(row.kind === 'link' ? { description: body } : { content: body }) }
}

const stateOf = statement((db, value: Value<{ owner_id: string; id: string }>) =>
  trashed(db, value)
    .select(CHANGE.map((column) => `changes.${column}` as const))
    .where('trash.item_id', '=', value('id')),
)

const sizes = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  trashed(db, value)
    .select(['trash.item_id as id', bodyBytes.as('bytes')])
    .where(value.among('trash.item_id', 'ids')),
)

/** The sizes of items of the trash. */
export const trashedSizes =
  (trx: Trx, owner_id: string): Sizes =>
  async (ids) =>
    sizesByIds(await sizes(trx, { owner_id, ids }))

const present = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('trash')
    .select('item_id')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('item_id', 'ids'))
    .orderBy('item_id')
    .forUpdate(),
)

/**
 * Those of the items that are in the trash, where they stay until the transaction ends. In one order: of two restorations one waits
 * for the other, and never each for the other.
 */
const presentOf = async (trx: Trx, owner_id: string, ids: readonly string[]): Promise<string[]> =>
  (await present(trx, { owner_id, ids })).map(({ item_id }) => item_id)

interface Restoration {
  /** Their ids, or as they were collected. */
  items: readonly string[] | Collected
  /** Whether all of them must be in the trash. */
  all: boolean
  /** What they take; absent where the only step finds out. */
  restoreSize: RestoreSize | undefined
  operation: NewOperation
  quotas: Quotas
}

/**
 * Begins to put items of the trash back. Throws 'trashedNotFound' where one of all is not there, and an error where a quota
 * does not allow it.
 */
export const restoreItems = command(
  'trash.restore',
  async (
    trx: Trx,
    { items: wanted, all, restoreSize, operation, quotas }: Restoration,
  ): Promise<Progress> => {
    const { owner_id } = operation
    let items = wanted
    if (!('collected' in wanted)) {
      const found = await presentOf(trx, owner_id, wanted)
      if (all && found.length < wanted.length) throw new AppError('trashedNotFound')
      items = found
    }
    if (restoreSize) await checkQuotas(trx, owner_id, restoreSize, quotas)
    const step: ItemsStep = (author, some) => restoreSome(trx, author, some, quotas)
    const work = { step, sizes: trashedSizes(trx, owner_id) }
    return beginItems(trx, operation, { items, task: { type: 'restore' }, ...work })
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
  const restoring = newRestoring(totals, { followsMerges: true })
  for (const id of ids) {
    const [row] = await stateOf(trx, { owner_id, id })
    const change = row && (await putBackItem(trx, row, restoring))
    if (change) changes.push(change)
  }
  await indexRestored(trx, owner_id, restoring)
  await addTotals(trx, owner_id, totals, quotas)
  return changes
}
