import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, runAdminStatement } from '../server/src/testing/test-database.ts'
import { ROOT } from './prepare.mjs'

/** The tables that a seed fills and searches read. */
const TABLES = ['item_tags', 'items', 'search_forms', 'search_words', 'tags']

test('a seed leaves the statistics of what it has filled, without waiting for autovacuum', async () => {
  const { settings, remove } = await createTestDatabase({ isMigrated: true })
  onTestFinished(remove)
  const url = settings.DATABASE_URL
  for (const table of TABLES)
    await runAdminStatement(url, `alter table ${table} set (autovacuum_enabled = false)`)
  const analysed = async () =>
    (await runAdminStatement(url, 'select distinct tablename from pg_stats order by tablename')).rows
      .map(({ tablename }) => String(tablename))
      .filter((table) => TABLES.includes(table))
  expect(await analysed()).toEqual([])
  const seed = [join(ROOT, 'scripts', 'seed.ts'), '--email', 'you@example.org', '--items', '200']
  await promisify(execFile)(process.execPath, seed, { env: { ...process.env, ...settings } })
  expect(await analysed()).toEqual(TABLES)
})
