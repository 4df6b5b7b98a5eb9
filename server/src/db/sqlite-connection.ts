import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import Sqlite from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type Kysely,
  type Dialect as KyselyDialect,
  type QueryResult,
  type SelectModifierNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import { codeOf, DatabaseUnavailable } from '../errors.ts'
import { noteDamage } from './damage.ts'
import type { StatementLog } from './dialect.ts'

/** Loads SQLite's native code, which otherwise comes with the first connection: of a thread, before it has tasks (threads/pool.ts). */
export const loadSqlite = (): void => {
  new Sqlite(':memory:').close()
}

/** The product has fewer statements; only lists of varying length ("in (?, ?)") could exceed this. */
const MAX_STATEMENTS = 500

interface Options {
  readonly?: boolean
  /** Whether a missing file is an error; otherwise an empty database is made. */
  fileMustExist?: boolean
  /** Milliseconds for which a statement blocks its thread while another connection holds a lock. */
  timeout: number
  log?: StatementLog | undefined
}

/**
 * One connection to a SQLite file. Statements run synchronously and are prepared once. Throws {@link DatabaseUnavailable}
 * for errors that may pass without a restart: a full disk, a lock, a file that is read-only or missing.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: Sqlite.Database
  readonly #log: StatementLog | undefined
  readonly #statements = new Map<string, Sqlite.Statement<unknown[]>>()
  #isShmChecked = false
  #waitsForDisk = true

  constructor(file: string, { log, ...options }: Options) {
    this.#database = translating(file, () => new Sqlite(file, options))
    this.#log = log
    this.#database.pragma('synchronous = full')
    this.#database.pragma('foreign_keys = on')
    this.#database.pragma('temp_store = memory')
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  /** The rows of a statement; empty for one that returns none. */
  all<Row>(sql: string, parameters: readonly unknown[]): Row[] {
    return translating(this.#database.name, () => {
      const statement = this.#prepare(sql, parameters)
      // better-sqlite3 does not know the rows of a statement: the caller states their type.
      if (statement.reader) return statement.all(...parameters) as Row[]
      statement.run(...parameters)
      return []
    })
  }

  run<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
    return translating(this.#database.name, () => {
      const statement = this.#prepare(sql, parameters)
      if (statement.reader) return { rows: statement.all(...parameters) as Row[] }
      const { changes } = statement.run(...parameters)
      return { rows: [], numAffectedRows: BigInt(changes) }
    })
  }

  async executeQuery<Row>({ sql, parameters }: CompiledQuery): Promise<QueryResult<Row>> {
    return this.run<Row>(sql, parameters)
  }

  // biome-ignore lint/correctness/useYield: Kysely's interface asks for a generator
  async *streamQuery(): AsyncIterableIterator<never> {
    throw new Error('Streams are not used here.')
  }

  /**
   * Begins a write transaction. One that began with a read and then wrote would fail at once, without waiting for the lock,
   * if another connection had written in between.
   */
  begin(): void {
    this.run('begin immediate')
  }

  /**
   * Whether the next commits are on the disk before they are acknowledged, so that they survive a power failure: the default. One
   * that is takes all earlier ones along, as they are in the same write-ahead log.
   */
  waitForDisk(waits: boolean): void {
    if (waits === this.#waitsForDisk) return
    this.run(`pragma synchronous = ${waits ? 'full' : 'normal'}`)
    this.#waitsForDisk = waits
  }

  commit(): void {
    this.run('commit')
  }

  /** Does nothing if SQLite has rolled back already, as it does on a full disk. */
  rollback(): void {
    if (this.inTransaction) this.run('rollback')
  }

  /** Changes whenever another connection has committed; 3 µs. */
  dataVersion(): number {
    const [row] = this.all<{ data_version: number }>('pragma data_version', [])
    return row?.data_version ?? 0
  }

  close(): void {
    this.#database.close()
  }

  #prepare(sql: string, parameters: readonly unknown[]): Sqlite.Statement<unknown[]> {
    this.#log?.({ sql, parameters })
    let statement = this.#statements.get(sql)
    if (!statement) {
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear()
      statement = this.#database.prepare<unknown[]>(sql)
      this.#statements.set(sql, statement)
    }
    if (!this.inTransaction) {
      this.#checkShared()
      if (!statement.readonly) checkWritable(this.#database.name)
    }
    return statement
  }

  /**
   * Throws if the shared-memory file is not writable. Reads write to it too, and if the disk has become read-only since (Linux
   * remounts a failing disk so), the system would kill the process. Checked once an iteration of the event loop, because the
   * check takes longer than most statements.
   */
  #checkShared(): void {
    if (this.#isShmChecked) return
    try {
      accessSync(`${this.#database.name}-shm`, constants.W_OK)
    } catch (error) {
      // Permissions are checked when a file is opened: an open file stays writable.
      if (/^(?:EPERM|EROFS)$/.test(codeOf(error))) throw error
    }
    this.#isShmChecked = true
    setImmediate(() => {
      this.#isShmChecked = false
    })
  }
}

