import type { Dialect as KyselyDialect, QueryExecutorProvider } from 'kysely'

/** What a database searches texts with. */
export type FullText = 'fts5' | 'tsvector'

/** What was sent to a database. */
export type StatementLog = (statement: { sql: string; parameters: readonly unknown[] }) => void

/** Runs commands by their names. */
export interface Writer {
  readonly write: (command: string, args: unknown) => Promise<unknown>
  /** Closes after the commands that it has been asked for. */
  readonly close: () => Promise<void>
}

/** Everything in which the two databases differ, except how search keeps its words (search/index-*.ts). */
export interface Dialect {
  readonly fullText: FullText
  /**
   * For requests; `log` is told every statement. Errors that may pass without a restart are a `DatabaseUnavailable`, here
   * and in all that follows.
   */
  readonly connect: (log?: StatementLog) => KyselyDialect
  /** For migrations and other work of an administrator: reads, writes, and statements of any duration. */
  readonly connectForMigrations: () => KyselyDialect
  /** Where commands run elsewhere than on the connection for requests. */
  readonly createWriter?: (log?: StatementLog) => Writer
  /** Throws {@link UnusableDatabase} where it is too old or set up in a way that would lose or change text. */
  readonly check: (db: QueryExecutorProvider) => Promise<void>
  /** Throws where the files of the database are damaged. Reads them anew: an open connection answers from its cache. */
  readonly checkFiles?: () => void
  /** A sentence for whoever runs the server, where a crash of the database may take away what was acknowledged. */
  readonly riskOf?: (db: QueryExecutorProvider) => Promise<string | undefined>
  /** Makes other servers that start wait with their migrations until the transaction ends. */
  readonly lockMigrations: (trx: QueryExecutorProvider) => Promise<void>
  /** One line for whoever starts the server, about an error they can mend. */
  readonly explain: (error: unknown) => string | undefined
}

/** The database cannot be used as it is; `message` is one line that says what to do. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase'
}
