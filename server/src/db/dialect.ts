import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Dialect, SqliteDialect } from 'kysely'

/** The file in DATA_DIR that holds everything. */
export const SQLITE_FILE = 'kopilka.sqlite'

/** Older versions can corrupt a database in WAL mode (sqlite.org/wal.html, "The WAL-reset bug"). */
const OLDEST_SQLITE = '3.51.3'

const isOlder = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) < 0

/** SQLite in `dataDir`, created where it is missing. Throws where the folder cannot be written. */
export function sqliteDialect(dataDir: string): Dialect {
  mkdirSync(dataDir, { recursive: true })
  const database = new Database(join(dataDir, SQLITE_FILE), { timeout: 5000 })
  const version = String(database.prepare('select sqlite_version()').pluck().get())
  if (isOlder(version, OLDEST_SQLITE)) {
    throw new Error(`SQLite ${version} is too old: ${OLDEST_SQLITE} or newer is needed.`)
  }
  database.pragma('journal_mode = wal')
  database.pragma('synchronous = full')
  database.pragma('foreign_keys = on')
  database.pragma('temp_store = memory')
  return new SqliteDialect({
    database: { prepare: preparedOnce(database), close: () => database.close() },
  })
}

/** More texts than the product has: only lists of varying length ("in (?, ?)") could fill it. */
const MAX_STATEMENTS = 500

/**
 * Kysely prepares a statement anew for every query; most of ours repeat, so they are kept.
 * Transactions begin as writers: one that starts as a reader and then writes fails
 * at once, without waiting, where another process has written in between.
 */
function preparedOnce(database: Database.Database): (sql: string) => Database.Statement<unknown[]> {
  const statements = new Map<string, Database.Statement<unknown[]>>()
  return (sql) => {
    const known = statements.get(sql)
    if (known) return known
    if (statements.size >= MAX_STATEMENTS) statements.clear()
    const statement = database.prepare<unknown[]>(sql === 'begin' ? 'begin immediate' : sql)
    statements.set(sql, statement)
    return statement
  }
}
