import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { historyBytes } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import { deleteReferences, deleteSomeReferences } from '../files/references.ts'
import { type Author, recordChanges } from '../journal/journal.ts'
import { emptyChanges, MAX_BYTES } from './history.ts'
import { BETWEEN_STEPS, forgetTermsSoon } from './maintenance.ts'

/** Items that one step deletes for ever. */
const STEP = 50

interface ItemId {
  owner_id: string
  id: string
}

/** Which items are meant: those that were in the trash then. */
interface Bounds {
  /** Deleted until that time. */
  until: number
  /** Put into the trash by that change of the owner, or one before it. */
  seen: number
}

/** Greater than any bound. */
const NO_BOUND = Number.MAX_SAFE_INTEGER

const takeOut = statement((db, value: Value<ItemId & Bounds>) =>
  db
    .deleteFrom('trash')
    .where('owner_id', '=', value('owner_id'))
    .where('item_id', '=', value('id'))
    .where('deleted_at', '<=', value('until'))
    .where('seq', '<=', value('seen'))
    .returning('seq'),
)

const kindOf = statement((db, value: Value<{ owner_id: string; seq: number }>) =>
  db
    .selectFrom('changes')
    .select('kind')
    .where('owner_id', '=', value('owner_id'))
    .where('seq', '=', value('seq')),
)

const isThere = statement((db, value: Value<ItemId & Bounds>) =>
  db
    .selectFrom('trash')
    .select('seq')
    .where('owner_id', '=', value('owner_id'))
    .where('item_id', '=', value('id'))
    .where('deleted_at', '<=', value('until'))
    .where('seq', '<=', value('seen')),
)

/** The changes of an item that keep anything, the oldest first. */
const keptOf = statement((db, value: Value<ItemId & { limit: number }>) =>
  db
    .selectFrom('changes')
    .select(['seq', historyBytes.as('bytes')])
    .where('owner_id', '=', value('owner_id'))
    .where('entity_id', '=', value('id'))
    .where('before', 'is not', null)
    .orderBy('entity_id')
    .orderBy('seq')
    .limit(value('limit')),
)

const oldest = statement((db, value: Value<Bounds & { owner_id: string; limit: number }>) =>
  db
    .selectFrom('trash')
    .select('item_id')
    .where('owner_id', '=', value('owner_id'))
    .where('deleted_at', '<=', value('until'))
    // An expression: by an index of `seq` PostgreSQL would read and sort the whole trash for each step.
    .where(sql<boolean>`seq + 0 <= ${value('seen')}`)
    .orderBy('deleted_at')
    .limit(value('limit')),
)

/** What a step has deleted for ever. */
interface Forgotten {
  count: number
  /** The ids of those of which it is still kept which pictures they named. */
  left: string[]
  /** Some were left for another step: it would have had to make too much room. */
  isMore: boolean
}

/**
 * Takes the names of files from imports that have run: such a name is the title of a note whose file has no heading. Of all of
 * them, because nothing tells of which items an import left entries out that were there already.
 */
const forgetFileNames = statement((db, value: Value<{ owner_id: string }>) =>
  db
    .updateTable('imports')
    .set({ name: '' })
    .where('owner_id', '=', value('owner_id'))
    .where('state', 'not in', ['reading', 'ready'])
    .where('name', '<>', ''),
)

/** Changes of an item that one step empties at most. */
const CHANGES = 200

/**
 * Deletes items for ever that were in the trash at a time: their states, all their versions, and the names of imported files. Of
 * one that has too many for the step only the oldest go; it stays in the trash until the last do.
 */
