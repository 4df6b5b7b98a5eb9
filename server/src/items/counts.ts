import { type Db, ITEM_KINDS, type ItemKind, type Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { addToUsage, type Quotas } from '../db/usage.ts'

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
}

export const noTotals = (): Totals => ({ note: 0, link: 0, tags: 0, text_bytes: 0 })

/**
 * Adds totals to the counts and the usage of the owner; late in the transaction, because other writes of the owner wait
 * from here on. With `quotas`, throws where something that grows would exceed its quota.
 */
export async function addTotals(trx: Trx, owner_id: string, totals: Totals, quotas?: Quotas): Promise<void> {
  for (const kind of ITEM_KINDS)
    if (totals[kind] !== 0) await addToCount(trx, { owner_id, kind }, totals[kind])
  const { note, link, tags, text_bytes } = totals
  const more = { items: note + link, tags, text_bytes }
  if (Object.values(more).some((count) => count !== 0)) await addToUsage(trx, owner_id, more, quotas)
}
