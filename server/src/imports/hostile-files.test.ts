import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { imports } from '@kopilka/contract/imports.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { describe, expect } from 'vitest'
import { test as base } from '../testing/fixtures.ts'
import { readFile, runImport, sendFile, until } from '../testing/send-file.ts'
import { writeZip } from '../testing/write-zip.ts'

const MIB = 1024 * 1024

/** What is sent, and the sentence that tells what is wrong; empty where an entry is broken instead. */
type Case = readonly [string, () => string | Buffer, string]
const test = base.extend('options', { scope: 'file' }, () => ({ settings: { IMPORT_LIMIT: '40MB' } }))

/** The files of imports that are on the disk, besides the id of the folder. */
const leftOver = async (dataDir: string) =>
  (await readdir(join(dataDir, 'imports'))).filter((name) => name !== 'folder-id')

const CASES: readonly Case[] = [
  ['a picture', () => Buffer.from('\x89PNG\r\n\x1A\n0000', 'latin1'), 'Формат файла не распознан'],
  [
    'a million nested folders',
    () => `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${'<DT><H3>а</H3><DL><p>'.repeat(1e6)}`,
    'слишком глубоко',
  ],
  ['a line of 30 MB', () => `https://example.org/\nhttps://a.b/${'x'.repeat(30 * MIB)}`, 'слишком длинная'],
  ['JSON that breaks off', () => '[{"href":"https://a.b/","tags":"","time":""},{"href":"htt', 'обрывается'],
  [
    'a zip that lies about its size',
    () => writeZip([{ name: 'a.md', data: 'x'.repeat(9 * MIB), claimedSize: 10 }]),
    '',
  ],
  ['a cut zip', () => writeZip([{ name: 'a.md', data: '# a' }]).subarray(0, 40), 'Архив повреждён'],
  ['an encrypted zip', () => writeZip([{ name: 'a.md', data: '# a', isEncrypted: true }]), ''],
]

describe.each(CASES)('%s', (_, data, sentence) => {
  test('is refused with a sentence, writes nothing and leaves no file', async ({ app, account }) => {
    const content = data()
    const read = await readFile(app, account, typeof content === 'string' ? content : new Uint8Array(content))
    if (sentence !== '')
      expect([read.state, read.error]).toEqual(['failed', expect.stringContaining(sentence)])
    else expect(read.summary.broken + Number(read.state === 'failed')).toBeGreaterThan(0)
    expect((await app.call(notes.list, { query: {} }, account.auth)).count).toBe(0)
    await expect.poll(() => leftOver(app.database.settings.DATA_DIR)).toEqual([])
  })
})

test('a path in a zip leads nowhere', async ({ app, account }) => {
  const zip = writeZip([{ name: '../../../etc/cron.d/x.md', data: '# Заголовок\n\nтекст' }])
  const { id } = await readFile(app, account, new Uint8Array(zip))
  expect((await runImport(app, account, id)).result?.added).toBe(1)
  const { results } = await app.call(notes.list, { query: {} }, account.auth)
  expect(results.map(({ title }) => title)).toEqual(['Заголовок'])
})

test('HTML is cleaned, and addresses of programs and data are broken rows', async ({ app, account }) => {
  const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
<DT><A HREF="data:text/html,x">Данные</A>
<DT><A HREF="https://example.org/">Текст</A><DD>до <img src=x onerror=alert(1)> <script>alert(2)</script> после</DL>`
  const { id, summary } = await readFile(app, account, file)
  expect(summary).toMatchObject({ new: 1, broken: 1 })
  const note = await readFile(app, account, '# Заметка\n\n<p onclick="x">текст</p><script>alert(3)</script>')
  for (const one of [id, note.id]) await runImport(app, account, one)
  const rows = await app.db.selectFrom('items').select('body').where('owner_id', '=', account.id).execute()
  expect(rows).toHaveLength(2)
  for (const { body } of rows) expect(body).not.toMatch(/<script|<[^>]*on(?:click|error)/)
})

test('entries that cannot be imported store no more text than items', async ({ app, account }) => {
  const entry = `<DT><A HREF="javascript:${'x'.repeat(1e5)}">${'й'.repeat(5e5)}</A>`
  const file = `<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>${entry.repeat(15)}</DL>`
  const { id, summary } = await readFile(app, account, file)
  expect(summary.broken).toBe(15)
  const { results } = await app.call(imports.rows, { params: { id }, query: {} }, account.auth)
  expect(results.map(({ title, url }) => [title.length, url?.length])).toEqual(Array(15).fill([255, 2048]))
})

test('a file over the limit is refused, whether its length is announced or not', async ({ app, account }) => {
  const announced = await sendFile(app, account, new Uint8Array(41_000_000))
  const chunk = new Uint8Array(1_000_000)
  let chunks = 0
  const unannounced = await sendFile(
    app,
    account,
    new ReadableStream({
      pull(controller) {
        chunks += 1
        if (chunks > 60) controller.close()
        else controller.enqueue(chunk)
      },
    }),
  ).catch(() => undefined)
  for (const reply of [announced, ...(unannounced ? [unannounced] : [])]) {
    expect([reply.status, reply.body.detail]).toEqual([413, expect.stringContaining('больше, чем принимает')])
    expect(reply.body.file).toEqual(['Не больше 40 МБ'])
  }
  expect((await app.call(imports.list, {}, account.auth)).count).toBe(0)
  await expect.poll(() => leftOver(app.database.settings.DATA_DIR)).toEqual([])
})

test('what is no file is refused', async ({ app, account }) => {
  const empty = await sendFile(app, account, '')
  expect([empty.status, empty.body.detail]).toEqual([400, 'Файл пуст: импортировать нечего.'])
  for (const type of ['application/json', 'text/html', 'multipart/form-data; boundary=x']) {
    const reply = await sendFile(app, account, '{}', { headers: { 'content-type': type } })
    expect([reply.status, reply.body.detail]).toEqual([415, expect.stringContaining('octet-stream')])
  }
  const json = await app.send('POST', '/api/v1/notes/', 'x', {
    ...account.auth,
    headers: { 'content-type': 'application/octet-stream' },
  })
  expect(json.status).toBe(415)
})

test('a name is shown without its path, whatever it holds', async ({ app, account }) => {
  const { body } = await sendFile(app, account, 'https://example.org/', {
    name: '../../etc/Закладки 😀.html',
  })
  expect(body.name).toBe('Закладки 😀.html')
  await until(app, account, body.id)
})