async function forgetItems(
  trx: Trx,
  author: Author,
  ids: readonly string[],
  { until, seen }: Bounds = { until: NO_BOUND, seen: NO_BOUND },
): Promise<Forgotten> {
  const { owner_id } = author
  const changes = []
  const left: string[] = []
  let [bytes, isMore] = [0, false]
  for (const id of [...ids].sort()) {
    if ((await isThere(trx, { owner_id, id, until, seen })).length === 0) continue
    const rows = []
    // The last of all is emptied only when the item leaves the trash: until then it tells what the item was.
    const found = await keptOf(trx, { owner_id, id, limit: CHANGES + 1 })
    for (const row of found.map((one) => ({ seq: Number(one.seq), bytes: Number(one.bytes) }))) {
      if (rows.length === CHANGES) break
      if (bytes > 0 && bytes + row.bytes > MAX_BYTES) break
      bytes += row.bytes
      rows.push(row)
    }
    isMore = rows.length < found.length
    if (isMore) {
      await emptyChanges(trx, owner_id, rows)
      break
    }
    const [trashed] = await takeOut(trx, { owner_id, id, until, seen })
    if (!trashed) continue
    const [row] = await kindOf(trx, { owner_id, seq: trashed.seq })
    await emptyChanges(trx, owner_id, rows)
    if (await deleteSomeReferences(trx, { owner_id, id })) left.push(id)
    if (row) changes.push({ kind: row.kind, entity_id: id, revision: null })
  }
  const forgotten = { count: changes.length, left, isMore }
  if (forgotten.count === 0) return forgotten
  await forgetFileNames(trx, { owner_id })
  await forgetTermsSoon(trx, author.now)
  await recordChanges(trx, author, changes)
  return forgotten
}

export const forgetTrashed = command(
  'trash.delete',
  async (trx, { id, ...author }: Author & { id: string }): Promise<Forgotten> => {
    const forgotten = await forgetItems(trx, author, [id])
    if (forgotten.count === 0 && !forgotten.isMore) throw new AppError('trashedNotFound')
    return forgotten
  },
)

/** Deletes those of the items that were in the trash at `author.now`, and at a change: one restored and deleted again since stays. */
export const forgetFound = command(
  'trash.deleteFound',
  (trx, { ids, seen, ...author }: Author & { ids: readonly string[]; seen: number }): Promise<Forgotten> =>
    forgetItems(trx, author, ids, { until: author.now, seen }),
)

type Writer = Pick<Database, 'write'>

/** Forgets the pictures that items named which are gone, in steps: there may be thousands. */
async function forgetPictures(db: Writer, owner_id: string, ids: readonly string[]): Promise<void> {
  for (const id of ids) while (await db.write(deleteReferences, { owner_id, id })) await sleep(BETWEEN_STEPS)
}

/** Deletes an item of the trash for ever. Throws 'trashedNotFound'. */
export async function deleteForEver(db: Writer, item: Author & { id: string }): Promise<void> {
  for (let isMore = true; isMore; ) {
    const step = await db.write(forgetTrashed, item)
    await forgetPictures(db, item.owner_id, step.left)
    isMore = step.isMore
    if (isMore) await sleep(BETWEEN_STEPS)
  }
}

/** Deletes the oldest of what was in the trash at a time, and at a change. */
export const purgeTrash = command(
  'trash.purge',
  async (trx, { until, seen, ...author }: Author & Bounds): Promise<Omit<Forgotten, 'count'>> => {
    const rows = await oldest(trx, { owner_id: author.owner_id, until, seen, limit: STEP })
    const ids = rows.map(({ item_id }) => item_id)
    const { left, isMore } = await forgetItems(trx, author, ids, { until, seen })
    return { left, isMore: isMore || rows.length === STEP }
  },
)

/**
 * Deletes for ever what was in the trash at `author.now`, or another time, and at the change `seen`, the oldest first, in steps
 * that hold nobody up: as long as `isWanted` resolves to true before each.
 */
export async function clearTrash(
  db: Writer,
  author: Author,
  {
    until = author.now,
    seen = NO_BOUND,
    isWanted = async () => true,
  }: { until?: number; seen?: number | undefined; isWanted?: () => Promise<boolean> } = {},
): Promise<void> {
  for (let isMore = true; isMore && (await isWanted()); ) {
    const step = await db.write(purgeTrash, { ...author, until, seen })
    await forgetPictures(db, author.owner_id, step.left)
    isMore = step.isMore
    if (isMore) await sleep(BETWEEN_STEPS)
  }
}

/** The same of what a search found in the trash at `author.now`. */
export async function clearFound(
  db: Writer,
  author: Author,
  found: readonly string[],
  seen = NO_BOUND,
): Promise<void> {
  for (let from = 0; from < found.length; ) {
    if (from > 0) await sleep(BETWEEN_STEPS)
    const step = await db.write(forgetFound, { ...author, seen, ids: found.slice(from, from + STEP) })
    await forgetPictures(db, author.owner_id, step.left)
    if (!step.isMore) from += STEP
  }
}
