import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { ROOT } from './prepare.mjs'

const EMAIL = ['--email', 'you@example.org']
const RESOURCE = '<resource><data>AA==</data><mime>application/pdf</mime></resource>'

test('the import command shows, imports a file and a folder, and explains what is wrong', {
  timeout: 240_000,
}, async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const run = (name: string, ...args: string[]) =>
    promisify(execFile)(process.execPath, [join(ROOT, 'scripts', `${name}.ts`), ...args], {
      cwd: folder,
      env: { ...process.env, DATA_DIR: join(folder, 'data'), TAGS_PER_USER: '20' },
    })
  await run('seed', ...EMAIL, '--items', '1')
  writeFileSync(join(folder, 'list.txt'), 'https://a.example/\nhttps://b.example/\njavascript:alert(1)\n')
  mkdirSync(join(folder, 'notes'))
  writeFileSync(join(folder, 'notes', 'один.md'), '# Один\n\nтекст')
  symlinkSync('один.md', join(folder, 'notes', 'ссылка.md'))
  const tagged = Array.from(
    { length: 400 },
    (_, at) => `<DT><A HREF="https://c.example/${at}" TAGS="${at < 250 ? 'а' : at}">x</A>`,
  )
  writeFileSync(join(folder, 'tagged.html'), `<!DOCTYPE NETSCAPE-Bookmark-file-1>\n${tagged.join('\n')}`)

  const shown = await run('import', ...EMAIL, 'list.txt', '--dry-run')
  expect(shown.stdout).toContain('Новых: 2, уже есть: 0')
  expect(shown.stdout).toMatch(/строка 3 · .*программа или данные/)
  const added = await run('import', ...EMAIL, 'list.txt', '--add-tag', 'Список')
  expect(added.stdout).toContain('Добавлено: 2, дополнено: 0, пропущено: 0')
  const again = await run('import', ...EMAIL, 'list.txt')
  expect(again.stdout).toContain('Добавлено: 0, дополнено: 0, пропущено: 2')
  const ofFolder = (await run('import', ...EMAIL, 'notes')).stdout
  expect(ofFolder).toContain('Добавлено: 1')
  expect(ofFolder).toMatch(/ссылка\.md .*Такое не переносится/)

  const notes = Array.from(
    { length: 22 },
    (_, at) => `<note><title>н${at}</title><content>x</content>${RESOURCE}</note>`,
  )
  writeFileSync(join(folder, 'notes.enex'), `<en-export>${notes.join('')}</en-export>`)
  const remarked = (await run('import', ...EMAIL, 'notes.enex', '--dry-run')).stdout
  expect(remarked).toContain('С замечаниями: 22\n  запись 1 · н0 · Вложения не перенесены: 1.\n')
  expect(remarked).toMatch(/запись 20 · н19 · .*\n {2}… и ещё 2\n/)

  expect((await run('import', '--help')).stdout).toContain('--dry-run')
  const failing: [string[], string][] = [
    [['--email', 'nobody@example.org', 'list.txt'], 'Учётной записи с таким адресом нет'],
    [[...EMAIL, 'none.txt'], 'Файла нет'],
    [[...EMAIL, 'list.txt', '--add-tag', 'х'.repeat(51)], '--add-tag: Не больше 50 символов'],
    [
      [...EMAIL, 'list.txt', ...Array.from({ length: 51 }, (_, at) => ['--add-tag', `т${at}`]).flat()],
      '--add-tag: Не больше 50 тегов',
    ],
    [['list.txt'], 'npm run import --'],
    [[...EMAIL, 'list.txt', '--duplicates', 'нет'], '--duplicates skip, merge или add'],
    [[...EMAIL, 'list.txt', '--folders', 'нет'], '--folders tags или ignore'],
    [[...EMAIL, 'data/kopilka.sqlite'], 'Формат файла не распознан'],
    [[...EMAIL, 'tagged.html'], 'До этого добавлено: 200, дополнено: 0. Отменить это можно'],
  ]
  for (const [args, stderr] of failing)
    await expect(run('import', ...args)).rejects.toMatchObject({
      code: 1,
      stderr: expect.stringContaining(stderr),
    })
})

test('an import that is interrupted adds nothing', { timeout: 120_000 }, async ({ onTestFinished }) => {
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-import-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const options = { cwd: folder, env: { ...process.env, DATA_DIR: join(folder, 'data') } }
  const script = (name: string): string => join(ROOT, 'scripts', `${name}.ts`)
  const run = promisify(execFile)
  await run(process.execPath, [script('seed'), ...EMAIL, '--items', '1'], options)
  const lines = Array.from({ length: 8_000 }, (_, at) => `https://example.org/${at}`)
  writeFileSync(join(folder, 'list.txt'), lines.join('\n'))

  const child = spawn(process.execPath, [script('import'), ...EMAIL, 'list.txt'], options)
  const errors = text(child.stderr)
  // It says what it has read.
  await once(child.stdout, 'data')
  const db = new DatabaseSync(join(folder, 'data', 'kopilka.sqlite'), { readOnly: true })
  const saved = () => ({ ...db.prepare('select sum(position) as count from imports').get() }).count
  while (saved() === 0) await sleep(5)
  db.close()
  child.kill('SIGINT')
  const [code] = await once(child, 'exit')
  expect([code, await errors]).toEqual([1, expect.stringContaining('Импорт отменён: ничего не добавлено.')])
  const shown = await run(process.execPath, [script('import'), ...EMAIL, 'list.txt', '--dry-run'], options)
  expect(shown.stdout).toContain('Новых: 8000, уже есть: 0')
})
