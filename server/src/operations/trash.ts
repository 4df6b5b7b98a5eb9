import type { TrashedItem } from '@kopilka/contract/trash.ts'
import { command } from '../db/command.ts'
import type { ChangesTable, Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { addTotals, noTotals } from '../items/counts.ts'
import { type ItemBefore, putBackItem } from '../items/item-changes.ts'
import { CHANGE, type Change, type NewOperation, recordOperation } from '../journal/journal.ts'

interface Piece {
  owner_id: string
  limit: number
  offset: number
}

const LISTED = ['changes.kind', 'changes.entity_id', 'changes.before', 'trash.deleted_at'] as const

const trashed = (db: Db, value: Value<{ owner_id: string }>) =>
  db
    .selectFrom('trash')
    .innerJoin('changes', (join) =>
      join.onRef('changes.owner_id', '=', 'trash.owner_id').onRef('changes.seq', '=', 'trash.seq'),
    )
    .where('trash.owner_id', '=', value('owner_id'))

const newest = statement((db, value: Value<Piece>) =>
  trashed(db, value)
    .select(LISTED)
    .orderBy('trash.deleted_at', 'desc')
    .orderBy('trash.seq', 'desc')
    .limit(value('limit'))
    .offset(value('offset')),
)

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
export async function trashedItems(db: Db, piece: Piece): Promise<{ count: number; results: TrashedItem[] }> {
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

const everyId = statement((db, value: Value<{ owner_id: string }>) =>
  db.selectFrom('trash').select('item_id').where('owner_id', '=', value('owner_id')),
)

interface Restoration {
  ids: readonly string[] | 'all'
  /** Whether all of them must be in the trash. */
  all: boolean
  operation: NewOperation
  quotas: Quotas
}

/** Puts items of the trash back. Resolves to how many. Throws 'trashedNotFound' where one of all is not there. */
export const restoreItems = command(
  'trash.restore',
  async (trx: Trx, { ids, all, operation, quotas }: Restoration): Promise<number> => {
    const { owner_id } = operation
    const wanted = ids === 'all' ? (await everyId(trx, { owner_id })).map(({ item_id }) => item_id) : ids
    const changes: Change[] = []
    const totals = noTotals()
    // In one order: of two at once one waits for the other, and never each for the other.
    for (const id of [...wanted].sort()) {
      const [row] = await stateOf(trx, { owner_id, id })
      const change = row && (await putBackItem(trx, row, totals))
      if (change) changes.push(change)
      else if (all) throw new AppError('trashedNotFound')
    }
    await addTotals(trx, owner_id, totals, quotas)
    await recordOperation(trx, operation, changes)
    return changes.length
  },
)
