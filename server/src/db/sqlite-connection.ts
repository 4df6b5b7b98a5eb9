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
import { DatabaseUnavailable } from '../errors.ts'
import type { StatementLog } from './dialect.ts'
import { codeOf } from './error-code.ts'

/** More statements than the product has: only lists of varying length ("in (?, ?)") could exceed it. */
const MAX_STATEMENTS = 500

interface Options {
  readonly?: boolean
  /** Milliseconds for which a statement blocks its thread while another connection holds a lock. */
  timeout: number
  log?: StatementLog | undefined
}

/**
 * One connection to a SQLite file. Statements run synchronously and are prepared once. An error that may pass without a
 * restart (a full disk, a lock, a file that is read-only or gone) is a {@link DatabaseUnavailable}.
 */
export class SqliteConnection implements DatabaseConnection {
  readonly #database: Sqlite.Database
  readonly #log: StatementLog | undefined
  readonly #statements = new Map<string, Sqlite.Statement<unknown[]>>()
  #isShmChecked = false

  constructor(file: string, { log, ...options }: Options) {
    this.#database = translating(() => new Sqlite(file, options))
    this.#log = log
    // A commit is on the disk before it is acknowledged, also when the power fails the moment after.
    this.#database.pragma('synchronous = full')
    this.#database.pragma('foreign_keys = on')
    this.#database.pragma('temp_store = memory')
  }

  get inTransaction(): boolean {
    return this.#database.inTransaction
  }

  /** The rows of a statement that answers rows. */
  all<Row>(sql: string, parameters: readonly unknown[]): Row[] {
    return translating(() => {
      const statement = this.#prepare(sql, parameters)
      // The caller of a statement says what its rows are.
      if (statement.reader) return statement.all(...parameters) as Row[]
      statement.run(...parameters)
      return []
    })
  }

  run<Row>(sql: string, parameters: readonly unknown[] = []): QueryResult<Row> {
    return translating(() => {
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
   * Transactions begin as writers: one that begins as a reader and then writes fails at once, without waiting, where
   * another connection has written in between.
   */
  begin(): void {
    this.run('begin immediate')
  }

  commit(): void {
    this.run('commit')
  }

  /** Does nothing where SQLite has rolled back by itself, as it does on a full disk. */
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
   * Reading writes too: into memory shared through a file. Where the disk has become read-only since, as Linux makes a
   * failing one, the system would end the process for it. Checked once a turn of the event loop: the check takes
   * longer than most statements.
   */
  #checkShared(): void {
    if (this.#isShmChecked) return
    try {
      accessSync(`${this.#database.name}-shm`, constants.W_OK)
    } catch (error) {
      // Permissions apply when a file is opened: what is open stays writable.
      if (/^(?:EPERM|EROFS)$/.test(codeOf(error))) throw error
    }
    this.#isShmChecked = true
    setImmediate(() => {
      this.#isShmChecked = false
    })
  }
}

/**
 * SQLite itself goes on where the folder was made read-only, and into a file that was deleted, until the process ends
 * and all of it is gone.
 */
function checkWritable(file: string): void {
  for (const path of [dirname(file), file]) accessSync(path, constants.W_OK)
}

/** A full disk; a file that is locked, unreadable, read-only or gone: it may pass without a restart. */
const AWAY = /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)|^(?:EACCES|EPERM|EROFS|ENOENT)$/

function translating<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (!AWAY.test(codeOf(error))) throw error
    throw new DatabaseUnavailable(error instanceof Error ? error.message : String(error), { cause: error })
  }
}

/** Tells which connection a Kysely runs on, so that statements (db/statement.ts) can skip Kysely's executor. */
export class DirectAdapter extends SqliteAdapter {
  direct: SqliteConnection | undefined
}

/** Kysely on one connection, which is opened at the first use. */
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

/** Compiles queries as SQLite is to see them. */
class StatementCompiler extends SqliteQueryCompiler {
  /** "for update" is unknown here and needless: a transaction holds the whole database from its beginning. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate') super.visitSelectModifier(node)
  }

  /**
   * A bare "?" in "column = ?" or "limit ?" counts as one that may affect the plan, so SQLite plans the statement anew
   * after better-sqlite3 has cleared its bindings, which it does after each run. The plus changes neither value nor plan.
   */
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}
