import { randomBytes } from 'node:crypto'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { writeZip } from '../testing/write-zip.ts'
import { readImport } from './read-import.ts'
import { ImportError, type ImportRow } from './row.ts'
import { zipTree } from './trees.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopilka-hostile-imports-'))
})
afterAll(() => rm(folder, { recursive: true }))

/** The rows that could be read of a file, and the error that ended it. */
async function read(data: string | Uint8Array) {
  const path = join(folder, 'файл')
  await writeFile(path, data)
  const rows: ImportRow[] = []
  try {
    for await (const row of (await readImport(path)).rows) rows.push(row)
    return { rows, error: undefined }
  } catch (error) {
    if (!(error instanceof ImportError)) throw error
    return { rows, error: error.code }
  }
}

const BOOKMARKS = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>'
const MIB = 1024 * 1024

it.each([
  ['a million nested folders', () => BOOKMARKS + '<DT><H3>а</H3><DL><p>'.repeat(1_000_000), 'importTooDeep'],
  [
    'nested JSON',
    () => `{"guid":"root________","root":"placesRoot","children":[${'{"children":['.repeat(1000)}`,
    'importTooDeep',
  ],
  ['a long attribute', () => `${BOOKMARKS}<DT><A HREF="${'x'.repeat(33 * MIB)}`, 'importLongEntry'],
  ['a long tag', () => `${BOOKMARKS}<${'x'.repeat(33 * MIB)}`, 'importLongEntry'],
  ['a long cell', () => `url,title\nhttps://a.b/,${'x'.repeat(9 * MIB)}`, 'importLongEntry'],
  ['a long line', () => `https://a.b/${'x'.repeat(2 * MIB)}`, 'importLongEntry'],
  [
    'a long value',
    () => `[{"href":"https://a.b/","tags":"","time":"","description":"${'x'.repeat(17 * MIB)}"}]`,
    'importLongEntry',
  ],
  [
    'JSON that breaks off',
    () => '[{"href":"https://a.b/","tags":"","time":""},{"href":"htt',
    'importCutFile',
  ],
  ['JSON that is none', () => '[{"href":"https://a.b/","tags":"","time":""} {}]', 'importBrokenJson'],
  ['LZ4 that breaks off', () => Buffer.from('mozLz40\0\xff\0\0\0\xf0\x10abc', 'latin1'), 'importCutFile'],
  [
    'LZ4 that promises 4 GB',
    () => Buffer.from('mozLz40\0\xff\xff\xff\xff\xf0\x10abc', 'latin1'),
    'importLongEntry',
  ],
  [
    'a table of a million columns',
    () => `url,title,${Array.from({ length: 1_000_000 }, (_, at) => `c${at}`).join(',')}\nhttps://a.b/,t`,
    'importUnknownFormat',
  ],
  ['JSON of a million brackets', () => '['.repeat(1_000_000), 'importUnknownFormat'],
  ['no bytes', () => '', 'importEmptyFile'],
  ['random bytes', () => randomBytes(10_000), 'importUnknownFormat'],
  ['a PDF', () => '%PDF-1.7\n', 'importUnknownFormat'],
  [
    'a page that is no bookmark file',
    () => '<!DOCTYPE html><html><body><a href="https://a.b/">a</a></body></html>',
    'importUnknownFormat',
  ],
  ['JSON of something else', () => '{"name":"kopilka","version":"1.0.0"}', 'importUnknownFormat'],
  [
    'a zip that breaks off',
    () => writeZip([{ name: 'a.md', data: 'текст' }]).subarray(0, 60),
    'importBrokenZip',
  ],
  ['a zip without files', () => writeZip([]), 'importEmptyFile'],
  [
    'a zip with a password',
    () => writeZip([{ name: 'a.md', data: 'текст', isEncrypted: true }]),
    'importEncryptedZip',
  ],
  [
    'a zip whose files are longer than it says',
    () => writeZip([{ name: 'a.md', data: 'текст'.repeat(1000), claimedSize: 10 }]),
    'importBrokenZip',
  ],
  [
    'a zip whose files lie upon each other',
    () => {
      const data = randomBytes(1000).toString('hex')
      const more = Array.from({ length: 9 }, (_, at) => ({ name: `${at}.md`, data, isAgain: true }))
      return writeZip([{ name: 'a.md', data }, ...more])
    },
    'importZipBomb',
  ],
  [
    'a zip in a zip in a zip',
    () =>
      writeZip([
        {
          name: 'a.zip',
          data: writeZip([{ name: 'b.zip', data: writeZip([{ name: 'c.md', data: 'текст' }]) }]),
        },
      ]),
    'importUnknownFormat',
  ],
])('refuses %s', async (_, file, error) => {
  expect((await read(file())).error).toBe(error)
  expect(await readdir(folder)).toEqual(['файл'])
})