/**
 * Throws if the folder is read-only or the file was deleted. SQLite itself would go on writing into the deleted file, which
 * is lost when the process ends.
 */
function checkWritable(file: string): void {
  for (const path of [dirname(file), file]) accessSync(path, constants.W_OK)
}

/** Codes that may pass without a restart: a full disk; a file that is locked, unreadable, read-only or missing. */
const UNAVAILABLE = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)|^(?:EACCES|EPERM|EROFS|ENOENT)$/

function translating<T>(file: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    noteDamage(file, error)
    if (!UNAVAILABLE.test(codeOf(error))) throw error
    throw new DatabaseUnavailable(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Exposes the connection of a Kysely, so that statements (db/statement.ts) can skip Kysely's executor. */
export class DirectAdapter extends SqliteAdapter {
  direct: SqliteConnection | undefined
}

/** Kysely on one connection, opened at the first use. */
export class ConnectionDialect implements KyselyDialect {
  readonly #open: () => SqliteConnection | Promise<SqliteConnection>
  readonly #adapter = new DirectAdapter()

  constructor(open: () => SqliteConnection | Promise<SqliteConnection>) {
    this.#open = open
  }

  createAdapter(): DirectAdapter {
    return this.#adapter
  }

  createDriver(): Driver {
    return new ConnectionDriver(this.#open, this.#adapter)
  }

  createQueryCompiler(): SqliteQueryCompiler {
    return new StatementCompiler()
  }

  createIntrospector(db: Kysely<unknown>): SqliteIntrospector {
    return new SqliteIntrospector(db)
  }
}

class ConnectionDriver implements Driver {
  readonly #open: () => SqliteConnection | Promise<SqliteConnection>
  readonly #adapter: DirectAdapter

  constructor(open: () => SqliteConnection | Promise<SqliteConnection>, adapter: DirectAdapter) {
    this.#open = open
    this.#adapter = adapter
  }

  async init(): Promise<void> {
    this.#adapter.direct = await this.#open()
  }

  get #connection(): SqliteConnection {
    if (!this.#adapter.direct) throw new Error('Kysely opens the connection before it uses it.')
    return this.#adapter.direct
  }

  acquireConnection = async (): Promise<SqliteConnection> => this.#connection
  releaseConnection = async (): Promise<void> => {}
  beginTransaction = async (): Promise<void> => this.#connection.begin()
  commitTransaction = async (): Promise<void> => this.#connection.commit()
  rollbackTransaction = async (): Promise<void> => this.#connection.rollback()
  destroy = async (): Promise<void> => this.#connection.close()
}

const ROW_LOCKS: ReadonlySet<SelectModifierNode['modifier']> = new Set([
  'ForUpdate',
  'ForNoKeyUpdate',
  'SkipLocked',
])

/** Compiles queries for SQLite. */
class StatementCompiler extends SqliteQueryCompiler {
  /** Row locks are unknown here and needless: a transaction holds the whole database from its beginning. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (!ROW_LOCKS.has(node.modifier)) super.visitSelectModifier(node)
  }

  /**
   * Writes "+?" for "?". SQLite assumes that a bare "?" in "column = ?" or "limit ?" may affect the plan, and plans the
   * statement again after better-sqlite3 has cleared its bindings, which it does after each run. The plus changes neither
   * value nor plan.
   */
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}
