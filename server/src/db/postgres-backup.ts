import { once } from 'node:events'
import type { Duplex } from 'node:stream'
import { Kysely, sql } from 'kysely'
import type pg from 'pg'
import { createMigrationsTable, type MigrationTables } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { onOneConnection, postgresDialect } from './postgres.ts'
import { citusOf } from './spread-tables.ts'

/** A copy made by pg_dump, as pg_restore lists and prints it. It may be from elsewhere, with statements of any kind. */
export interface Dump {
  /** The names of its migrations. */
  readonly applied: readonly string[]
  /** What it would create, by type, schema and name: "TABLE public items". More words may follow. */
  readonly parts: readonly string[]
  /** The lines of a script with its rows, in latin1: each character is a byte. */
  readonly script: AsyncIterable<string>
}

/** A copy that has other tables or columns than its migrations create, or lacks rows of a table. */
export class ForeignDump extends Error {
  override name = 'ForeignDump'
  /** The parts that differ. */
  readonly parts: readonly string[]

  constructor(parts: readonly string[]) {
    super(`The copy differs in ${parts.join(', ')}.`)
    this.parts = parts
  }
}

/** Without those that come with an extension. */
const TABLES = `
  tables as (
    select oid, relname from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
  )`

/** Those that do not belong to a key. */
const INDEXES = `
  indexes as (
    select indexrelid from pg_index join tables on tables.oid = indrelid
      where not exists (select from pg_constraint where conindid = indexrelid and contype in ('p', 'u'))
  )`

/** What pg_dump lists of a schema, by type, schema and name. */
const PARTS = `
  with ${TABLES}, ${INDEXES}
  select 'TABLE public ' || relname as name from tables
  union all
  select case contype when 'f' then 'FK CONSTRAINT' else 'CONSTRAINT' end || ' public ' || relname || ' ' || conname
    from pg_constraint join tables on tables.oid = conrelid where contype in ('p', 'u', 'f')
  union all
  select 'INDEX public ' || relname from indexes join pg_class on pg_class.oid = indexrelid`

const COLUMNS = `
  with ${TABLES}
  select relname as table, array_agg(attname::text order by attname) as columns
    from tables join pg_attribute on attrelid = tables.oid where attnum > 0 and not attisdropped
    group by relname`

/** What is created after the rows: foreign keys, because the tables come in any order, and indexes, which is faster. */
const POSTPONED = `
  with ${TABLES}, ${INDEXES}
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop,
      format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) as create
    from pg_constraint join tables on tables.oid = conrelid where contype = 'f'
  union all
  select format('drop index %s', indexrelid::regclass), pg_get_indexdef(indexrelid) from indexes`

/**
 * Fills the empty database at `url` from a copy, in one transaction. Runs no statement of the copy: the migrations create the
 * tables, and of the copy come rows alone. Throws {@link ForeignDump} if it is not what its migrations create.
 */
export async function fillPostgres(url: string, { applied, parts, script }: Dump): Promise<void> {
  const connected = Promise.withResolvers<pg.ClientBase>()
  const db = new Kysely<MigrationTables>({ dialect: onOneConnection(url, connected.resolve) })
  try {
    await db.transaction().execute(async (trx) => {
      const rowsOf = async <Row>(query: string) => (await sql.raw<Row>(query).execute(trx)).rows
      await createMigrationsTable(trx)
      for (const { name, up } of migrations)
        if (applied.includes(name)) await up(trx as unknown as Kysely<never>, 'tsvector')
      const own = (await rowsOf<{ name: string }>(PARTS)).map(({ name }) => name)
      refuseUnless(parts, own)
      const tables = await rowsOf<{ table: string; columns: string[] }>(COLUMNS)
      const postponed = await rowsOf<{ drop: string; create: string }>(POSTPONED)
      for (const { drop } of postponed) await sql.raw(drop).execute(trx)
      // Migrations insert rows as well.
      await sql`truncate ${sql.join(tables.map(({ table }) => sql.table(table)))}`.execute(trx)
      await copyRows(await connected.promise, script, new Map(tables.map((row) => [row.table, row.columns])))
      for (const { create } of postponed) await sql.raw(create).execute(trx)
    })
  } finally {
    await db.destroy()
  }
}

function refuseUnless(parts: readonly string[], own: readonly string[]): void {
  const isOf = (part: string, name: string) => `${part} `.startsWith(`${name} `)
  const differences = [
    ...parts.filter((part) => !own.some((name) => isOf(part, name))),
    ...own.filter((name) => !parts.some((part) => isOf(part, name))),
  ]
  if (differences.length > 0) throw new ForeignDump(differences)
}

