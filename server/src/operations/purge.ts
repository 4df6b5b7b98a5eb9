import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_VERSIONS, VERSION_DAYS } from '@kopilka/contract/limits.ts'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import { deleteFirst } from '../db/delete-first.ts'
import type { Database } from '../db/open.ts'
import type { Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { AppError } from '../errors.ts'
import { forgetNamed, forgetSomeNamed } from '../files/references.ts'
import { type Author, recordChanges } from '../journal/journal.ts'
import { BETWEEN_STEPS, forgetTermsSoon } from './maintenance.ts'
import { UNDOABLE_FOR } from './undo.ts'

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

/** What a change keeps no more. */
const EMPTY = { version: null, before: null, body: null, document: null } as const

/** The rows stay, so that the numbers of changes have no gaps: without a word. */
const forget = statement((db, value: Value<ItemId>) =>
  db
    .updateTable('changes')
    .set(EMPTY)
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

/** What a step has deleted for ever. */
interface Forgotten {
  count: number
  /** The ids of those of which it is still kept which pictures they named. */
  left: string[]
}

/** Deletes items of the trash for ever: their states and all their versions. */
async function forgetItems(trx: Trx, author: Author, ids: readonly string[]): Promise<Forgotten> {
  const { owner_id } = author
  const changes = []
  const left: string[] = []
  for (const id of [...ids].sort()) {
    const [trashed] = await takeOut(trx, { owner_id, id })
    if (!trashed) continue
    const [row] = await kindOf(trx, { owner_id, seq: trashed.seq })
    await forget(trx, { owner_id, id })
    if (await forgetSomeNamed(trx, { owner_id, id })) left.push(id)
    if (row) changes.push({ kind: row.kind, entity_id: id, revision: null })
  }
  const forgotten = { count: changes.length, left }
  if (forgotten.count === 0) return forgotten
  await forgetTermsSoon(trx, author.now)
  await recordChanges(trx, author, changes)
  return forgotten
}

export const forgetTrashed = command(
  'trash.delete',
  async (trx, { id, ...author }: Author & { id: string }): Promise<Forgotten> => {
    const forgotten = await forgetItems(trx, author, [id])
    if (forgotten.count === 0) throw new AppError('trashedNotFound')
    return forgotten
  },
)

type Writer = Pick<Database, 'write'>

/** Forgets the pictures that items named which are gone, in steps: there may be thousands. */
async function forgetPictures(db: Writer, owner_id: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) while (await db.write(forgetNamed, { owner_id, id })) await sleep(BETWEEN_STEPS)
}

/** Deletes an item of the trash for ever. Throws 'trashedNotFound'. */
export async function deleteForEver(db: Writer, item: Author & { id: string }): Promise<void> {
  const { left } = await db.write(forgetTrashed, item)
  await forgetPictures(db, item.owner_id, left)
}

/** Deletes the oldest of what was in the trash at a time. */
export const purgeTrash = command(
  'trash.purge',
  async (
    trx,
    { until, ...author }: Author & { until: number },
  ): Promise<Pick<Forgotten, 'left'> & { isMore: boolean }> => {
    const rows = await oldest(trx, { owner_id: author.owner_id, until, limit: STEP })
    const { left } = await forgetItems(
      trx,
      author,
      rows.map(({ item_id }) => item_id),
    )
    return { left, isMore: rows.length === STEP }
  },
)

/** Deletes for ever what was in the trash at `author.now`, or another time, in steps that hold nobody up. */
export async function clearTrash(db: Writer, author: Author, until = author.now): Promise<void> {
  for (let isMore = true; isMore; ) {
    const step = await db.write(purgeTrash, { ...author, until })
    await forgetPictures(db, author.owner_id, step.left)
    isMore = step.isMore
    if (isMore) await sleep(BETWEEN_STEPS)
  }
}

const DAY = 24 * 60 * 60_000
const KEPT_FOR = VERSION_DAYS * DAY

/** Rows that one step of a purge changes. */
const ROWS = 500

interface Purge {
  owner_id: string
  before: number
  limit: number
}

const removeOperations = deleteFirst<Purge>({
  ...{ table: 'operations', key: 'id', order: 'at' },
  where: (value) => sql`at <= ${value('before')}`,
})

/** Changes before a time that no item of the trash needs. */
const old = (db: Db, value: Value<Purge>) =>
  db
    .selectFrom('changes')
    .select('seq')
    .where('owner_id', '=', value('owner_id'))
    .where('at', '<=', value('before'))
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('trash')
            .select('item_id')
            .where('trash.owner_id', '=', value('owner_id'))
            .whereRef('trash.item_id', '=', 'changes.entity_id')
            .whereRef('trash.seq', '=', 'changes.seq'),
        ),
      ),
    )
    .orderBy('seq')
    .limit(value('limit'))

const removeChanges = statement((db, value: Value<Purge>) =>
  db
    .deleteFrom('changes')
    .where('owner_id', '=', value('owner_id'))
    .where('seq', 'in', old(db, value))
    .returning('seq'),
)

const forgetOperations = statement((db, value: Value<Purge>) =>
  db
    .updateTable('changes')
    .set(EMPTY)
    .where('owner_id', '=', value('owner_id'))
    .where('seq', 'in', old(db, value).where('version', 'is', null).where('before', 'is not', null))
    .returning('seq'),
)

/** Of each item, the versions beyond the newest ones. */
const forgetVersions = statement(
  (_, value: Value<Purge & { kept: number }>) =>
    sql<{ seq: number }>`update changes set version = null, "before" = null, body = null, document = null
    where owner_id = ${value('owner_id')} and seq in (
      select seq from (
        select seq, row_number() over (partition by entity_id order by seq desc) as place from changes
          where owner_id = ${value('owner_id')} and version is not null
      ) as versions where place > ${value('kept')} limit ${value('limit')}
    ) returning seq`,
)

/** Removes what is older than it is kept, in one step. Resolves to whether there may be more. */
export const purgeHistory = command(
  'operations.purge',
  async (trx, { owner_id, now }: { owner_id: string; now: number }): Promise<boolean> => {
    const purge = (before: number) => ({ owner_id, before, limit: ROWS })
    const removed = [
      await removeOperations(trx, purge(now - UNDOABLE_FOR)),
      await removeChanges(trx, purge(now - KEPT_FOR)),
      await forgetOperations(trx, purge(now - UNDOABLE_FOR)),
      await forgetVersions(trx, { ...purge(now), kept: MAX_VERSIONS }),
    ]
    return removed.some((rows) => rows.length === ROWS)
  },
)
