import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { notes } from '@kopilka/contract/notes.ts'
import Sqlite from 'better-sqlite3'
import { expect, onTestFinished } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { sqliteFile } from './sqlite.ts'

/** Holds the write lock of the file named by its argument until it receives input. */
const HOLDER = `
  import Sqlite from 'better-sqlite3'
  const db = new Sqlite(process.argv[1])
  db.exec('begin immediate')
  process.stdout.write('held')
  process.stdin.once('data', () => {
    db.exec('commit')
    process.exit()
  })
`

test('reads and /healthz respond while another process holds the write lock, a save after it', async ({
  app,
  account: { auth },
}) => {
  const body = { title: 'Заметка', content: '<p>текст</p>' }
  const { id } = await app.call(notes.create, { body }, auth)
  const file = sqliteFile(app.database.settings.DATA_DIR)
  const holder = spawn(process.execPath, ['--input-type=module', '-e', HOLDER, file], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  onTestFinished(() => void holder.kill('SIGKILL'))
  await once(holder.stdout, 'data')

  let isSaved = false
  const saving = app.request(notes.create, { body }, auth).finally(() => {
    isSaved = true
  })
  expect((await app.request(notes.read, { params: { id } }, auth)).status).toBe(200)
  expect(await app.call(notes.list, { query: {} }, auth)).toMatchObject({ count: 1 })
  expect((await app.send('GET', '/healthz')).status).toBe(200)
  const other = new Sqlite(file, { timeout: 0 })
  expect(() => other.exec('begin immediate')).toThrow('database is locked')
  other.close()
  expect(isSaved).toBe(false)

  holder.stdin.write('release')
  expect((await saving).status).toBe(201)
  expect(await app.call(notes.list, { query: {} }, auth)).toMatchObject({ count: 2 })
})
