import { execFile } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { ROOT } from './prepare.mjs'

function commands() {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-export-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const run = (name: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts', `${name}.ts`), ...args], {
      cwd: folder,
      env: { ...process.env, DATA_DIR: join(folder, 'data') },
    })
  return { run, path: (name: string) => join(folder, name) }
}

test('npm run export writes a file of what an account holds, and says why it cannot', async () => {
  const { run, path } = commands()
  await run('seed', '--email', 'you@example.org', '--items', '30')
  const account = ['--email', 'YOU@example.org', '--to']
  const { stdout } = await run('export', ...account, path('all.json'), '--format', 'json', '--trash')
  expect(stdout).toMatch(/30 из 30 за [\d.]+ с\nГотово: /)
  expect(JSON.parse(readFileSync(path('all.json'), 'utf8')).items).toHaveLength(30)

  await expect(run('export', ...account, path('all.json'))).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('уже есть'),
  })
  await expect(run('export', '--email', 'no@example.org', '--to', path('x'))).rejects.toMatchObject({
    code: 1,
    stderr: 'Учётной записи no@example.org нет.\n',
  })
  expect(existsSync(path('x.part'))).toBe(false)
  const missing = run('export', ...account, path('no/such/folder.zip'))
  await expect(missing).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^Нет такого/) })
})

test('npm run export explains itself', async () => {
  const { run } = commands()
  expect((await run('export', '--help')).stdout).toContain('--versions')
  await expect(run('export', '--email', 'x@example.org')).rejects.toThrow('npm run export -- ')
  await expect(
    run('export', '--email', 'x@example.org', '--to', 'x', '--format', 'csv', '--versions'),
  ).rejects.toThrow('только в архиве')
})
