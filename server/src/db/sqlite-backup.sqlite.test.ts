import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openDb } from './open.ts'
import { checkSqlite, replaceSqlite } from './sqlite-backup.ts'

async function database() {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-backup-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const db = await openDb({ DATA_DIR: folder, DATABASE_URL: '' })
  await db.destroy()
  return { folder, file: join(folder, 'kopilka.sqlite') }
}

test('a replacement that ends midway leaves the old database in its place', async () => {
  const { folder, file } = await database()
  expect(() => replaceSqlite(file, join(folder, 'missing'), join(folder, 'aside'))).toThrow('ENOENT')
  checkSqlite(file)
  checkSqlite(join(folder, 'aside'))
})
