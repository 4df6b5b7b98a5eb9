import type { Db, ItemKind, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'

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

/** Changes the count, in the transaction that creates or deletes an item. */
export async function addToCount(trx: Trx, { owner_id, kind }: Counted, more: 1 | -1): Promise<void> {
  await add(trx, { owner_id, kind, count: more })
}
