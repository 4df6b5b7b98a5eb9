import { renameSync, rmSync, utimesSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { Kysely, SqliteDialect, sql } from 'kysely'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { DatabaseUnavailable } from '../errors.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { type Database, dialectFor, openDb } from './open.ts'
import type { Tables } from './schema.ts'
import { sqliteDialect, sqliteFile } from './sqlite.ts'
import { transact } from './transact.ts'

let database: TestDatabase
let db: Database
beforeEach(async () => {
  database = await createTestDatabase()
  db = await openDb(database.settings)
})
afterEach(async () => {
  await db.destroy()
  await database.remove()
})

const pragma = async (name: string): Promise<unknown> => {
  const { rows } = await sql<Record<string, unknown>>`select * from ${sql.raw(`pragma_${name}`)}`.execute(db)
  return Object.values(rows[0] ?? {})[0]
}

it('uses a write-ahead log and fsync, so that acknowledged writes survive a power failure', async () => {
  expect(await pragma('journal_mode')).toBe('wal')
  expect(await pragma('synchronous')).toBe(2)
  expect(await pragma('foreign_keys')).toBe(1)
})

it.each([
  ['3.51.2', 'SQLite 3.51.2 слишком старая: нужна 3.51.3 или новее.'],
  ['3.9.0', 'SQLite 3.9.0 слишком старая: нужна 3.51.3 или новее.'],
  // New enough, but in memory, where there is no write-ahead log.
  ['3.51.3', 'Файловая система не подходит'],
  ['3.100.0', 'Файловая система не подходит'],
])('asks SQLite for its version: %s', async (version, said) => {
  const database = new Sqlite(':memory:')
  database.function('sqlite_version', () => version)
  const told = new Kysely({ dialect: new SqliteDialect({ database }) })
  await expect(sqliteDialect('').check(told)).rejects.toThrow(said)
  await told.destroy()
})

it('is unavailable while the disk is full, and works again without a restart when there is room', async () => {
  const writable = new Kysely<Tables>({ dialect: dialectFor(database.settings).connectForMigrations() })
  const { rows } = await sql<{ page_count: number }>`pragma page_count`.execute(writable)
  await sql`pragma max_page_count = ${sql.raw(String(rows[0]?.page_count))}`.execute(writable)
  const user = (at: number) => ({
    owner_id: `id-${at}`,
    email: 'a',
    email_key: `key-${at}`,
    first_name: 'x'.repeat(100_000),
    last_name: 'b',
    password_hash: 'c',
    created_at: 1,
  })
  const fill = (at: number) => transact(writable, (trx) => trx.insertInto('users').values(user(at)).execute())
  await expect(fill(1)).rejects.toThrow(DatabaseUnavailable)
  expect(await db.selectFrom('users').select('owner_id').execute()).toEqual([])
  await sql`pragma max_page_count = 1000000`.execute(writable)
  await fill(2)
  expect(await db.selectFrom('users').select('owner_id').execute()).toEqual([{ owner_id: 'id-2' }])
  await writable.destroy()
})

it('compiles placeholders whose statements SQLite plans once, with the same plans as bare ones', async () => {
  const query = db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', 'a')
    .where('kind', '=', 'note')
    .orderBy('pinned', 'desc')
    .orderBy('created_at', 'desc')
    .limit(15)
    .compile()
  expect(query.sql).toContain('"owner_id" = +?')
  const other = new Sqlite(sqliteFile(database.settings.DATA_DIR), { readonly: true })
  const planOf = (text: string) => other.prepare(`explain query plan ${text}`).all(...query.parameters)
  expect(planOf(query.sql)).toEqual(planOf(query.sql.replaceAll('+?', '?')))
  expect(planOf(query.sql)).toMatchObject([{ detail: expect.stringContaining('items_newest') }])
  other.close()
})

it('opens the file at most once a second to see whether it is damaged, unless it has changed', () => {
  let opened = 0
  const { DATA_DIR } = database.settings
  const { checkFiles } = sqliteDialect(DATA_DIR, () => {
    opened += 1
  })
  const openedBy = (act: () => void = () => {}): number => {
    const before = opened
    act()
    checkFiles?.({ items: true })
    return opened - before
  }
  vi.useFakeTimers({ toFake: ['performance'] })
  try {
    const file = sqliteFile(DATA_DIR)
    expect([openedBy(), openedBy(), openedBy()]).toEqual([1, 0, 0])
    expect([openedBy(() => utimesSync(file, 1, 1)), openedBy()]).toEqual([1, 0])
    expect(openedBy(() => vi.advanceTimersByTime(1000))).toBe(1)
    renameSync(file, `${file}.away`)
    expect(openedBy).toThrow(DatabaseUnavailable)
    expect([openedBy(() => renameSync(`${file}.away`, file)), openedBy()]).toEqual([1, 0])
  } finally {
    vi.useRealTimers()
    rmSync(`${sqliteFile(DATA_DIR)}.away`, { force: true })
  }
})
