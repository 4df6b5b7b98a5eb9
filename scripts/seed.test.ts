import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from './prepare.mjs'

const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-seed-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  return folder
}

const seed = (folder: string, ...args: string[]) =>
  promisify(execFile)(process.execPath, [join(ROOT, 'scripts', 'seed.ts'), ...args], {
    cwd: folder,
    env: { ...process.env, DATA_DIR: folder },
  })

test('the seed command makes an account, fills it, and asks for the password before it adds more', async () => {
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

test('arguments that make no sense are answered with the usage', async () => {
  await expect(seed(newFolder(), '--items', 'many', '--email', 'x@example.org')).rejects.toThrow(
    'npm run seed -- ',
  )
  await expect(seed(newFolder(), '--colour')).rejects.toThrow('npm run seed -- ')
})
