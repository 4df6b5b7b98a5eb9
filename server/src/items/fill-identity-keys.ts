import { command } from '../db/command.ts'
import type { Db } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { addTotals, noTotals } from './counts.ts'
import { countCopy } from './duplicates.ts'
import { identityKeyOf } from './identity.ts'
import { CONTENT, contentOf } from './item.ts'

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

interface TrashKeys {
  owner_id: string
  keys: readonly { id: string; seq: number; identity_key: string }[]
}

/** Items of the trash whose keys are filled at once: each may have megabytes. */
const TRASHED = 50

const trashWithout = statement((db, value: Value<{ owner_id: string; limit: number }>) =>
  db
    .selectFrom('trash')
    .innerJoin('changes', (join) =>
      join.onRef('changes.owner_id', '=', 'trash.owner_id').onRef('changes.seq', '=', 'trash.seq'),
    )
    .select(['trash.item_id as id', 'trash.seq', 'changes.before', 'changes.body'])
    .where('trash.owner_id', '=', value('owner_id'))
    .where('trash.identity_key', 'is', null)
    .limit(value('limit')),
)

/** Keys of items that were deleted before the trash had keys. Runs in a worker thread. */
export async function missingTrashIdentities(db: Db, owner_id: string): Promise<TrashKeys['keys']> {
  const rows = await trashWithout(db, { owner_id, limit: TRASHED })
  return rows.map(({ id, seq, before, body }) => {
    // JSON that item-changes.ts has written.
    const content = contentOf({ ...JSON.parse(before ?? '{}'), body: body ?? '' })
    return { id, seq, identity_key: identityKeyOf(content) }
  })
}

const fillTrash = statement(
  (db, value: Value<{ owner_id: string; id: string; seq: number; identity_key: string }>) =>
    db
      .updateTable('trash')
      .set({ identity_key: value('identity_key') })
      .where('owner_id', '=', value('owner_id'))
      .where('item_id', '=', value('id'))
      .where('seq', '=', value('seq')),
)

/** Fills keys of the trash, except of items that were restored meanwhile. */
export const fillTrashIdentities = command(
  'items.fill-trash-identities',
  async (trx, { owner_id, keys }: TrashKeys): Promise<void> => {
    for (const key of keys) await fillTrash(trx, { owner_id, ...key })
  },
)
