import process from 'node:process'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test as it } from './fixtures.ts'
import { newAccount } from './new-account.ts'
import { checkOnePartition } from './partitions.ts'

if (!process.env.TEST_CITUS)
  // vitest.config.ts has a project of them where it is set.
  it.skip('all calls run once more on Citus (TEST_CITUS names no cluster: docs/scale.md)', () => {})

it('partitions every table with an owner except users', async ({ app }) => {
  const { rows } = await sql<{ name: string; kind: string }>`
    select relname as name, relkind as kind from pg_class join pg_attribute on attrelid = pg_class.oid
    where attname = 'owner_id' and relkind in ('r', 'p') and not relispartition`.execute(app.db)
  const partitioned = rows.filter(({ kind }) => kind === 'p').map(({ name }) => name)
  const whole = rows.filter(({ kind }) => kind === 'r').map(({ name }) => name)
  expect(partitioned.length).toBeGreaterThan(8)
  expect(whole).toEqual(['users'])
})

it('rejects a statement that reads more than one partition', async ({ app }) => {
  const { id } = await newAccount(app)
  const ofOne = { sql: 'select title from items where owner_id = $1', parameters: [id] }
  await checkOnePartition(app.db, [ofOne])
  const ofAll = { sql: 'select title from items where id = $1', parameters: ['x'] }
  await expect(checkOnePartition(app.db, [ofOne, ofAll])).rejects.toThrow(ofAll.sql)
})
