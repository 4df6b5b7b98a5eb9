import type { Kysely, Dialect as KyselyDialect, QueryExecutorProvider } from 'kysely'

/** The full-text search of a database. */
export type FullText = 'fts5' | 'tsvector'

/** Called with each statement that is sent to the database. */
export type StatementLog = (statement: { sql: string; parameters: readonly unknown[] }) => void

/** Runs commands by name. */
export interface Writer {
  /** `moved`: buffers of the arguments, which are moved instead of copied. */
  readonly write: (command: string, args: unknown, moved?: readonly ArrayBuffer[]) => Promise<unknown>
  /** Closes once all commands given so far have ended. */
  readonly close: () => Promise<void>
}

/** Machines with data: how many respond and how many do not. */
export interface Machines {
  reached: number
  away: number
}

/** The differences between the two databases, except how the search index is stored (search/index-*.ts). */
export interface Dialect {
  readonly fullText: FullText
  /**
   * For requests; `log` gets every statement. `connections`: at most, where the database has several. Errors that may pass without a restart are a `DatabaseUnavailable`, here
   * and in all that follows.
   */
  readonly connect: (log?: StatementLog, connections?: number) => KyselyDialect
  /** For migrations and other work of an administrator: reads, writes, and statements of any duration. */
  readonly connectForMigrations: () => KyselyDialect
  /** Creates the writer thread; absent: commands run on the connections for requests. */
  readonly createWriter?: (log?: StatementLog) => Writer
  /** Throws {@link UnusableDatabase} if the database is too old or its settings would lose or change text. */
  readonly check: (db: QueryExecutorProvider) => Promise<void>
  /**
   * Throws if the database is known to be damaged. On SQLite it bypasses the page cache of open connections; `items`: it reads some
   * items as well, others each time.
   */
  readonly checkFiles?: (options: { items: boolean }) => void
  /** Warning for the administrator if a crash of the database may lose acknowledged writes. */
  readonly durabilityWarning?: (db: QueryExecutorProvider) => Promise<string | undefined>
  /** The machines of a database whose tables are spread over several; undefined where they are not. */
  readonly machines?: (db: Kysely<never>) => Promise<Machines | undefined>
  /** Blocks the migrations of other servers until the transaction ends. */
  readonly lockMigrations: (trx: QueryExecutorProvider) => Promise<void>
  /** One line for the administrator about an error that they can fix; undefined for other errors. */
  readonly explain: (error: unknown) => string | undefined
}

/** The database cannot be used as it is; `message` is one line that says what to do. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase'
}
