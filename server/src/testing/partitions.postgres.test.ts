import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from './create-test-app.ts'
import { newAccount } from './new-account.ts'
import { checkOnePartition } from './partitions.ts'

let app: TestApp
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())

it('partitions every table with an owner except users', async () => {
  const { rows } = await sql<{ name: string; kind: string }>`
    select relname as name, relkind as kind from pg_class join pg_attribute on attrelid = pg_class.oid
    where attname = 'owner_id' and relkind in ('r', 'p') and not relispartition`.execute(app.db)
  const partitioned = rows.filter(({ kind }) => kind === 'p').map(({ name }) => name)
  const whole = rows.filter(({ kind }) => kind === 'r').map(({ name }) => name)
  expect(partitioned.length).toBeGreaterThan(8)
  expect(whole).toEqual(['users'])
})

it('rejects a statement that reads more than one partition', async () => {
  const { id } = await newAccount(app)
  const ofOne = { sql: 'select title from items where owner_id = $1', parameters: [id] }
  await checkOnePartition(app.db, [ofOne])
  const ofAll = { sql: 'select title from items where id = $1', parameters: ['x'] }
  await expect(checkOnePartition(app.db, [ofOne, ofAll])).rejects.toThrow(ofAll.sql)
})
