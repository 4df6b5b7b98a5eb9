import {
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  renameSync,
  statSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import process from 'node:process'
import Database from 'better-sqlite3'
import { Kysely } from 'kysely'
import { UnusableDatabase } from './dialect.ts'
import { codeOf } from './error-code.ts'
import { type MigrationTables, migrate, refuseForeign } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { sqliteFile } from './sqlite.ts'
import { ConnectionDialect, SqliteConnection } from './sqlite-connection.ts'

/** Pages copied at a time: about a megabyte, so that the progress bar moves and signals are handled. */
const STEP = 250

/** Files that SQLite keeps beside a database while it is open, or after its program died. */
const BESIDE = ['-wal', '-shm', '-journal'] as const

/**
 * Copies the database `from`, as it is at this moment, into the new file `to`, without any file beside it. Programs that have
 * it open go on reading and writing. `show` gets the number of pages copied so far and of all.
 */
export async function copySqlite(
  from: string,
  to: string,
  show: (copied: number, total: number) => void,
): Promise<void> {
  const source = new Database(from, { fileMustExist: true })
  try {
    // Outside a transaction, SQLite begins the copy anew whenever another process has written.
    source.exec('begin')
    source.prepare('select count(*) from sqlite_master').get()
    await source.backup(to, {
      progress({ totalPages, remainingPages }) {
        show(totalPages - remainingPages, totalPages)
        return STEP
      },
    })
  } finally {
    source.close()
  }
  const copy = new Database(to)
  try {
    copy.pragma('journal_mode = delete')
  } finally {
    copy.close()
  }
}

/** Throws {@link UnusableDatabase} unless the file is an undamaged database of a version that this program can use. */
export function checkSqlite(file: string): void {
  reading(file, (db) => {
    refuseForeign(migrationsIn(db))
    if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw damaged()
  })
}

/**
 * Names what in the schema differs from what its migrations make: a trigger or a view in a foreign file would act on what
 * users save. Empty where nothing does. `scratch`: a new file on the same disk, for a database to compare with.
 */
export async function schemaDifferences(file: string, scratch: string): Promise<string[]> {
  const [schema, applied] = reading(file, (db) => [schemaIn(db), new Set(migrationsIn(db))] as const)
  const fresh = new Kysely<MigrationTables>({
    dialect: new ConnectionDialect(() => new SqliteConnection(scratch, { timeout: 0 })),
  })
  try {
    await migrate(
      fresh,
      { fullText: 'fts5', lockMigrations: async () => {} },
      migrations.filter(({ name }) => applied.has(name)),
    )
  } finally {
    await fresh.destroy()
  }
  const expected = reading(scratch, schemaIn)
  return [...new Set([...schema.keys(), ...expected.keys()])].filter(
    (name) => schema.get(name) !== expected.get(name),
  )
}

function reading<T>(file: string, read: (db: Database.Database) => T): T {
  const db = new Database(file, { readonly: true, fileMustExist: true })
  try {
    return read(db)
  } catch (error) {
    throw isDamage(error) ? damaged() : error
  } finally {
    db.close()
  }
}

/** The definition of each table, index, view and trigger by its type and name. SQLite's own (`sqlite_stat1`) are left out. */
function schemaIn(db: Database.Database): Map<string, string> {
  const rows = db
    .prepare<[], { type: string; name: string; sql: string | null }>(
      "select type, name, sql from sqlite_master where name not like 'sqlite\\_%' escape '\\'",
    )
    .all()
  const virtual = rows.filter(({ sql }) => sql?.toLowerCase().startsWith('create virtual'))
  // The tables behind a full-text index are SQLite's to define: another version may write them otherwise.
  const isBehind = (name: string) => virtual.some((table) => name.startsWith(`${table.name}_`))
  return new Map(
    rows.map(({ type, name, sql }) => [
      `${type} ${name}`,
      type === 'table' && isBehind(name) ? '' : (sql ?? '').replaceAll(/[\s"]+/g, '').toLowerCase(),
    ]),
  )
}

function migrationsIn(db: Database.Database): string[] {
  const column = db.prepare("select 1 from pragma_table_info('migrations') where name = 'name'").get()
  if (column === undefined) return []
  return db.prepare<[], string>('select name from migrations').pluck().all()
}

/**
 * Replaces the database `file` by `copy` in one step: whenever the process dies, one of the two is there. Keeps the old one
 * as `aside`. Throws {@link UnusableDatabase} where a program has the database open.
 */
export function replaceSqlite(file: string, copy: string, aside: string): void {
  if (existsSync(file)) {
    settleSqlite(file)
    keepAs(file, aside)
    // Only a damaged database has them still: the new one must never meet its journal.
    for (const suffix of BESIDE)
      if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${aside}${suffix}`)
  }
  syncToDisk(copy)
  renameSync(copy, file)
  syncToDisk(dirname(file))
}

/** A second name where the file system has hard links, else a copy: `file` itself stays where it is. */
function keepAs(file: string, aside: string): void {
  try {
    linkSync(file, aside)
  } catch {
    copyFileSync(file, aside, constants.COPYFILE_EXCL)
    syncToDisk(aside)
  }
  syncToDisk(dirname(aside))
}

/** Waits until a file, or the names in a folder, are on the disk. */
function syncToDisk(path: string): void {
  // Windows opens no folders.
  if (process.platform === 'win32' && statSync(path).isDirectory()) return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The newest backup in a DATA_DIR that has no database: a new, empty one may not be what its owner expects. */
export function backupWithoutDatabase(dataDir: string): string | undefined {
  const folder = join(dataDir, 'backups')
  if (existsSync(sqliteFile(dataDir)) || !existsSync(folder)) return undefined
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith('.sqlite'))
    .sort()
    .at(-1)
  return newest && join(folder, newest)
}

/**
 * Moves everything from the write-ahead log into the file. Throws {@link UnusableDatabase} where another program has the
 * database open.
 */
export function settleSqlite(file: string): void {
  const db = new Database(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = delete')
  } catch (error) {
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error))) {
      throw new UnusableDatabase('Копилка сейчас работает с этой базой: остановите её и повторите.', {
        cause: error,
      })
    }
    // A damaged database is kept as it is.
    if (!isDamage(error)) throw error
  } finally {
    db.close()
  }
}

const isDamage = (error: unknown): boolean => /^SQLITE_(?:NOTADB|CORRUPT)/.test(codeOf(error))

const damaged = (): UnusableDatabase => new UnusableDatabase('Файл повреждён, или это не база данных.')
