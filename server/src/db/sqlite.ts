import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { type SelectModifierNode, SqliteDialect, SqliteQueryCompiler, sql } from 'kysely'
import { type Dialect, UnusableDatabase } from './dialect.ts'
import { codeOf } from './error-code.ts'

/** The file in DATA_DIR that holds everything. */
export const sqliteFile = (dataDir: string): string => join(dataDir, 'kopilka.sqlite')

/** Older versions can corrupt a database in WAL mode (sqlite.org/wal.html, "The WAL-reset bug"). */
const OLDEST = '3.51.3'

/** Milliseconds to wait while another process writes. */
const PATIENCE = 5000

const isOlder = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) < 0

/** SQLite in `dataDir`, both created where they are missing. */
export const sqliteDialect = (dataDir: string): Dialect => ({
  fullText: 'fts5',

  connect: () =>
    new UnlockingDialect({
      database: async () => {
        makeFolder(dataDir)
        const database = new Database(sqliteFile(dataDir), { timeout: PATIENCE })
        await journalled(database)
        // What was answered with success is on the disk, also when the power fails the moment after.
        database.pragma('synchronous = full')
        database.pragma('foreign_keys = on')
        database.pragma('temp_store = memory')
        return { prepare: preparedOnce(database), close: () => database.close() }
      },
    }),

  async check(db) {
    const { rows } = await sql<{ version: string; journal: string; synchronous: number }>`
      select sqlite_version() as version,
        (select journal_mode from pragma_journal_mode) as journal,
        (select synchronous from pragma_synchronous) as synchronous`.execute(db)
    const { version, journal, synchronous } = rows[0] ?? { version: '0', journal: '', synchronous: 0 }
    if (isOlder(version, OLDEST)) {
      throw new UnusableDatabase(`SQLite ${version} слишком старая: нужна ${OLDEST} или новее.`)
    }
    if (journal !== 'wal' || synchronous !== 2) {
      throw new UnusableDatabase(
        `Файловая система не подходит для базы данных (journal_mode=${journal}, synchronous=${synchronous}): ` +
          'выберите в DATA_DIR папку на диске этой машины.',
      )
    }
  },

  // Transactions begin as writers (below): one at a time.
  lockMigrations: async () => {},

  // A full disk; a file that is locked, unreadable, read-only or gone: it may pass without a restart.
  classifyError: (error) =>
    /^SQLITE_(?:BUSY|LOCKED|FULL|IOERR|READONLY|CANTOPEN)|^(?:EACCES|EPERM|EROFS|ENOENT)$/.test(codeOf(error))
      ? 'away'
      : undefined,

  explain(error) {
    const because = error instanceof Error ? ` (${error.message})` : ''
    const code = codeOf(error)
    if (
      /^(?:EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EEXIST|ENOSPC)$|^SQLITE_(?:CANTOPEN|READONLY|FULL|IOERR)/.test(
        code,
      )
    )
      return `Неверная настройка DATA_DIR=${JSON.stringify(dataDir)}: нужно путь к папке, в которую можно писать.${because}`
    if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code))
      return `Файл базы данных повреждён: восстановите его из резервной копии.${because}`
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(code))
      return `База данных занята другой программой: закройте её и повторите.${because}`
    return undefined
  },
})

/** Level by level: Node's own `recursive` never ends where a parent is there and takes no folders, as /proc does. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  mkdirSync(folder)
}

/** SQLite does not wait by itself where another process is just making the database, or closing it as the last. */
async function journalled(database: Database.Database): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    try {
      database.pragma('journal_mode = wal')
      return
    } catch (error) {
      if (codeOf(error) !== 'SQLITE_BUSY' || waited >= PATIENCE) throw error
    }
    await sleep(50)
  }
}

class UnlockingDialect extends SqliteDialect {
  override createQueryCompiler() {
    return new UnlockingCompiler()
  }
}

class UnlockingCompiler extends SqliteQueryCompiler {
  /** "for update" is unknown here and needless: a transaction holds the whole database from its beginning. */
  protected override visitSelectModifier(node: SelectModifierNode): void {
    if (node.modifier !== 'ForUpdate') super.visitSelectModifier(node)
  }
}

/** More texts than the product has: only lists of varying length ("in (?, ?)") could fill it. */
const MAX_STATEMENTS = 500

/** Kysely prepares a statement anew for every query; most of ours repeat, so they are kept. */
function preparedOnce(database: Database.Database): (sql: string) => Database.Statement<unknown[]> {
  const statements = new Map<string, Database.Statement<unknown[]>>()
  const stillShared = onceATurn(() => checkShared(database))
  return (text) => {
    const asked = inOurWay(text, database.inTransaction)
    const known = statements.get(asked)
    if (!known && statements.size >= MAX_STATEMENTS) statements.clear()
    const statement = known ?? database.prepare<unknown[]>(asked)
    statements.set(asked, statement)
    if (!database.inTransaction) {
      stillShared()
      if (!statement.readonly) checkWritable(database)
    }
    return statement
  }
}

/**
 * SQLite itself goes on where the folder was made read-only, and into a file that was deleted, until the process ends
 * and all of it is gone.
 */
function checkWritable({ name }: Database.Database): void {
  for (const path of [dirname(name), name]) accessSync(path, constants.W_OK)
}

/**
 * Reading, too, writes: into memory that is shared through a file. Where the disk has become read-only since, as Linux
 * makes one that fails, the system would end the process for it.
 */
function checkShared({ name }: Database.Database): void {
  try {
    accessSync(`${name}-shm`, constants.W_OK)
  } catch (error) {
    // Permissions are for those who open a file: what is open stays so.
    if (/^(?:EPERM|EROFS)$/.test(codeOf(error))) throw error
  }
}

/** `check`, once for all statements of a turn of the event loop: it takes longer than most of them. */
function onceATurn(check: () => void): () => void {
  let isDone = false
  return () => {
    if (isDone) return
    check()
    isDone = true
    setImmediate(() => {
      isDone = false
    })
  }
}

/**
 * Transactions begin as writers: one that starts as a reader and then writes fails at once, without waiting, where
 * another process has written in between. And where SQLite has rolled back by itself (a full disk), asking for it
 * again is an error that would hide the first.
 */
function inOurWay(text: string, inTransaction: boolean): string {
  if (text === 'begin') return 'begin immediate'
  return text === 'rollback' && !inTransaction ? 'select null where false' : text
}
