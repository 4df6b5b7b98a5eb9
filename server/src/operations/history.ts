import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_VERSIONS, VERSION_DAYS } from '@kopilka/contract/limits.ts'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import { deleteFirst } from '../db/delete-first.ts'
import type { Database } from '../db/open.ts'
import type { ChangesTable, Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { historyBytes } from '../db/usage.ts'
import { noteForgotten } from '../journal/journal.ts'
import { yieldToEventLoop } from '../threads/yield-to-event-loop.ts'
import { BETWEEN_STEPS } from './maintenance.ts'
import { UNDOABLE_FOR } from './undo.ts'

const DAY = 24 * 60 * 60_000
const KEPT_FOR = VERSION_DAYS * DAY

/** Rows that one step looks at. */
const ROWS = 500
/** Bytes of which a step makes room, unless the first row alone has more: SQLite reads each page that it frees. */
export const MAX_BYTES = 5_000_000

interface Piece {
  owner_id: string
  from: number
  limit: number
}

interface HistoryRow
  extends Pick<ChangesTable, 'seq' | 'kind' | 'entity_id' | 'at' | 'version' | 'operation_id'> {
  bytes: number
  is_empty: number
  is_trashed: number
  /** Whether the operation stands among those that can be undone: an import may have ended long after its first change. */
  is_undoable: number
  /** How many newer versions of the item there are, up to those that are kept; 0 of what is no version. */
  newer: number
}

const piece = statement(
  (_, value: Value<Piece>) => sql<HistoryRow>`
    select seq, kind, entity_id, at, version, operation_id, ${historyBytes} as bytes,
      case when "before" is null then 1 else 0 end as is_empty,
      case when exists (
        select 1 from trash where trash.owner_id = ${value('owner_id')} and trash.item_id = changes.entity_id
          and trash.seq = changes.seq
      ) then 1 else 0 end as is_trashed,
      case when exists (
        select 1 from operations where operations.owner_id = ${value('owner_id')} and operations.id = changes.operation_id
      ) then 1 else 0 end as is_undoable,
      case when version is null then 0 else (
        select count(*) from (
          select 1 from changes as newer where newer.owner_id = ${value('owner_id')}
            and newer.entity_id = changes.entity_id and newer.seq > changes.seq and newer.version is not null
          limit ${sql.lit(MAX_VERSIONS)}
        ) as versions
      ) end as newer
    from changes where owner_id = ${value('owner_id')} and seq >= ${value('from')}
    order by seq limit ${value('limit')}`,
)

/** Changes of an owner from a number on, in their order. */
const rowsFrom = async (trx: Trx, owner_id: string, from: number): Promise<HistoryRow[]> =>
  (await piece(trx, { owner_id, from, limit: ROWS })).map((row) => ({
    ...row,
    seq: Number(row.seq),
    bytes: Number(row.bytes),
    newer: Number(row.newer),
  }))

/** The first of the rows, of those that are wanted no more bytes than a step makes room for. */
function fitting<Row extends { bytes: number }>(
  rows: readonly Row[],
  isWanted: (row: Row) => boolean,
): Row[] {
  let bytes = 0
  const end = rows.findIndex((row) => {
    const isMore = bytes > 0
    if (isWanted(row)) bytes += row.bytes
    return isMore && bytes > MAX_BYTES
  })
  return end < 0 ? [...rows] : rows.slice(0, end)
}

interface Rows {
  owner_id: string
  seqs: readonly number[]
}

/** Columns of what a change keeps. */
const KEPT = ['version', 'before', 'body', 'document'] as const

/** Returns what they kept: another transaction may have emptied or removed some meanwhile. */
const removeRows = statement((db, value: Value<Rows>) =>
  db
    .deleteFrom('changes')
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('seq', 'seqs', 'bigint'))
    .returning(['seq', historyBytes.as('bytes')]),
)

/**
 * The rows stay, so that the numbers of changes have no gaps: without a word. Returns those that no other transaction has
 * emptied or removed meanwhile.
 */
const emptyRows = statement((db, value: Value<Rows>) =>
  db
    .updateTable('changes')
    .set({ version: null, before: null, body: null, document: null })
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('seq', 'seqs', 'bigint'))
    .where(({ eb, or }) => or(KEPT.map((column) => eb(column, 'is not', null))))
    .returning('seq'),
)

