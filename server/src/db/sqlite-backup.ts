import { existsSync, renameSync } from 'node:fs'
import Database from 'better-sqlite3'
import { UnusableDatabase } from './dialect.ts'
import { codeOf } from './error-code.ts'
import { refuseForeign } from './migrate.ts'

/** Pages copied at a time: about a megabyte, so that a bar moves and a signal is heard. */
const STEP = 250

/** What SQLite keeps beside a database that is open, or was when its program died. */
const BESIDE = ['-wal', '-shm', '-journal'] as const

/**
 * Copies the database `from` into the new file `to`, as it is at this moment: programs that have it open go on reading
 * and writing. The copy is one file without any beside it. `show` is told the pages copied so far, and all there are.
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

/** Throws {@link UnusableDatabase} unless the file is a whole database that this program can use. */
export function checkSqlite(file: string): void {
  const db = new Database(file, { readonly: true, fileMustExist: true })
  try {
    refuseForeign(migrationsIn(db))
    if (db.pragma('integrity_check(1)', { simple: true }) !== 'ok') throw damaged()
  } catch (error) {
    throw isDamage(error) ? damaged() : error
  } finally {
    db.close()
  }
}

function migrationsIn(db: Database.Database): string[] {
  const column = db.prepare("select 1 from pragma_table_info('migrations') where name = 'name'").get()
  if (column === undefined) return []
  return db.prepare<[], string>('select name from migrations').pluck().all()
}

/**
 * Puts the file `copy` in the place of the database `file`, which is kept as `aside`, with all that lies beside it.
 * Throws {@link UnusableDatabase} where a program has the database open.
 */
export function replaceSqlite(file: string, copy: string, aside: string): void {
  if (existsSync(file)) settleSqlite(file)
  // First what lies beside: the new database must never meet the journal of the old one.
  for (const suffix of [...BESIDE, '']) {
    if (existsSync(`${file}${suffix}`)) renameSync(`${file}${suffix}`, `${aside}${suffix}`)
  }
  renameSync(copy, file)
}

/**
 * Brings all that was written into the one file, which can be done only while nobody else has it open.
 * Throws {@link UnusableDatabase} where somebody has.
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
    // One that is beyond reading is set aside as it is.
    if (!isDamage(error)) throw error
  } finally {
    db.close()
  }
}

const isDamage = (error: unknown): boolean => /^SQLITE_(?:NOTADB|CORRUPT)/.test(codeOf(error))

const damaged = (): UnusableDatabase => new UnusableDatabase('Файл повреждён, или это не база данных.')
