import { pipelined } from '../db/pipelined.ts'
import { type Db, ITEM_KINDS, type ItemKind, type Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { addToUsage, type Quotas, textBytesOf } from '../db/usage.ts'
import { type Copies, countCopies, countCopy } from './duplicates.ts'
import type { StoredRow } from './item.ts'

interface Counted {
  owner_id: string
  kind: ItemKind
}

const count = statement((db, value: Value<Counted>) =>
  db
    .selectFrom('item_counts')
    .select('count')
    .where('owner_id', '=', value('owner_id'))
    .where('kind', '=', value('kind')),
)

const add = statement((db, value: Value<Counted & { count: number }>) =>
  db
    .insertInto('item_counts')
    .values({ owner_id: value('owner_id'), kind: value('kind'), count: value('count') })
    .onConflict((conflict) =>
      conflict
        .columns(['owner_id', 'kind'])
        .doUpdateSet(({ eb, ref }) => ({ count: eb('item_counts.count', '+', ref('excluded.count')) })),
    ),
)

/** How many items of the kind the owner has. */
export async function countOf(db: Db, { owner_id, kind }: Counted): Promise<number> {
  const [row] = await count(db, { owner_id, kind })
  return row?.count ?? 0
}

/** Changes the count of a kind, in the transaction that creates or deletes items. */
async function addToCount(trx: Trx, { owner_id, kind }: Counted, more: number): Promise<void> {
  await add(trx, { owner_id, kind, count: more })
}

/** What the changes of a transaction add to an owner's counts. */
export interface Totals extends Record<ItemKind, number> {
  tags: number
  text_bytes: number
  copies: Copies
}

export const noTotals = (): Totals => ({ note: 0, link: 0, tags: 0, text_bytes: 0, copies: new Map() })

/** What is counted of an item. */
type Countable = Parameters<typeof textBytesOf>[0] & Pick<StoredRow, 'identity_key'>

/** Adds an item that is inserted (1) or removed (-1) to the totals. */
export function countItem(totals: Totals, kind: ItemKind, row: Countable, by: 1 | -1): void {
  totals[kind] += by
  totals.text_bytes += by * textBytesOf(row)
  if (kind === 'link') countCopy(totals.copies, row.identity_key, by)
}

/** Adds the change of an item to the totals. */
export function countChange(totals: Totals, kind: ItemKind, before: Countable, after: Countable): void {
  totals.text_bytes += textBytesOf(after) - textBytesOf(before)
  if (kind !== 'link' || before.identity_key === after.identity_key) return
  countCopy(totals.copies, before.identity_key, -1)
  countCopy(totals.copies, after.identity_key, 1)
}

/**
 * Adds totals to the counts and the usage of the owner; late in the transaction, because other writes of the owner wait
 * from here on. With `quotas`, throws where something that grows would exceed its quota.
 */
export async function addTotals(trx: Trx, owner_id: string, totals: Totals, quotas?: Quotas): Promise<void> {
  const { note, link, tags, text_bytes, copies } = totals
  const more = { items: note + link, tags, text_bytes }
  // Also where it adds nothing: this locks the row for countCopies.
  const isMore = copies.size > 0 || Object.values(more).some((count) => count !== 0)
  await pipelined(trx, [
    ...ITEM_KINDS.filter((kind) => totals[kind] !== 0).map(
      (kind) => (trx: Trx) => addToCount(trx, { owner_id, kind }, totals[kind]),
    ),
    ...(isMore ? [(trx: Trx) => addToUsage(trx, owner_id, more, quotas)] : []),
  ])
  await countCopies(trx, owner_id, copies)
}
