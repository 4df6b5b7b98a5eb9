import type { Db, ItemKind, Trx } from '../db/schema.ts'

interface Counted {
  owner_id: string
  kind: ItemKind
}

/** How many items of the kind the owner has. */
export async function countOf(db: Db, { owner_id, kind }: Counted): Promise<number> {
  const row = await db
    .selectFrom('item_counts')
    .select('count')
    .where('owner_id', '=', owner_id)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.count ?? 0
}

/** To be told in the transaction that makes or removes one. */
export async function addToCount(trx: Trx, { owner_id, kind }: Counted, count: 1 | -1): Promise<void> {
  await trx
    .insertInto('item_counts')
    .values({ owner_id, kind, count })
    .onConflict((conflict) =>
      conflict
        .columns(['owner_id', 'kind'])
        .doUpdateSet(({ eb, ref }) => ({ count: eb('item_counts.count', '+', ref('excluded.count')) })),
    )
    .execute()
}