/**
 * Gathers what PostgreSQL plans with, which a restored database has not: until it does so itself, it plans searches of large
 * tables badly.
 */
export const gatherStatistics = (url: string): Promise<void> =>
  inDatabase(url, async (db) => void (await sql`analyze`.execute(db)))

/** Whether the database at `url` has Citus, and whether it has spread tables. */
export const citusIn = (url: string): ReturnType<typeof citusOf> => inDatabase(url, citusOf)

/** Whether the database has tables or views, besides those that come with an extension. */
export const hasTables = (url: string): Promise<boolean> =>
  inDatabase(url, async (db) => {
    const { rows } = await sql`
      select from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where nspname !~ '^pg_' and nspname <> 'information_schema' and relkind in ('r', 'p', 'v', 'm', 'f')
        and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'e')
      limit 1`.execute(db)
    return rows.length > 0
  })

async function inDatabase<T>(url: string, work: (db: Kysely<never>) => Promise<T>): Promise<T> {
  const db = new Kysely<never>({ dialect: postgresDialect(url).connectForMigrations() })
  try {
    return await work(db)
  } finally {
    await db.destroy()
  }
}

const ENCODING = /^SET client_encoding = '(\w+)';$/
const COPY = /^COPY public\.(\w+) \(([\w", ]+)\) FROM stdin;$/
const END = '\\.'

/** Copies the rows of each of the tables from a script, of which everything else is skipped. */
async function copyRows(
  client: pg.ClientBase,
  script: AsyncIterable<string>,
  tables: Map<string, readonly string[]>,
): Promise<void> {
  const lines = script[Symbol.asyncIterator]()
  let encoding = 'UTF8'
  try {
    for (let next = await lines.next(); !next.done; next = await lines.next()) {
      encoding = ENCODING.exec(next.value)?.[1] ?? encoding
      const [, table, list = ''] = COPY.exec(next.value) ?? []
      if (table === undefined) continue
      const columns = list.replaceAll('"', '').split(', ')
      if (tables.get(table)?.join() !== columns.toSorted().join())
        throw new ForeignDump([`TABLE public ${table}`])
      tables.delete(table)
      const names = columns.map((column) => `"${column}"`).join(', ')
      await copyIn(client, `copy "${table}" (${names}) from stdin (encoding '${encoding}')`, untilEnd(lines))
    }
  } finally {
    // Ends what writes the script.
    await lines.return?.()
  }
  if (tables.size > 0) throw new ForeignDump([...tables.keys()].map((table) => `TABLE DATA public ${table}`))
}

async function* untilEnd(lines: AsyncIterator<string, unknown>): AsyncGenerator<Buffer> {
  for (let next = await lines.next(); next.done || next.value !== END; next = await lines.next()) {
    if (next.done) throw new ForeignDump(['TABLE DATA'])
    yield Buffer.from(`${next.value}\n`, 'latin1')
  }
}

/** A connection of pg, of which its types leave out COPY. */
interface CopyConnection {
  stream: Duplex
  query(text: string): void
  sendCopyFromChunk(chunk: Buffer): void
  endCopyFrom(): void
  sendCopyFail(message: string): void
}

/** Runs a statement "copy … from stdin" with these rows. */
async function copyIn(client: pg.ClientBase, text: string, rows: AsyncIterable<Buffer>): Promise<void> {
  const ended = Promise.withResolvers<void>()
  let isOver = false
  async function send(connection: CopyConnection): Promise<void> {
    try {
      for await (const row of rows) {
        if (isOver) return
        connection.sendCopyFromChunk(row)
        if (connection.stream.writableNeedDrain) await once(connection.stream, 'drain')
      }
      connection.endCopyFrom()
    } catch (error) {
      ended.reject(error)
      connection.sendCopyFail('The rows end.')
    }
  }
  // What pg calls while it runs a statement; its types name the first alone.
  client.query({
    submit: (connection) => (connection as unknown as CopyConnection).query(text),
    handleCopyInResponse: (connection: CopyConnection) => void send(connection),
    handleCommandComplete() {},
    handleError(error: unknown) {
      isOver = true
      ended.reject(error)
    },
    handleReadyForQuery: () => ended.resolve(),
  } as pg.Submittable)
  await ended.promise
}