const subtract = statement((db, value: Value<{ owner_id: string; bytes: number }>) =>
  db
    .updateTable('change_counts')
    .set(({ eb }) => ({ kept_bytes: eb('kept_bytes', '-', value('bytes')) }))
    .where('owner_id', '=', value('owner_id')),
)

type Counted = Pick<HistoryRow, 'seq' | 'bytes'>

async function subtractAll(trx: Trx, owner_id: string, rows: readonly Counted[]): Promise<void> {
  const bytes = rows.reduce((sum, row) => sum + Number(row.bytes), 0)
  if (bytes > 0) await subtract(trx, { owner_id, bytes })
}

const seqsOf = (rows: readonly Counted[]): number[] => rows.map(({ seq }) => seq)

/** Empties changes: they keep nothing any more. */
export async function emptyChanges(trx: Trx, owner_id: string, rows: readonly Counted[]): Promise<void> {
  if (rows.length === 0) return
  const emptied = new Set(
    (await emptyRows(trx, { owner_id, seqs: seqsOf(rows) })).map(({ seq }) => Number(seq)),
  )
  await subtractAll(
    trx,
    owner_id,
    rows.filter(({ seq }) => emptied.has(seq)),
  )
}

/** Notes what a change feed needs of the emptied changes: those of items still tell which item it was. */
const noteEmptied = (trx: Trx, owner_id: string, rows: readonly HistoryRow[]): Promise<void> =>
  noteForgotten(
    trx,
    owner_id,
    rows.filter(({ kind }) => kind === 'tag'),
  )

const removeOperations = deleteFirst<{ owner_id: string; before: number; limit: number }>({
  ...{ table: 'operations', key: 'id', order: 'at' },
  // One that has not begun yet has no time, and one that is being undone is not over.
  where: (value) => sql`at > 0 and work is null and at <= ${value('before')}`,
})

interface Purge {
  owner_id: string
  now: number
  /** The number of the change from which on the step looks. */
  from: number
}

/**
 * Removes what is older than it is kept, in one step, and of each item the versions beyond the newest ones. Resolves to where the next
 * step begins; undefined where there is none.
 */
export const purgeHistory = command(
  'operations.purge',
  async (trx, { owner_id, now, from }: Purge): Promise<number | undefined> => {
    await removeOperations(trx, { owner_id, before: now - UNDOABLE_FOR, limit: ROWS })
    const end = await endOf(trx, owner_id)
    const isOld = ({ seq, at, is_trashed }: HistoryRow) =>
      is_trashed === 0 && seq < end && at <= now - KEPT_FOR
    const isEmptied = (row: HistoryRow) => {
      if (row.is_trashed === 1 || row.is_empty === 1 || row.seq >= end || isOld(row)) return false
      const isFinal = row.at <= now - UNDOABLE_FOR && row.is_undoable === 0
      if (row.version === null) return isFinal
      return row.newer >= MAX_VERSIONS && (row.operation_id === null || isFinal)
    }
    const found = await rowsFrom(trx, owner_id, from)
    const rows = fitting(found, (row) => isOld(row) || isEmptied(row))
    const [old, emptied] = [rows.filter(isOld), rows.filter(isEmptied)]
    if (old.length > 0)
      await subtractAll(trx, owner_id, await removeRows(trx, { owner_id, seqs: seqsOf(old) }))
    await emptyChanges(trx, owner_id, emptied)
    await noteForgotten(trx, owner_id, old)
    await noteEmptied(trx, owner_id, emptied)
    return nextOf(found, rows)
  },
)

/** Where the next step begins. */
const nextOf = (found: readonly HistoryRow[], rows: readonly HistoryRow[]): number | undefined =>
  rows.length < found.length || found.length === ROWS ? (rows.at(-1)?.seq ?? 0) + 1 : undefined

type Writer = Pick<Database, 'write'>

/** Removes all that is older than it is kept, in steps that hold nobody up. */
export async function purgeOld(
  db: Writer,
  { owner_id, now }: Omit<Purge, 'from'>,
  signal?: AbortSignal,
): Promise<void> {
  for (let from: number | undefined = 0; from !== undefined; ) {
    signal?.throwIfAborted()
    from = await db.write(purgeHistory, { owner_id, now, from })
    if (from !== undefined) await sleep(BETWEEN_STEPS)
  }
}

