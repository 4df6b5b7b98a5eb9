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

test('npm run export writes a file of what an account holds, and says why it cannot', {
  timeout: 120_000,
}, async () => {
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
  await expect(missing).rejects.toMatchObject({
    code: 1,
    stderr: `Нет такой папки: ${path('no/such')}\n`,
  })
})

test('npm run export writes what was chosen', { timeout: 120_000 }, async () => {
  const { run, path } = commands()
  await run('seed', '--email', 'you@example.org', '--items', '60')
  const chosen = async (name: string, ...options: string[]) => {
    const to = path(`${name}.json`)
    const { stdout } = await run(
      'export',
      '--email',
      'you@example.org',
      '--to',
      to,
      '--format',
      'json',
      ...options,
    )
    const { items } = JSON.parse(readFileSync(to, 'utf8')) as {
      items: { kind: string; title: string; tags: string[] }[]
    }
    expect(stdout).toContain(` ${items.length} из ${items.length} за`)
    return items
  }
  const all = await chosen('all')
  const notes = await chosen('notes', '--kind', 'note')
  expect(notes).toEqual(all.filter(({ kind }) => kind === 'note'))
  const tag = all.flatMap(({ tags }) => tags)[0] ?? ''
  expect(await chosen('tagged', '--tag', tag.toUpperCase())).toEqual(
    all.filter(({ tags }) => tags.includes(tag)),
  )
  expect(await chosen('untagged', '--untagged')).toEqual(all.filter(({ tags }) => tags.length === 0))
  const found = await chosen('found', '--search', `tag:"${tag}"`, '--kind', 'note')
  expect(new Set(found)).toEqual(new Set(notes.filter(({ tags }) => tags.includes(tag))))
  expect(found.length).toBeGreaterThan(0)
  const missing = run('export', '--email', 'you@example.org', '--to', path('x'), '--tag', 'нет такого')
  await expect(missing).rejects.toMatchObject({ code: 1, stderr: 'Тега «нет такого» нет.\n' })
  const nameless = run('export', '--email', 'you@example.org', '--to', path('x'), '--tag', '')
  await expect(nameless).rejects.toMatchObject({ code: 1, stderr: 'Тега «» нет.\n' })
  const wrong = run('export', '--email', 'you@example.org', '--to', path('x'), '--kind', 'notes')
  await expect(wrong).rejects.toMatchObject({ code: 1, stderr: expect.stringContaining('--kind note') })
})

test('npm run export explains itself', async () => {
  const { run } = commands()
  expect((await run('export', '--help')).stdout).toContain('--versions')
  await expect(run('export', '--email', 'x@example.org')).rejects.toThrow('npm run export -- ')
  await expect(run('export', '--email', 'x@example.org', '--to', 'x', '--format', 'pdf')).rejects.toThrow(
    '--format archive, netscape, markdown, csv, json',
  )
  await expect(
    run('export', '--email', 'x@example.org', '--to', 'x', '--format', 'csv', '--versions'),
  ).rejects.toThrow('только в архиве')
})
