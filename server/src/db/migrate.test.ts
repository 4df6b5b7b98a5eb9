import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { UnusableDatabase } from './dialect.ts'
import { type MigrationTables, migrate } from './migrate.ts'
import type { Migration } from './migration.ts'
import { migrations } from './migrations/index.ts'
import { dialectFor, openDb } from './open.ts'

let database: TestDatabase
let db: Kysely<MigrationTables>
beforeEach(async () => {
  database = await createTestDatabase()
  db = new Kysely({ dialect: dialectFor(database.settings).connectForMigrations() })
})
afterEach(async () => {
  await db.destroy()
  await database.remove()
})

const apply = (list?: readonly Migration[]) => migrate(db, dialectFor(database.settings), list)
const tableNames = async () => (await db.introspection.getTables()).map(({ name }) => name).sort()

it('applies each migration once, however often the program starts', async () => {
  await apply()
  const before = await tableNames()
  expect(before).toEqual(expect.arrayContaining(['users', 'items', 'migrations']))
  await apply()
  expect(await tableNames()).toEqual(before)
})

it('rolls back a migration that fails midway, and applies all of it the next time', async () => {
  let broken = true
  const second: Migration = {
    name: '999-second',
    up: async (trx) => {
      await sql`create table halfway (id integer)`.execute(trx)
      if (broken) throw new Error('power cut')
    },
  }
  await expect(apply([...migrations, second])).rejects.toThrow('power cut')
  expect(await tableNames()).not.toContain('halfway')
  broken = false
  await apply([...migrations, second])
  expect(await tableNames()).toContain('halfway')
})

it('refuses a database of a newer version in one line, and does not change it', async () => {
  await apply([{ name: '999-second', up: async () => {} }])
  await expect(openDb(database.settings)).rejects.toThrow(UnusableDatabase)
  await expect(apply()).rejects.toThrow(/^База данных новее программы[^\n]+$/)
  expect(await tableNames()).toEqual(['migrations'])
})

it('names migrations so that they sort in the order they apply', () => {
  const names = migrations.map(({ name }) => name)
  expect(names).toEqual([...new Set(names)].sort())
})
