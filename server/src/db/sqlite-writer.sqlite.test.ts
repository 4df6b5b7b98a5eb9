import { existsSync } from 'node:fs'
import Sqlite from 'better-sqlite3'
import { afterEach, beforeEach, expect, it, onTestFinished } from 'vitest'
import { AppError, DatabaseUnavailable } from '../errors.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import type { Writer } from './dialect.ts'
import { type Database, openDb } from './open.ts'
import { sqliteFile } from './sqlite.ts'
import { createSqliteWriter } from './sqlite-writer.ts'

let database: TestDatabase
let db: Database
let writer: Writer
let statements: string[]
/** A second connection, which SQLite treats like another process. */
let other: Sqlite.Database
beforeEach(async () => {
  database = await createTestDatabase()
  db = await openDb(database.settings)
  statements = []
  const file = sqliteFile(database.settings.DATA_DIR)
  writer = createSqliteWriter(file, {
    log: ({ sql }) => statements.push(sql),
    entry: new URL('../testing/failing-commands-thread.ts', import.meta.url),
  })
  other = new Sqlite(file)
})
afterEach(async () => {
  other.close()
  await writer.close()
  await db.destroy()
  await database.remove()
})

const write = (command: string, owner_id = command) => writer.write(`test.${command}`, { owner_id })
const owners = async () =>
  (await db.selectFrom('users').select('owner_id').orderBy('owner_id').execute()).map(
    ({ owner_id }) => owner_id,
  )
const commits = () => statements.filter((sql) => sql === 'commit').length

it('waits for the lock of another process without blocking reads, then commits all waiting commands together', async () => {
  await write('add-user', 'first')
  other.exec('begin immediate')
  let settled = 0
  const names = Array.from({ length: 20 }, (_, at) => `user-${at + 10}`)
  const writes = names.map((name) =>
    write('add-user', name).finally(() => {
      settled += 1
    }),
  )
  for (let at = 0; at < 50; at += 1) expect(await owners()).toEqual(['first'])
  expect(settled).toBe(0)

  other.exec('commit')
  expect(await Promise.all(writes)).toEqual(names)
  expect(await owners()).toEqual(['first', ...names])
  // The first command may have begun to wait alone, in a group of its own.
  expect(commits()).toBeLessThanOrEqual(3)
})

it('takes twenty commands of an owner at a time, so that others do not wait for all of them', async () => {
  other.exec('begin immediate')
  let settled = 0
  const own = [{ owner_id: 'many' }, { key: { owner_id: 'many' } }, [{ key: { owner_id: 'many' } }]]
  const many = Array.from({ length: 120 }, (_, at) =>
    writer.write('test.thread-id', own[at % own.length]).then(() => {
      settled += 1
    }),
  )
  const settledBefore = write('thread-id', 'one').then(() => settled)
  other.exec('commit')
  expect(await settledBefore).toBeLessThanOrEqual(40)
  await Promise.all(many)
})

it('waits for the disk, except where all commands of a group can do without', async () => {
  const [normal, full] = [1, 2]
  expect(await write('synchronous-deferred')).toBe(normal)
  expect(await write('synchronous')).toBe(full)

  other.exec('begin immediate')
  const first = write('add-user', 'first')
  const group = [write('synchronous-deferred'), write('synchronous')]
  other.exec('commit')
  await first
  expect(await Promise.all(group)).toEqual([full, full])
  expect(await write('synchronous-deferred')).toBe(normal)
})

it('rolls back only the failed commands of a group, each with its error', async () => {
  other.exec('begin immediate')
  const outcomes = Promise.allSettled([
    write('add-user', 'one'),
    write('refuse', 'two'),
    write('refuse-early'),
    write('bug', 'three'),
    write('unknown'),
    // The name is taken.
    write('add-user', 'one'),
    write('add-user', 'four'),
  ])
  other.exec('commit')
  const [one, refused, refusedEarly, bug, unknown, duplicate, four] = await outcomes
  expect([one, four].map((outcome) => outcome?.status)).toEqual(['fulfilled', 'fulfilled'])
  expect(await owners()).toEqual(['four', 'one'])

  const reasons = [refused, refusedEarly, bug, unknown, duplicate].map((outcome) =>
    outcome?.status === 'rejected' ? outcome.reason : outcome,
  )
  expect(reasons[0]).toBeInstanceOf(AppError)
  expect(reasons[0]).toMatchObject({ code: 'rateLimited', fields: { title: ['required'] }, retryAfter: 7 })
  expect(reasons[1]).toBeInstanceOf(AppError)
  expect(reasons[2]).toMatchObject({
    message: 'no such thing',
    stack: expect.stringContaining('failing-commands-thread'),
  })
  expect(reasons[3]).toMatchObject({ message: expect.stringContaining('server/src/commands.ts') })
  expect(reasons[4]).toMatchObject({ message: expect.stringContaining('UNIQUE') })
})

it('replaces a thread that dies, and rejects what waited for it as unavailable', async () => {
  other.exec('begin immediate')
  const outcomes = Promise.allSettled([write('die'), write('add-user', 'lost')])
  other.exec('commit')
  for (const outcome of await outcomes) {
    expect(outcome).toMatchObject({ status: 'rejected', reason: expect.any(DatabaseUnavailable) })
  }
  expect(await write('add-user', 'next')).toBe('next')
  expect(await owners()).toEqual(['next'])
})

it('closes once all commands given so far have ended', async () => {
  const writes = Promise.all(['one', 'three', 'two'].map((name) => write('add-user', name)))
  await writer.close()
  await writes
  expect(await owners()).toEqual(['one', 'three', 'two'])
})

it('fails alone where a result cannot be sent to another thread', async () => {
  other.exec('begin immediate')
  const outcomes = Promise.allSettled([write('resolve-to-function'), write('add-user', 'one')])
  other.exec('commit')
  expect(await outcomes).toMatchObject([
    { status: 'rejected', reason: { message: expect.stringContaining('could not be cloned') } },
    { status: 'fulfilled', value: 'one' },
  ])
})

it('writes again after its thread has ended, and leaves no write-ahead log', async () => {
  const own = await createTestDatabase()
  onTestFinished(own.remove)
  await (await openDb(own.settings)).destroy()
  const file = sqliteFile(own.settings.DATA_DIR)
  const entry = new URL('../testing/failing-commands-thread.ts', import.meta.url)
  const short = createSqliteWriter(file, { entry, idle: 10 })
  await short.write('test.add-user', { owner_id: 'one' })
  const first = await short.write('test.thread-id', {})
  // Asks less often than a thread may be idle.
  await expect
    .poll(() => short.write('test.thread-id', {}), { interval: 100, timeout: 20_000 })
    .not.toBe(first)
  await short.write('test.add-user', { owner_id: 'two' })
  const reader = new Sqlite(file)
  onTestFinished(() => void reader.close())
  expect(reader.prepare('select owner_id from users order by owner_id').pluck().all()).toEqual(['one', 'two'])
  reader.close()
  await short.close()
  expect(existsSync(`${file}-wal`)).toBe(false)
})

it('makes no empty database where the file is gone', async () => {
  const own = await createTestDatabase()
  onTestFinished(own.remove)
  const file = sqliteFile(own.settings.DATA_DIR)
  const entry = new URL('../testing/failing-commands-thread.ts', import.meta.url)
  const missing = createSqliteWriter(file, { entry })
  await expect(missing.write('test.add-user', { owner_id: 'one' })).rejects.toThrow(DatabaseUnavailable)
  await missing.close()
  expect(existsSync(file)).toBe(false)
})
