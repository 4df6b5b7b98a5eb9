import type { OperationAction } from '@kopilka/contract/operations.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import type { ChangesTable, Trx } from '../db/schema.ts'
import { fullTextOf, statement, type Value } from '../db/statement.ts'

/** A change of an item or a tag, as it goes into the journal. */
export interface Change
  extends Pick<ChangesTable, 'kind' | 'entity_id' | 'revision'>,
    Partial<Pick<ChangesTable, 'version' | 'before' | 'body' | 'document'>> {
  /** The change put the item into the trash at this time. */
  deleted_at?: number | undefined
  /** When it was made, where that was before it is recorded. */
  at?: number | undefined
}

/** Who changes something, and when. */
export interface Author {
  owner_id: string
  /** Null where no session does. */
  session_id: string | null
  now: number
}

/** What a write is to be undone as. `id`: made by the caller, as it travels with the response. */
export interface NewOperation extends Author {
  id: string
  action: OperationAction
}

/** An operation that a request makes. */
export const newOperation = (
  { owner_id, session_id }: Omit<Author, 'now'>,
  action: OperationAction,
  now: number,
): NewOperation => ({ owner_id, session_id, now, id: uuidv7({ msecs: now }), action })

const take = statement((db, value: Value<{ owner_id: string; count: number }>) =>
  db
    .insertInto('change_counts')
    .values({ owner_id: value('owner_id'), last_seq: value('count') })
    .onConflict((conflict) =>
      conflict.column('owner_id').doUpdateSet(({ eb, ref }) => ({
        last_seq: eb('change_counts.last_seq', '+', ref('excluded.last_seq')),
      })),
    )
    .returning('last_seq'),
)

/** All columns of a change. */
export const CHANGE = [
  ...(['owner_id', 'seq', 'kind', 'entity_id', 'revision', 'at', 'session_id', 'operation_id'] as const),
  ...(['is_reverted', 'version', 'before', 'body', 'document'] as const),
] as const

const insert = statement((db, value: Value<ChangesTable>) =>
  db.insertInto('changes').values(value.row(CHANGE)),
)

/** Texts of changes that are inserted at once, in characters: more would keep PostgreSQL and this thread busy with one parameter. */
const AT_ONCE = 200_000

const TEXTS = ['kind', 'entity_id', 'session_id', 'operation_id', 'before', 'body', 'document'] as const
const NUMBERS = ['seq', 'revision', 'at', 'is_reverted', 'version'] as const

const insertMany = statement((_, value: Value<{ owner_id: string; changes: readonly ChangesTable[] }>) => {
  const columns = [...TEXTS, ...NUMBERS]
  const numbers = NUMBERS.map((column) => sql`cast(${sql.ref(column)} as bigint)`)
  return sql<never>`insert into changes (owner_id, ${sql.join(columns.map((column) => sql.ref(column)))})
    select ${value('owner_id')}, ${sql.join([...TEXTS.map((column) => sql.ref(column)), ...numbers])}
    from ${value.rows('changes', 'made', columns)}`
})

const lengthOf = ({ before, body, document }: ChangesTable): number =>
  (before?.length ?? 0) + (body?.length ?? 0) + (document?.length ?? 0)

/** Inserts changes of one owner, many at once on PostgreSQL: on SQLite a statement costs as little as a row. */
async function insertAll(trx: Trx, owner_id: string, changes: readonly ChangesTable[]): Promise<void> {
  let many: ChangesTable[] = []
  let length = 0
  const flush = async () => {
    if (many.length > 1) await insertMany(trx, { owner_id, changes: many })
    else for (const one of many) await insert(trx, one)
    many = []
    length = 0
  }
  for (const change of changes) {
    if (fullTextOf(trx) === 'fts5' || length + lengthOf(change) > AT_ONCE) await flush()
    many.push(change)
    length += lengthOf(change)
  }
  await flush()
}

const insertOperation = statement(
  (
    db,
    value: Value<{
      owner_id: string
      id: string
      action: OperationAction
      at: number
      items: number
      first_seq: number
      last_seq: number
    }>,
  ) =>
    db
      .insertInto('operations')
      .values(value.row(['owner_id', 'id', 'action', 'at', 'items', 'first_seq', 'last_seq'])),
)

const insertTrash = statement(
  (
    _,
    value: Value<{
      owner_id: string
      trashed: readonly { item_id: string; deleted_at: number; seq: number }[]
    }>,
  ) => sql<never>`insert into trash (owner_id, item_id, deleted_at, seq)
    select ${value('owner_id')}, item_id, cast(deleted_at as bigint), cast(seq as bigint)
    from ${value.rows('trashed', 'deleted', ['item_id', 'deleted_at', 'seq'])}`,
)

interface Numbered {
  first: number
  last: number
}

/**
 * Records changes in the transaction that makes them, after all else that it locks: from here to its end other writes of
 * the owner wait, so that the numbers have no gaps and follow the commits. `reverted`: they are the undo of others.
 */
export async function recordChanges(
  trx: Trx,
  { owner_id, session_id, now }: Author,
  changes: readonly Change[],
  { operation_id = null, reverted = false }: { operation_id?: string | null; reverted?: boolean } = {},
): Promise<Numbered> {
  const [taken] = await take(trx, { owner_id, count: changes.length })
  const last = Number(taken?.last_seq)
  const first = last - changes.length + 1
  const rows: ChangesTable[] = []
  const trashed: { item_id: string; deleted_at: number; seq: number }[] = []
  for (const [index, { deleted_at, at = now, ...change }] of changes.entries()) {
    const seq = first + index
    const kept = { version: null, before: null, body: null, document: null, ...change }
    rows.push({ ...kept, owner_id, seq, at, session_id, operation_id, is_reverted: Number(reverted) })
    if (deleted_at !== undefined) trashed.push({ item_id: change.entity_id, deleted_at, seq })
  }
  await insertAll(trx, owner_id, rows)
  if (trashed.length > 0) await insertTrash(trx, { owner_id, trashed })
  return { first, last }
}

/** Records an operation whose changes were recorded before with its id. */
export const recordWholeOperation = insertOperation

/**
 * Records an operation and its changes, in the transaction that makes them and after all else that it locks. An operation
 * without changes is none, unless `evenEmpty`: others follow. `items`: how many items or tags it changed, where that is not one
 * for each change.
 */
export async function recordOperation(
  trx: Trx,
  { id, action, ...author }: NewOperation,
  changes: readonly Change[],
  { items = changes.length, evenEmpty = false }: { items?: number; evenEmpty?: boolean } = {},
): Promise<void> {
  const isEmpty = changes.length === 0
  if (isEmpty && !evenEmpty) return
  const { owner_id, now } = author
  const { first, last } = isEmpty
    ? { first: 0, last: 0 }
    : await recordChanges(trx, author, changes, { operation_id: id })
  await insertOperation(trx, { owner_id, id, action, at: now, items, first_seq: first, last_seq: last })
}