const enex = (content: string): string =>
  `<en-export><note><title>т</title><content><![CDATA[<en-note>${content}</en-note>]]></content></note></en-export>`
const notionPage = (html: string): Buffer =>
  writeZip([{ name: `Страница ${'0123456789abcdef'.repeat(2)}.html`, data: html }])

/*
 * Each is so long that a search which starts over at each place would take minutes: where one comes back, the test does not end.
 */
it.each([
  ['a page of open tags', () => `<html>${'<a '.repeat(90_000)}`, 'importUnknownFormat'],
  ['a list of open tags', () => `<dl>${'<dt><a '.repeat(40_000)}`, 'importUnknownFormat'],
  ['lines of open brackets', () => `x\n${'[y\n'.repeat(85_000)}`, 'importUnknownFormat'],
  [
    'a description of open marks',
    () => `<DL><DT><A HREF="https://a.b/">т</A><DD>${'[linkding-notes]'.repeat(200_000)}</DL>`,
    [{ url: 'https://a.b/' }],
  ],
  [
    'Markdown of open embeddings',
    () => `# т\n\n\`\`\`\n${'![['.repeat(400_000)}\n\`\`\`\n`,
    [{ title: 'т' }],
  ],
  ['ENML of open declarations', () => enex('<?xml '.repeat(500_000)), [{ title: 'т' }]],
  ['ENML of open tasks', () => enex('<en-todo '.repeat(400_000)), [{ title: 'т' }]],
  ['ENML of open lines of tasks', () => enex('<div><en-todo/>'.repeat(300_000)), [{ title: 'т' }]],
  ['ENML of a line of text', () => enex(`<div><en-todo/>${'т'.repeat(8_000_000)}`), [{ title: 'т' }]],
  ['ENML of open code', () => enex('<div style="-en-codeblock:true">'.repeat(100_000)), [{ title: 'т' }]],
  ['ENML of one style', () => enex(`<span ${'text-decoration:'.repeat(500_000)}>`), [{ title: 'т' }]],
  ['ENML of open links', () => enex('<a href="x'.repeat(400_000)), [{ title: 'т' }]],
  ['ENML of one list item', () => enex(`<li ${'--en-checked:true '.repeat(300_000)}`), [{ title: 'т' }]],
  [
    'a page of Notion with open headings',
    () => notionPage('<h1 class="page-title">'.repeat(200_000)),
    [{ title: 'Страница' }],
  ],
  [
    'a page of Notion with open tags in its title',
    () => notionPage(`<h1 class="page-title">т${'<'.repeat(2_000_000)}</h1>`),
    [{ title: expect.stringMatching(/^т/) }],
  ],
  [
    'a page of Notion with names without values',
    () => notionPage(`<table class="properties">${'<th></th>'.repeat(300_000)}<td></td></table>`),
    [{ title: 'Страница' }],
  ],
  [
    'a folder of spaces',
    () => `url,excerpt,folder\nhttps://a.b/,т,а${' '.repeat(1_000_000)}б`,
    [{ folders: [['а']], remarks: ['importNamesCut:1'] }],
  ],
  [
    'a folder of spaces and tabs',
    () => `url,excerpt,folder\nhttps://a.b/,т,а${' \t'.repeat(500_000)}б`,
    [{ folders: [['а б']] }],
  ],
  [
    'a list of tags without an end',
    () => `URL,Title,Selection,Folder,Timestamp,Tags\nhttps://a.b/,т,,Unread,1,['${"\\'".repeat(500_000)}]`,
    [{ title: 'т' }],
  ],
  ['an address of closing brackets', () => `https://a.b/${')'.repeat(400_000)}`, [{ url: 'https://a.b/' }]],
  [
    'an address of dots',
    () => `https://a.b/\nhttps://a.c/\nwww.${'.'.repeat(400_000)} x`,
    [{ url: 'https://a.b/' }, { url: 'https://a.c/' }, { state: 'ignored' }],
  ],
  ['tags of marks', () => `---\ntags: "${'#a'.repeat(25_000)} !"\n---\nтекст`, [{ kind: 'note' }]],
  [
    'a message of line breaks',
    () => JSON.stringify({ messages: [{ type: 'message', text: `а${'\n'.repeat(400_000)}б` }] }),
    [{ title: 'а' }],
  ],
  [
    'an address in thousands of tags of old Firefox',
    () => {
      const bookmark = '{"type":"text/x-moz-place","uri":"https://a.b/"}'
      const tags = `{"title":"Tags","root":"tagsFolder","type":"text/x-moz-place-container","children":[${Array.from(
        { length: 30_000 },
        (_, at) =>
          `{"title":"т${at}","type":"text/x-moz-place-container","children":[{"type":"text/x-moz-place","uri":"https://a.b/"}]}`,
      ).join(',')}]}`
      return `{"root":"placesRoot","typeCode":2,"children":[{"title":"Меню","root":"bookmarksMenuFolder","type":"text/x-moz-place-container","children":[${bookmark}]},${tags}]}`
    },
    [{ url: 'https://a.b/' }],
  ],
  ['a key of escapes', () => `{"${'\\"'.repeat(120_000)}`, 'importUnknownFormat'],
  ['a title of dashes', () => `https://a.b/ x${'-'.repeat(400_000)}y`, [{ url: 'https://a.b/' }]],
])('reads %s in one pass', async (_, file, outcome) => {
  const { rows, error } = await read(file())
  if (typeof outcome === 'string') expect(error).toBe(outcome)
  else expect(rows).toMatchObject(outcome)
})

