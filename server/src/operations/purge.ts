import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { AppError } from '../errors.ts'
import { type Author, recordChanges } from '../journal/journal.ts'

/** Items that one step deletes for ever. */
const STEP = 50

interface ItemId {
  owner_id: string
  id: string
}

const takeOut = statement((db, value: Value<ItemId>) =>
  db
    .deleteFrom('trash')
    .where('owner_id', '=', value('owner_id'))
    .where('item_id', '=', value('id'))
    .returning('seq'),
)

const kindOf = statement((db, value: Value<{ owner_id: string; seq: number }>) =>
  db
    .selectFrom('changes')
    .select('kind')
    .where('owner_id', '=', value('owner_id'))
    .where('seq', '=', value('seq')),
)

/** The rows stay, so that the numbers of changes have no gaps: without a word. */
const forget = statement((db, value: Value<ItemId>) =>
  db
    .updateTable('changes')
    .set({ version: null, before: null, body: null, document: null })
    .where('owner_id', '=', value('owner_id'))
    .where('entity_id', '=', value('id')),
)

const oldest = statement((db, value: Value<{ owner_id: string; until: number; limit: number }>) =>
  db
    .selectFrom('trash')
    .select('item_id')
    .where('owner_id', '=', value('owner_id'))
    .where('deleted_at', '<=', value('until'))
    .orderBy('deleted_at')
    .limit(value('limit')),
)

/** Deletes items of the trash for ever: their states and all their versions. Resolves to how many there were. */
async function forgetItems(trx: Trx, author: Author, ids: readonly string[]): Promise<number> {
  const { owner_id } = author
  const changes = []
  for (const id of [...ids].sort()) {
    const [trashed] = await takeOut(trx, { owner_id, id })
    if (!trashed) continue
    const [row] = await kindOf(trx, { owner_id, seq: trashed.seq })
    await forget(trx, { owner_id, id })
    if (row) changes.push({ kind: row.kind, entity_id: id, revision: null })
  }
  if (changes.length > 0) await recordChanges(trx, author, changes)
  return changes.length
}

/** Throws 'trashedNotFound'. */
export const deleteForEver = command(
  'trash.delete',
  async (trx, { id, ...author }: Author & { id: string }) => {
    if ((await forgetItems(trx, author, [id])) === 0) throw new AppError('trashedNotFound')
  },
)

/** Deletes the oldest of what was in the trash at a time. Resolves to whether there may be more. */
export const purgeTrash = command(
  'trash.purge',
  async (trx, { until, ...author }: Author & { until: number }): Promise<boolean> => {
    const rows = await oldest(trx, { owner_id: author.owner_id, until, limit: STEP })
    await forgetItems(
      trx,
      author,
      rows.map(({ item_id }) => item_id),
    )
    return rows.length === STEP
  },
)

/** Deletes for ever what is in the trash, in steps that hold nobody up. */
export async function clearTrash(db: Database, author: Author): Promise<void> {
  while (await db.write(purgeTrash, { ...author, until: author.now }));
}
