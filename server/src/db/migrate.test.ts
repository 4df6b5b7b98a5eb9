import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Migration, migrate, NewerDatabaseError } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { openDb } from './open.ts'
import type { Db } from './schema.ts'

let folder: string
let db: Db
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopilka-test-'))
  db = await openDb({ DATA_DIR: folder })
})
afterEach(async () => {
  await db.destroy()
  await rm(folder, { recursive: true })
})

const tableNames = async () =>
  (await sql<{ name: string }>`select name from sqlite_master where type = 'table'`.execute(db)).rows.map(
    ({ name }) => name,
  )

it('applies each migration once, however often the program starts', async () => {
  const before = await tableNames()
  expect(before).toEqual(expect.arrayContaining(['users', 'items', 'migrations']))
  await migrate(db)
  expect(await tableNames()).toEqual(before)
})

it('leaves nothing of a migration that failed midway, and applies it whole the next time', async () => {
  let broken = true
  const second: Migration = {
    name: '999-second',
    up: async (trx) => {
      await sql`create table halfway (id integer)`.execute(trx)
      if (broken) throw new Error('power cut')
    },
  }
  await expect(migrate(db, [...migrations, second])).rejects.toThrow('power cut')
  expect(await tableNames()).not.toContain('halfway')
  broken = false
  await migrate(db, [...migrations, second])
  expect(await tableNames()).toContain('halfway')
})

it('refuses a database that a newer program made', async () => {
  const second: Migration = { name: '999-second', up: async () => {} }
  await migrate(db, [...migrations, second])
  await expect(migrate(db)).rejects.toThrow(NewerDatabaseError)
})

it('has names that sort in the order they apply', () => {
  const names = migrations.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)].sort())
})