it('stops unpacking an archive where it becomes too much', async () => {
  const path = join(folder, 'бомба')
  await writeFile(
    path,
    writeZip([
      { name: 'a', data: '0'.repeat(MIB) },
      { name: 'b', data: '0'.repeat(MIB) },
    ]),
  )
  let bytes = 0
  const unpack = async () => {
    for await (const file of zipTree(path, 1.5 * MIB).files())
      for await (const chunk of file.bytes()) bytes += chunk.length
  }
  await expect(unpack()).rejects.toThrow('importZipBomb')
  expect(bytes).toBeLessThanOrEqual(1.5 * MIB)
  await rm(path)
})

it('reads what comes before the place where bookmarks break off', async () => {
  const { rows } = await read(
    `${BOOKMARKS}<DT><A HREF="https://a.b/1">1</A><DT><A HREF="https://a.b/2">2</A><DT><A HREF="https://a.b/3" ADD`,
  )
  expect(rows).toMatchObject([{ title: '1' }, { title: '2' }, { state: 'broken', reason: 'importCutFile' }])
})

it('takes entities of XML for what they say, and opens no file for them', async () => {
  const entities = Array.from({ length: 12 }, (_, at) => `<!ENTITY l${at + 1} "${`&l${at};`.repeat(10)}">`)
  const { rows } =
    await read(`<?xml version="1.0"?><!DOCTYPE en-export [<!ENTITY l0 "lol">${entities.join('')}
<!ENTITY file SYSTEM "file:///etc/passwd">]><en-export><note><title>&l12; &file;</title>
<content><![CDATA[<en-note>&l12;</en-note>]]></content></note></en-export>`)
  expect(rows).toMatchObject([{ title: '&l12; &file;', body: '&l12;' }])
})

it('takes folders that lie within themselves', async () => {
  const { rows } = await read(
    JSON.stringify({
      lists: [
        { id: '1', name: 'А', parentId: '2', icon: '' },
        { id: '2', name: 'Б', parentId: '1', icon: '' },
      ],
      bookmarks: [{ title: 'Т', tags: [], lists: ['1'], content: { type: 'link', url: 'https://a.b/' } }],
    }),
  )
  expect(rows).toMatchObject([{ folders: [['Б', 'А']] }])
})

it('reads values of the wrong kind as nothing', async () => {
  const odd = [
    null,
    1,
    'text',
    [],
    {},
    [[]],
    { href: 5, tags: { a: 1 }, time: [], extended: null },
    { href: 'https://a.b/', tags: [1, null, { name: 'x' }], time: {} },
  ]
  const { rows, error } = await read(JSON.stringify([{ href: 'https://a.b/', tags: '', time: '' }, ...odd]))
  expect(error).toBeUndefined()
  expect(rows.filter(({ state }) => state === 'item')).toMatchObject([{ tags: [] }, { tags: ['1', 'x'] }])
  expect(rows).toHaveLength(odd.length + 1)
})
