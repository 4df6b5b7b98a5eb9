import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { createTestDatabase, runAdminStatement } from '../server/src/testing/test-database.ts'
import { ROOT } from './prepare.mjs'

/** The tables that a seed and an import fill and searches read. */
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

test('and so does an import by command', async () => {
  const { settings, remove } = await createTestDatabase({ isMigrated: true })
  onTestFinished(remove)
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const run = (name: string, ...args: string[]) =>
    promisify(execFile)(
      process.execPath,
      [join(ROOT, 'scripts', `${name}.ts`), '--email', 'you@example.org', ...args],
      { cwd: folder, env: { ...process.env, ...settings } },
    )
  /** How often statistics were gathered of each table, not counting autovacuum. */
  const gathered = async () =>
    (
      await runAdminStatement(
        settings.DATABASE_URL,
        'select relname, analyze_count::int as times from pg_stat_user_tables order by relname',
      )
    ).rows.flatMap(({ relname, times }) => (TABLES.includes(String(relname)) ? [Number(times)] : []))
  const once = TABLES.map(() => 1)
  await run('seed', '--items', '1')
  await expect.poll(gathered).toEqual(once)
  writeFileSync(join(folder, 'list.txt'), 'https://a.example/\nhttps://b.example/\n')
  await run('import', 'list.txt', '--add-tag', 'Список')
  await expect.poll(gathered).toEqual(once.map((times) => times + 1))
})
