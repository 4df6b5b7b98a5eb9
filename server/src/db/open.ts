import { Kysely, type KyselyConfig, sql } from 'kysely'
import type { Config } from '../config.ts'
import { DatabaseUnavailable } from '../errors.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import { type Command, ownerOf } from './command.ts'
import {
  type Dialect,
  type FullText,
  type Machines,
  type StatementLog,
  UnusableDatabase,
  type Writer,
} from './dialect.ts'
import { type MigrationTables, migrate } from './migrate.ts'
import type { Migration } from './migration.ts'
import { MAX_CONNECTIONS, postgresDialect } from './postgres.ts'
import type { Tables, Trx } from './schema.ts'
import { checkCluster, distributeTables } from './spread-tables.ts'
import { sqliteDialect } from './sqlite.ts'
import { transact } from './transact.ts'

/** An open database. Its Kysely is for reads; what writes is a command. */
export interface Database extends Kysely<Tables> {
  /** The full-text search of this database. */
  readonly fullText: FullText
  /** Warning for the administrator if a crash of the database may lose acknowledged writes. */
  readonly risk: string | undefined
  /**
   * Throws if the database is unavailable or damaged. Where tables are spread: the machines that respond. `items`: whether to
   * look for damage among the items too.
   */
  ping(options?: { items: boolean }): Promise<Machines | undefined>
  /** Runs a command in a transaction; resolves once it is committed. */
  write<Args, Result, Prepared>(command: Command<Args, Result, Prepared>, args: Args): Promise<Result>
}

/** Limit of concurrent commands on PostgreSQL, whose connections they share with the reads. Milliseconds. */
const WRITES = { total: MAX_CONNECTIONS - 2, perOwner: 3, timeout: 15_000 }

class OpenDatabase extends Kysely<Tables> implements Database {
  readonly fullText: FullText
  readonly risk: string | undefined
  readonly #writer: Writer | undefined
  readonly #checkFiles: Dialect['checkFiles']
  readonly #machines: Dialect['machines']
  readonly #writes = createConcurrencyLimit(WRITES)
  #reaching: Promise<Machines | undefined> | undefined

  constructor(
    dialect: Dialect,
    { log, risk }: { log?: StatementLog | undefined; risk?: string | undefined } = {},
  ) {
    super(connectionOf(dialect, { log }))
    this.fullText = dialect.fullText
    this.risk = risk
    this.#writer = dialect.createWriter?.(log)
    this.#checkFiles = dialect.checkFiles
    this.#machines = dialect.machines
  }

  async ping({ items }: { items: boolean } = { items: false }): Promise<Machines | undefined> {
    this.#reaching ??= this.#reach().finally(() => {
      this.#reaching = undefined
    })
    const machines = await this.#reaching
    this.#checkFiles?.({ items })
    return machines
  }

  async #reach(): Promise<Machines | undefined> {
    await sql`select 1`.execute(this)
    return this.#machines?.(this as unknown as Kysely<never>)
  }

  async write<Args, Result, Prepared>(command: Command<Args, Result, Prepared>, args: Args): Promise<Result> {
    // The thread runs the same command, so the result has its type.
    if (this.#writer) return this.#writer.write(command.name, args, command.moved?.(args)) as Promise<Result>
    const ready = await command.ready(args)
    const run = command.isDeferred ? (trx: Trx) => commitDeferred(trx).then(() => ready(trx)) : ready
    const owner_id = ownerOf(args)
    if (owner_id === undefined) return transact(this, run)
    const release = await this.#writes.enter(owner_id).catch((cause: unknown) => {
      throw new DatabaseUnavailable('The writes of an owner wait for too long.', { cause })
    })
    try {
      return await transact(this, run)
    } finally {
      release()
    }
  }

  /** Closes the connections once running writes have ended. */
  override async destroy(): Promise<void> {
    // The writer closes last: it moves the write-ahead log into the file, which a reader cannot.
    await super.destroy()
    await this.#writer?.close()
  }
}

/** Makes PostgreSQL commit the transaction before it is on the disk; a later commit that waits for it takes this one along. */
const commitDeferred = (trx: Trx) => sql`set local synchronous_commit = off`.execute(trx)

/** The database that the settings name. */
export const dialectFor = ({ DATABASE_URL, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Dialect =>
  DATABASE_URL === '' ? sqliteDialect(DATA_DIR) : postgresDialect(DATABASE_URL)

interface Connecting {
  log: StatementLog | undefined
  connections?: number
}

const connectionOf = (dialect: Dialect, { log, connections }: Connecting): KyselyConfig => ({
  dialect: dialect.connect(log, connections),
  ...(log && dialect.fullText === 'tsvector' && { log: ({ query }) => log(query) }),
})

/** A search has at most so many statements at once. */
const READER_CONNECTIONS = 2

/** Connections for the reads of a worker thread. The tables must be up to date. `log` gets every statement. */
export const openReader = (
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  log?: StatementLog,
): Kysely<Tables> => new Kysely(connectionOf(dialectFor(config), { log, connections: READER_CONNECTIONS }))

/**
 * Opens the database that the settings name and applies missing migrations. Throws {@link UnusableDatabase} for errors that
 * the administrator can fix.
 */
export async function openDb(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  log?: StatementLog,
): Promise<Database> {
  const dialect = dialectFor(config)
  return explained(dialect, async () => {
    const risk = await bringUpToDate(dialect)
    const db = new OpenDatabase(dialect, { log, risk })
    await db.ping()
    return db
  })
}

/**
 * Applies the missing ones of `list`, or of all migrations, and spreads the tables over the machines of a Citus cluster. Resolves to the names of the
 * tables that were not spread before. Throws {@link UnusableDatabase} for errors that the administrator can fix.
 */
export async function distribute(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  list?: readonly Migration[],
): Promise<string[]> {
  const dialect = dialectFor(config)
  return explained(dialect, async () => {
    const db = new Kysely<never>({ dialect: dialect.connectForMigrations() })
    try {
      await checkCluster(db)
      await bringUpToDate(dialect, list)
      return await distributeTables(db, dialect)
    } finally {
      await db.destroy()
    }
  })
}

/** Throws {@link UnusableDatabase} for errors of `work` that the administrator can fix. */
async function explained<T>(dialect: Dialect, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    const cause = error instanceof DatabaseUnavailable ? error.cause : error
    const message = dialect.explain(cause)
    throw message === undefined ? cause : new UnusableDatabase(message, { cause })
  }
}

/** Checks and migrates the database. Returns the warning of {@link Dialect.durabilityWarning}. */
async function bringUpToDate(dialect: Dialect, list?: readonly Migration[]): Promise<string | undefined> {
  const db = new Kysely<MigrationTables>({ dialect: dialect.connectForMigrations() })
  try {
    await dialect.check(db)
    await migrate(db, dialect, list)
    return await dialect.durabilityWarning?.(db)
  } finally {
    await db.destroy()
  }
}
