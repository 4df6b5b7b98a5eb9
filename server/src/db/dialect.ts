import type { Dialect as KyselyDialect, QueryExecutorProvider } from 'kysely'

/** What a database searches texts with. */
export type FullText = 'fts5' | 'tsvector'

/** What an error of the database means for whoever asked. */
type DbErrorKind =
  /** It cannot be reached, or cannot write just now. */
  | 'away'
  /** Another transaction was in the way: the same from the start may succeed. */
  | 'conflict'

/** Everything in which the two databases differ, except how search keeps its words (search/index-*.ts). */
export interface Dialect {
  readonly fullText: FullText
  readonly connect: () => KyselyDialect
  /** Where statements may take only so long: how to connect for migrations, which may take longer. */
  readonly connectUnlimited?: () => KyselyDialect
  /** Throws {@link UnusableDatabase} where it is too old or set up in a way that would lose or change text. */
  readonly check: (db: QueryExecutorProvider) => Promise<void>
  /** A sentence for whoever runs the server, where a crash of the database may take away what was acknowledged. */
  readonly riskOf?: (db: QueryExecutorProvider) => Promise<string | undefined>
  /** Makes other servers that start wait with their migrations until the transaction ends. */
  readonly lockMigrations: (trx: QueryExecutorProvider) => Promise<void>
  /** Undefined: a fault of ours. */
  readonly classifyError: (error: unknown) => DbErrorKind | undefined
  /** One line for whoever starts the server, about an error they can mend. */
  readonly explain: (error: unknown) => string | undefined
}

/** The database cannot be used as it is; `message` is one line that says what to do. */
export class UnusableDatabase extends Error {
  override name = 'UnusableDatabase'
}
