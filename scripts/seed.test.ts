import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { ANALYSER } from '@kopilka/text/search/terms.ts'
import { expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../server/src/config.ts'
import { openDb } from '../server/src/db/open.ts'
import { ROOT } from './prepare.mjs'

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const command = (name: string, folder: string, args: string[] = [], settings: Record<string, string> = {}) =>
  promisify(execFile)(process.execPath, [join(ROOT, 'scripts', `${name}.ts`), ...args], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: join(folder, 'data'), ...settings },
  })
const seed = (folder: string, ...args: string[]) => command('seed', folder, args)

test('the seed command creates and fills an account, and requires its password to add more', async () => {
  const folder = newFolder()
  const account = ['--email', 'you@example.org', '--items', '20']
  const first = await seed(folder, ...account)
  const password = /пароль: (\S+)/.exec(first.stdout)?.[1] ?? ''
  expect(first.stdout).toContain('20 из 20')

  await expect(seed(folder, ...account)).rejects.toThrow('добавьте --password')
  await expect(seed(folder, ...account, '--password', 'wrong one')).rejects.toThrow('пароль не подходит')
  const again = await seed(folder, ...account, '--password', password)
  expect(again.stdout).toContain('20 из 20')
})

test('a server builds no index of sample items anew', async () => {
  const folder = newFolder()
  await seed(folder, '--email', 'you@example.org', '--items', '1')
  const db = await openDb(readConfig({ DATA_DIR: join(folder, 'data') }))
  const { version } = await db.selectFrom('search_analyser').select('version').executeTakeFirstOrThrow()
  await db.destroy()
  expect(version).toBe(ANALYSER)
})

test('files of the seed command are readable by their owner alone, like those of the server', async () => {
  const folder = newFolder()
  await seed(folder, '--email', 'you@example.org', '--items', '1')
  for (const path of ['data', 'data/kopilka.sqlite'])
    expect(statSync(join(folder, path)).mode & 0o077).toBe(0)
})

test.each(['seed', 'reindex'])('%s explains a wrong setting in one line', async (name) => {
  const args = name === 'seed' ? ['--email', 'you@example.org'] : []
  const failing = command(name, newFolder(), args, { DATABASE_URL: 'mysql://x' })
  await expect(failing).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^Неверная настройка DATABASE_URL=[^\n]+\n$/),
  })
})

test('invalid arguments print the usage', async () => {
  await expect(seed(newFolder(), '--items', 'many', '--email', 'x@example.org')).rejects.toThrow(
    'npm run seed -- ',
  )
  await expect(seed(newFolder(), '--colour')).rejects.toThrow('npm run seed -- ')
})
