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
import { codeOf } from '../errors.ts'
import { UnusableDatabase } from './dialect.ts'
import { type MigrationTables, migrate, refuseForeign } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { ConnectionDialect, SqliteConnection } from './sqlite-connection.ts'

/** Pages copied at a time, about one megabyte: the progress bar moves and signals are handled in between. */
const STEP = 250

/** Suffixes of the files that SQLite keeps beside an open database, or leaves behind after a crash. */
const BESIDE = ['-wal', '-shm', '-journal'] as const

/**
 * Copies the current state of the database `from` into the new file `to`, which is complete in itself. Other programs may
 * read and write `from` meanwhile. `show` gets the number of pages copied so far and the total.
 */
export async function copySqlite(
  from: string,
  to: string,
  show: (copied: number, total: number) => void,
): Promise<void> {
  const source = new Database(from, { fileMustExist: true })
  try {
    // Outside a transaction, SQLite restarts the copy whenever another process has written.
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
 * Names the parts of the schema that differ from what its migrations create: a trigger or a view in a file from elsewhere
 * could change what users save. Empty if there are none. `scratch`: path of a temporary database to compare with.
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

/**
 * What SQLite makes itself: tables of statistics and counters, and indexes without a definition. Any other part with a name like
 * theirs is foreign: `pragma writable_schema` allows it.
 */
const isOwnOfSqlite = ({ type, name, sql }: SchemaPart): boolean =>
  sql === null
    ? type === 'index' && name.startsWith('sqlite_autoindex_')
    : type === 'table' && /^create table sqlite_(?:sequence|stat\d)\s*\(/i.test(sql)

interface SchemaPart {
  type: string
  name: string
  sql: string | null
}

/** Definitions of tables, indexes, views and triggers by type and name, without {@link isOwnOfSqlite SQLite's own}. */
function schemaIn(db: Database.Database): Map<string, string> {
  const rows = db
    .prepare<[], SchemaPart>('select type, name, sql from sqlite_master')
    .all()
    .filter((part) => !isOwnOfSqlite(part))
  const virtual = rows.filter(({ sql }) => sql?.toLowerCase().startsWith('create virtual'))
  // SQLite defines the tables behind a full-text index itself: definitions may differ between its versions.
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
 * Replaces the database `file` by `copy` atomically: one of the two is there even if the process dies. Keeps the old one, and a
 * journal that was left of it, as `aside`. Throws {@link UnusableDatabase} if a program has the database open.
 */
export function replaceSqlite(file: string, copy: string, aside: string): void {
  if (existsSync(file)) {
    checkpointSqlite(file)
    keepAs(file, aside)
  }
  // Only a damaged or missing database still has them: its journal must not be applied to the new file.
  for (const suffix of BESIDE)
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${aside}${suffix}`)
  syncToDisk(copy)
  renameSync(copy, file)
  syncToDisk(dirname(file))
}

/** Hard-links `file` as `aside`, or copies it where the file system has no hard links. */
function keepAs(file: string, aside: string): void {
  try {
    linkSync(file, aside)
  } catch {
    copyFileSync(file, aside, constants.COPYFILE_EXCL)
    syncToDisk(aside)
  }
  syncToDisk(dirname(aside))
}

/** Calls fsync on a file, or on a folder for the names in it. */
function syncToDisk(path: string): void {
  // Windows cannot open folders.
  if (process.platform === 'win32' && statSync(path).isDirectory()) return
  const descriptor = openSync(path, 'r')
  try {
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** The newest backup in DATA_DIR/backups. */
export function newestBackup(dataDir: string, ending: '.sqlite' | '.dump'): string | undefined {
  const folder = join(dataDir, 'backups')
  if (!existsSync(folder)) return undefined
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .sort()
    .at(-1)
  return newest && join(folder, newest)
}

/**
 * Moves the write-ahead log into the file. Throws {@link UnusableDatabase} if another program has the database open.
 */
export function checkpointSqlite(file: string): void {
  const db = new Database(file, { timeout: 0 })
  try {
    db.pragma('journal_mode = delete')
  } catch (error) {
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error))) {
      throw new UnusableDatabase('Копилка сейчас работает с этой базой: остановите её и повторите.', {
        cause: error,
      })
    }
    // A damaged database is left unchanged.
    if (!isDamage(error)) throw error
  } finally {
    db.close()
  }
}

const isDamage = (error: unknown): boolean => /^SQLITE_(?:NOTADB|CORRUPT)/.test(codeOf(error))

const damaged = (): UnusableDatabase => new UnusableDatabase('Файл повреждён, или это не база данных.')
