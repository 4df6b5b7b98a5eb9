import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { codeOf, DatabaseUnavailable } from '../errors.ts'
import { refuseDamaged } from './damage.ts'
import { type Dialect, UnusableDatabase } from './dialect.ts'
import { ConnectionDialect, loadSqlite, SqliteConnection } from './sqlite-connection.ts'
import { createSqliteWriter } from './sqlite-writer.ts'

/** Path of the database in DATA_DIR. */
export const sqliteFile = (dataDir: string): string => join(dataDir, 'kopilka.sqlite')

/** Older versions can corrupt a database in WAL mode (sqlite.org/wal.html, "The WAL-reset bug"). */
const OLDEST = '3.51.3'

/** Milliseconds to wait while another process writes. */
const LOCK_TIMEOUT = 5000

/**
 * Milliseconds for which a read may block the event loop. Writers never block readers, but another process that recovers
 * the file after a crash does.
 */
const READ_TIMEOUT = 50

const isOlder = (version: string, than: string): boolean =>
  version.localeCompare(than, 'en', { numeric: true }) < 0

/** Items that are read at a time to find damage, and the milliseconds between two times: a few on the event loop. */
const CHECKED = 50
const CHECK_INTERVAL = 1000

/**
 * Returns a function that reads some items, the next ones at each call, and begins again after the last: it meets damaged pages
 * that no request reads. Of long texts it reads the beginning.
 */
function createItemCheck(): (connection: SqliteConnection) => void {
  let [owner_id, id] = ['', '']
  let next = 0
  return (connection) => {
    if (performance.now() < next) return
    next = performance.now() + CHECK_INTERVAL
    const rows = connection.all<{ owner_id: string; id: string }>(
      `select owner_id, id, octet_length(body) from items where (owner_id, id) > (?, ?)
      order by owner_id, id limit ${CHECKED}`,
      [owner_id, id],
    )
    const last = rows.length < CHECKED ? undefined : rows.at(-1)
    ;[owner_id, id] = last ? [last.owner_id, last.id] : ['', '']
  }
}

/**
 * Returns a function that opens the file anew and reads from it, because open connections have pages in memory. What it found counts
 * for a second, or until the file changes: opening it takes most of a millisecond.
 */
function createFileCheck(
  file: string,
  checkItems: ReturnType<typeof createItemCheck>,
): NonNullable<Dialect['checkFiles']> {
  let found = { state: '', until: 0 }
  return ({ items }) => {
    refuseDamaged(file)
    const state = stateOf(file)
    if (items && state === found.state && performance.now() < found.until) return
    const connection = new SqliteConnection(file, { readonly: true, timeout: READ_TIMEOUT })
    try {
      connection.all('select name from migrations', [])
      if (items) checkItems(connection)
    } finally {
      connection.close()
    }
    if (items) found = { state, until: performance.now() + CHECK_INTERVAL }
  }
}

/** Changes when the file is replaced or written to; empty where there is none. */
function stateOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats ? [stats.ino, stats.size, stats.mtimeNs, stats.ctimeNs].join() : ''
}

/** SQLite in `dataDir`. Creates the folder and the file if they are missing. */
export const sqliteDialect = (dataDir: string, checkItems = createItemCheck()): Dialect => ({
  fullText: 'fts5',

  // The folder and the file exist: migrations have created them.
  connect(log) {
    loadSqlite()
    const options = { readonly: true, timeout: READ_TIMEOUT, log }
    return new ConnectionDialect(() => new SqliteConnection(sqliteFile(dataDir), options))
  },

  connectForMigrations: () =>
    new ConnectionDialect(async () => {
      makeFolder(dataDir)
      const connection = new SqliteConnection(sqliteFile(dataDir), { timeout: LOCK_TIMEOUT })
      await setWriteAheadLog(connection)
      return connection
    }),

  checkFiles: createFileCheck(sqliteFile(dataDir), checkItems),

  createWriter: (log) => createSqliteWriter(sqliteFile(dataDir), { log }),

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

  // Migrations run in write transactions, of which SQLite allows one at a time.
  lockMigrations: async () => {},

  explain(error) {
    const because = error instanceof Error ? ` (${error.message})` : ''
    const code = codeOf(error)
    if (
      /^(?:EACCES|EPERM|EROFS|ENOENT|ENOTDIR|EEXIST|ENOSPC)$|^SQLITE_(?:CANTOPEN|READONLY|FULL|IOERR)/.test(
        code,
      )
    )
      return `Неверная настройка DATA_DIR=${JSON.stringify(dataDir)}: ожидается путь к папке, в которую можно писать.${because}`
    if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code))
      return `Файл базы данных повреждён: восстановите его из резервной копии.${because}`
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(code))
      return `База данных занята другой программой: закройте её и повторите.${because}`
    return undefined
  },
})

/** Creates a folder level by level: Node's `recursive` never ends if a parent exists and accepts no folders, like /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  const parent = dirname(folder)
  if (parent !== folder) makeFolder(parent)
  mkdirSync(folder)
}

/** Retries: SQLite's own timeout does not cover another process that is creating the database, or closing it as the last. */
async function setWriteAheadLog(connection: SqliteConnection): Promise<void> {
  for (let waited = 0; ; waited += 50) {
    try {
      connection.run('pragma journal_mode = wal')
      return
    } catch (error) {
      const { cause } = error instanceof DatabaseUnavailable ? error : {}
      if (codeOf(cause) !== 'SQLITE_BUSY' || waited >= LOCK_TIMEOUT) throw error
    }
    await sleep(50)
  }
}
