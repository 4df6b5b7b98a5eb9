import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
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

test('a write-ahead log without its database is not applied to the one that takes its place', async () => {
  const { folder, file } = await database()
  const copy = (await database()).file
  rmSync(file)
  writeFileSync(`${file}-wal`, 'left over')
  replaceSqlite(file, copy, join(folder, 'aside'))
  expect(existsSync(`${file}-wal`)).toBe(false)
  expect(readFileSync(join(folder, 'aside-wal'), 'utf8')).toBe('left over')
  checkSqlite(file)
})