const kept = statement((db, value: Value<{ owner_id: string }>) =>
  db.selectFrom('change_counts').select('kept_bytes').where('owner_id', '=', value('owner_id')),
)

/** Bytes that the history of an owner takes: earlier versions, the trash and what can be undone. */
export async function historyOf(db: Db, owner_id: string): Promise<number> {
  const [row] = await kept(db, { owner_id })
  return Number(row?.kept_bytes ?? 0)
}

const counts = statement((db, value: Value<{ after: string; limit: number }>) =>
  db
    .selectFrom('change_counts')
    .select(['owner_id', 'kept_bytes'])
    .where('owner_id', '>', value('after'))
    .orderBy('owner_id')
    .limit(value('limit')),
)

/** Owners that are looked through in one iteration of the event loop. */
const OWNERS = 2_000

/** The owners whose history takes more bytes than it may. */
export async function* ownersOver(db: Db, most: number): AsyncGenerator<string> {
  for (let after: string | undefined = ''; after !== undefined; ) {
    const rows = await counts(db, { after, limit: OWNERS })
    for (const { owner_id, kept_bytes } of rows) if (Number(kept_bytes) > most) yield owner_id
    after = rows.length === OWNERS ? rows.at(-1)?.owner_id : undefined
    await yieldToEventLoop()
  }
}

/**
 * The first change of what is under way: an operation or its undo, or an import, which becomes an operation at its end. Without what
 * their changes keep they would be undone wrongly. What no job is to finish any more is not under way: it would hold up the limit
 * of the history for ever.
 */
const firstUnfinished = statement(
  (_, value: Value<{ owner_id: string }>) => sql<{ seq: number | null }>`
    select min(first_seq) as seq from (
      select first_seq from operations where owner_id = ${value('owner_id')} and work is not null and exists (
        select 1 from jobs where jobs.owner_id = ${value('owner_id')} and jobs.id = operations.id
      )
      union all
      select first_seq from imports where owner_id = ${value('owner_id')} and first_seq is not null and exists (
        select 1 from jobs where jobs.owner_id = ${value('owner_id')} and jobs.id = imports.id
      )
    ) as unfinished where first_seq > 0`,
)

/** The number of the first change that what is under way may need; without end where nothing is. */
export async function endOf(db: Db, owner_id: string): Promise<number> {
  const [row] = await firstUnfinished(db, { owner_id })
  return row?.seq == null ? Number.POSITIVE_INFINITY : Number(row.seq)
}

/** The operations of which a change up to a number is one cannot be undone any more. */
const endOperations = statement((db, value: Value<{ owner_id: string; seq: number }>) =>
  db
    .deleteFrom('operations')
    .where('owner_id', '=', value('owner_id'))
    .where('work', 'is', null)
    .where('first_seq', '<=', value('seq')),
)

interface Trim {
  owner_id: string
  /** Bytes that may stay. */
  most: number
  from: number
}

/**
 * Empties the oldest changes, in one step, until the history of the owner takes no more than it may: without those of the trash,
 * and of what is under way. Resolves to where the next step begins; undefined where there is none.
 */
export const trimHistory = command(
  'operations.trim',
  async (trx, { owner_id, most, from }: Trim): Promise<number | undefined> => {
    let over = (await historyOf(trx, owner_id)) - most
    if (over <= 0) return undefined
    const isWanted = ({ is_trashed, bytes }: HistoryRow) => is_trashed === 0 && bytes > 0
    const found = await rowsFrom(trx, owner_id, from)
    const rows = fitting(found, isWanted)
    const end = await endOf(trx, owner_id)
    const wanted = rows.filter((row) => {
      if (over <= 0 || row.seq >= end || !isWanted(row)) return false
      over -= row.bytes
      return true
    })
    const last = wanted.at(-1)?.seq ?? 0
    if (last > 0) await endOperations(trx, { owner_id, seq: last })
    // An undo may have begun before its operation was deleted.
    const still = await endOf(trx, owner_id)
    const emptied = wanted.filter(({ seq }) => seq < still)
    await emptyChanges(trx, owner_id, emptied)
    await noteEmptied(trx, owner_id, emptied)
    const isOver = over > 0 && (rows.at(-1)?.seq ?? 0) < Math.min(end, still)
    return isOver ? nextOf(found, rows) : undefined
  },
)
