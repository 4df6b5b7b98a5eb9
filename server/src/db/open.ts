import { Kysely, type LogConfig, sql } from 'kysely'
import type { Config } from '../config.ts'
import { DatabaseConflict, DatabaseUnavailable } from '../errors.ts'
import type { Command } from './command.ts'
import { type Dialect, type FullText, UnusableDatabase } from './dialect.ts'
import { type MigrationTables, migrate } from './migrate.ts'
import { postgresDialect } from './postgres.ts'
import type { Tables } from './schema.ts'
import { sqliteDialect } from './sqlite.ts'
import { transact } from './transact.ts'
import { translated } from './translated.ts'

/** An open database with its tables up to date. */
export class Database extends Kysely<Tables> {
  /** What search is to be made of. */
  readonly fullText: FullText
  /** A sentence for whoever runs the server, where a crash of the database may take away what was acknowledged. */
  risk?: string | undefined

  constructor(dialect: Dialect, log: LogConfig) {
    super({ dialect: translated(dialect.connect(), (error) => meaningOf(error, dialect)), log })
    this.fullText = dialect.fullText
  }

  /** Runs a command in a transaction; answers once it is committed. */
  write<Args, Result>({ run }: Command<Args, Result>, args: Args): Promise<Result> {
    return transact(this, (trx) => run(trx, args))
  }
}

/** The database that the settings name. */
export const dialectFor = ({ DATABASE_URL, DATA_DIR }: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>): Dialect =>
  DATABASE_URL === '' ? sqliteDialect(DATA_DIR) : postgresDialect(DATABASE_URL)

/**
 * Opens the database that the settings name and brings its tables up to date.
 * Throws {@link UnusableDatabase} where whoever starts the server can mend what is wrong.
 */
export async function openDb(
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  log: LogConfig = [],
): Promise<Database> {
  const dialect = dialectFor(config)
  const db = new Database(dialect, log)
  try {
    await bringUpToDate(db, dialect)
    db.risk = await dialect.riskOf?.(db)
    await sql`select 1`.execute(db)
    return db
  } catch (error) {
    await db.destroy()
    const cause = error instanceof DatabaseUnavailable ? error.cause : error
    const told = dialect.explain(cause)
    throw told === undefined ? cause : new UnusableDatabase(told, { cause })
  }
}

async function bringUpToDate(db: Database, dialect: Dialect): Promise<void> {
  await dialect.check(db)
  const { connectUnlimited } = dialect
  if (!connectUnlimited) return migrate(db.withTables(), dialect)
  const unlimited = new Kysely<MigrationTables>({ dialect: connectUnlimited() })
  try {
    await migrate(unlimited, dialect)
  } finally {
    await unlimited.destroy()
  }
}

/** An error of the database in words that the rest of the program knows. */
function meaningOf(error: unknown, dialect: Dialect): unknown {
  const trouble = dialect.classifyError(error)
  if (trouble === undefined) return error
  const message = error instanceof Error ? error.message : String(error)
  return trouble === 'away'
    ? new DatabaseUnavailable(message, { cause: error })
    : new DatabaseConflict(message, { cause: error })
}
