import type { OperationAction } from '@kopilka/contract/operations.ts'
import { sql } from 'kysely'
import { v7 as uuidv7 } from 'uuid'
import { pipelined } from '../db/pipelined.ts'
import type { ChangesTable, Tables, Trx } from '../db/schema.ts'
import { fullTextOf, statement, type Value } from '../db/statement.ts'

/** A change of an item or a tag, as it goes into the journal. */
export interface Change
  extends Pick<ChangesTable, 'kind' | 'entity_id' | 'revision'>,
    Partial<Pick<ChangesTable, 'version' | 'before' | 'body' | 'document'>> {
  /** The change put the item into the trash at this time. */
  deleted_at?: number | undefined
  /** What makes that item the same as another. */
  identity_key?: string | null | undefined
  /** When it was made, where that was before it is recorded. */
  at?: number | undefined
  /** Ids of tags that were created or removed with it. */
  changed_tags?: readonly string[] | undefined
}

/**
 * Changes of tags that were created or removed with other changes, for those who follow the journal (changes/feed.ts). As
 * `reverted` ones they make no difference to an undo.
 */
export const changedTags = (ids: readonly string[]): Change[] =>
  ids.map((id) => ({ kind: 'tag', entity_id: id, revision: 0 }))

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

const take = statement((db, value: Value<{ owner_id: string; count: number; bytes: number }>) =>
  db
    .insertInto('change_counts')
    .values({ owner_id: value('owner_id'), last_seq: value('count'), kept_bytes: value('bytes') })
    .onConflict((conflict) =>
      conflict.column('owner_id').doUpdateSet(({ eb, ref }) => ({
        last_seq: eb('change_counts.last_seq', '+', ref('excluded.last_seq')),
        kept_bytes: eb('change_counts.kept_bytes', '+', ref('excluded.kept_bytes')),
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
const insertMany = statement((_, value: Value<{ owner_id: string; changes: readonly ChangesTable[] }>) => {
  const columns = [...TEXTS, 'seq', ...UNNUMBERED]
  const numbers = ['seq', ...UNNUMBERED].map((column) => sql`cast(${sql.ref(column)} as bigint)`)
  return sql<never>`insert into changes (owner_id, ${sql.join(columns.map((column) => sql.ref(column)))})
    select ${value('owner_id')}, ${sql.join([...TEXTS.map((column) => sql.ref(column)), ...numbers])}
    from ${value.rows('changes', 'made', columns)}`
})

const UNNUMBERED = ['revision', 'at', 'is_reverted', 'version'] as const

/** Inserts the one change that was counted last, without its number in between. */
const insertLast = statement((_, value: Value<Omit<ChangesTable, 'seq'>>) => {
  const columns = [...TEXTS, ...UNNUMBERED].map((column) => sql.ref(column))
  const texts = TEXTS.map((column) => sql`cast(${value(column)} as text)`)
  const numbers = UNNUMBERED.map((column) => sql`cast(${value(column)} as bigint)`)
  return sql<never>`insert into changes (owner_id, seq, ${sql.join(columns)})
    select owner_id, last_seq, ${sql.join([...texts, ...numbers])} from change_counts
    where owner_id = ${value('owner_id')}`
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

type Trashed = Omit<Tables['trash'], 'owner_id'>

const insertTrash = statement(
  (_, value: Value<{ owner_id: string; trashed: readonly Trashed[] }>) =>
    sql<never>`insert into trash (owner_id, item_id, deleted_at, seq, identity_key)
    select ${value('owner_id')}, item_id, cast(deleted_at as bigint), cast(seq as bigint), identity_key
    from ${value.rows('trashed', 'deleted', ['item_id', 'deleted_at', 'seq', 'identity_key'])}`,
)

/** What {@link historyBytes} counts. */
const bytesOf = ({ before, body, document }: Pick<Change, 'before' | 'body' | 'document'>): number =>
  Buffer.byteLength(before ?? '') + Buffer.byteLength(body ?? '') + Buffer.byteLength(document ?? '')

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
  const tags = changedTags([...new Set(changes.flatMap(({ changed_tags = [] }) => changed_tags))])
  const count = changes.length + tags.length
  const bytes = changes.reduce((sum, change) => sum + bytesOf(change), 0)
  const [only] = changes
  if (only && count === 1 && only.deleted_at === undefined) {
    const { deleted_at: _, identity_key: __, changed_tags: ___, at = now, ...change } = only
    const kept = { version: null, before: null, body: null, document: null, ...change }
    const row = { ...kept, owner_id, at, session_id, operation_id, is_reverted: Number(reverted) }
    const [[taken]] = await pipelined(trx, [
      (trx) => take(trx, { owner_id, count, bytes }),
      (trx) => insertLast(trx, row),
    ])
    const seq = Number(taken?.last_seq)
    return { first: seq, last: seq }
  }
  const [taken] = await take(trx, { owner_id, count, bytes })
  const first = Number(taken?.last_seq) - count + 1
  const rows: ChangesTable[] = []
  const trashed: Trashed[] = []
  for (const [index, { deleted_at, identity_key = null, at = now, changed_tags: _, ...change }] of [
    ...changes,
    ...tags,
  ].entries()) {
    const seq = first + index
    const kept = { version: null, before: null, body: null, document: null, ...change }
    const own =
      index < changes.length
        ? { operation_id, is_reverted: Number(reverted) }
        : { operation_id: null, is_reverted: 1 }
    rows.push({ ...kept, ...own, owner_id, seq, at, session_id })
    if (deleted_at !== undefined) trashed.push({ item_id: change.entity_id, deleted_at, seq, identity_key })
  }
  await insertAll(trx, owner_id, rows)
  if (trashed.length > 0) await insertTrash(trx, { owner_id, trashed })
  return { first, last: first + changes.length - 1 }
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

const lastOf = statement((db, value: Value<{ owner_id: string; ids: readonly string[] }>) =>
  db
    .selectFrom('changes')
    .select(({ fn }) => ['entity_id', fn.max('seq').as('seq')])
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('entity_id', 'ids'))
    .groupBy('entity_id'),
)

const forgetUpTo = statement((db, value: Value<{ owner_id: string; seq: number }>) =>
  db
    .updateTable('change_counts')
    .set({ forgotten_seq: value('seq') })
    .where('owner_id', '=', value('owner_id'))
    .where('forgotten_seq', '<', value('seq')),
)

/**
 * Notes that changes are kept no more, to be called after they were removed or emptied: whoever has followed the journal to one
 * before the last of them starts over. A change of an item that was changed again is no loss, as its present state is what counts.
 */
export async function noteForgotten(
  trx: Trx,
  owner_id: string,
  forgotten: readonly Pick<ChangesTable, 'seq' | 'kind' | 'entity_id'>[],
): Promise<void> {
  const ids = [...new Set(forgotten.flatMap(({ kind, entity_id }) => (kind === 'tag' ? [] : entity_id)))]
  const last = new Map(
    (ids.length > 0 ? await lastOf(trx, { owner_id, ids }) : []).map(({ entity_id, seq }) => [
      entity_id,
      Number(seq),
    ]),
  )
  const lost = forgotten.filter(
    ({ kind, entity_id, seq }) => kind === 'tag' || (last.get(entity_id) ?? 0) < Number(seq),
  )
  if (lost.length > 0)
    await forgetUpTo(trx, { owner_id, seq: Math.max(...lost.map(({ seq }) => Number(seq))) })
}
