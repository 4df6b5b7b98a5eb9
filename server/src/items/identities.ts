import { command } from '../db/command.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { addTotals, noTotals } from './counts.ts'
import { countCopy } from './duplicates.ts'
import { identityKeyOf } from './identity.ts'
import { CONTENT } from './item.ts'

interface Keys {
  owner_id: string
  keys: readonly { id: string; identity_key: string }[]
}

/** Items whose keys are filled at once. */
const ROWS = 200

const without = statement((db, value: Value<{ owner_id: string; limit: number }>) =>
  db
    .selectFrom('items')
    .select(['id', ...CONTENT])
    .where('owner_id', '=', value('owner_id'))
    .where('identity_key', 'is', null)
    .limit(value('limit')),
)

/** Keys of items that were saved before there were keys. Runs in a worker thread. */
export async function missingIdentities(db: Db, owner_id: string): Promise<Keys['keys']> {
  const rows = await without(db, { owner_id, limit: ROWS })
  return rows.map(({ id, ...content }) => ({ id, identity_key: identityKeyOf(content) }))
}

const fill = statement((db, value: Value<{ owner_id: string; id: string; identity_key: string }>) =>
  db
    .updateTable('items')
    .set({ identity_key: value('identity_key') })
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('identity_key', 'is', null)
    .returning('kind'),
)

/** Fills keys, except of items that were saved again meanwhile. */
export const fillIdentities = command('items.fill-identities', async (trx, { owner_id, keys }: Keys) => {
  const totals = noTotals()
  for (const key of keys) {
    const [filled] = await fill(trx, { owner_id, ...key })
    if (filled?.kind === 'link') countCopy(totals.copies, key.identity_key, 1)
  }
  await addTotals(trx, owner_id, totals)
})
