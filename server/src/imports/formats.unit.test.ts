import { mkdir, mkdtemp, readFile as readTextFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { pack } from 'tar-stream'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { markdownFile } from '../exports/formats/markdown.ts'
import { cleanHtml } from '../items/html.ts'
import { writeZip } from '../testing/write-zip.ts'
import { memoryFile, textOf } from './file.ts'
import { readImport } from './read-import.ts'
import type { ImportedItem, ImportRow } from './row.ts'
import { folderTree } from './trees.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopilka-imports-'))
})
afterAll(() => rm(folder, { recursive: true }))

let count = 0
/** Reads a file of these bytes; its name says nothing. */
async function read(data: string | Uint8Array, name = 'файл') {
  count += 1
  const path = join(folder, `${count}`)
  await writeFile(path, data)
  return readAt(path, name)
}

async function readAt(path: string, name?: string) {
  const { format, rows } = await readImport(path, name)
  const all: ImportRow[] = []
  for await (const row of rows) all.push(row)
  return { format, rows: all }
}

/** Reads a zip of these files by their names. */
async function readZip(files: Readonly<Record<string, string>>) {
  const entries = Object.entries(files).map(([name, data]) => ({ name, data }))
  return (await read(writeZip(entries))).rows
}

const json = (value: unknown): string => JSON.stringify(value)
const at = (text: string): number => Date.parse(text)

it.each([
  ['Caf\uFFFD page', 'naïve'],
  ['\uFFFD\uFFFD', '€'],
  ['<meta charset=koi8-r>', 'naïve'],
  ['<?xml version="1.0" encoding="windows-1251"?>', 'идея'],
])('reads JSON as UTF-8 whatever it says of encodings: %s, %s', async (first, second) => {
  const { rows } = await read(
    json({
      bookmarks: [first, second].map((title, at) => ({
        title,
        createdAt: 1,
        content: { type: 'link', url: `https://a.b/${at}` },
      })),
    }),
  )
  expect(rows).toMatchObject([{ title: first }, { title: second }])
})

it.each(['# A\n\nctl\uFFFD', '# A\n\nПривет \uFFFD', '# <meta charset=koi8-r>\n\nnaïve'])(
  'reads Markdown as UTF-8 whatever it says of encodings: %s',
  async (text) => {
    const [row] = await readZip({ 'a.md': text })
    expect(row).toMatchObject({ body: `<p>${text.split('\n').at(-1)}</p>` })
  },
)

it('reads files of a folder whose names are in another encoding, and names links and what does not open', async () => {
  const root = join(folder, 'names')
  await mkdir(root)
  const named = (hex: string) => Buffer.concat([Buffer.from(`${root}/`), Buffer.from(hex, 'hex')])
  // 'Имя.md' in windows-1251
  await writeFile(named('c8ecff2e6d64'), 'текст')
  await writeFile(join(root, 'цель.md'), 'другой')
  await symlink('цель.md', join(root, 'ссылка.md'))
  await mkdir(join(root, '\uFFFD ещё'))
  await writeFile(join(root, '\uFFFD ещё', 'в ней.md'), 'третий')
  const { rows } = await readAt(root)
  const keyOf = (row: ImportRow) => ('title' in row ? (row.title ?? '') : '')
  expect(rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))).toMatchObject([
    { title: 'Имя', body: '<p>текст</p>', place: { file: 'Имя.md' } },
    { title: 'в ней', body: '<p>третий</p>', place: { file: '\uFFFD ещё/в ней.md' } },
    { title: 'ссылка.md', state: 'broken', reason: 'importLinkToFile' },
    { title: 'цель', body: '<p>другой</p>' },
  ])
  for await (const { name, bytes } of folderTree(root).files()) {
    if (name !== 'цель.md') continue
    await rm(join(root, name))
    await expect(buffer(bytes())).rejects.toThrow('importUnreadableFile')
    return
  }
  expect.unreachable()
})

it('keeps the addresses of links within the description of a Netscape bookmark', async () => {
  const { rows } = await read(`<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><p>
<DT><A HREF="https://a.b/1">Первая</A>
<DD>см. <a href="https://a.b/?x=1&amp;y=2">тут</a> и <a href="https://a.b/3">https://a.b/3</a>, <a name="x">всё</a>, <a href="javascript:x">код</a>
<DT><A HREF="https://a.b/2">Вторая</A></DL>`)
  expect(rows).toMatchObject([
    { title: 'Первая', body: '<p>см. тут (https://a.b/?x=1&amp;y=2) и https://a.b/3, всё, код</p>' },
    { title: 'Вторая', body: '' },
  ])
})

it('keeps folders, tags, dates, descriptions and states of Netscape bookmarks', async () => {
  const { format, rows } = await read(`<!DOCTYPE NETSCAPE-Bookmark-file-1>
<H1>Закладки</H1><DL><p>
<DT><H3 ADD_DATE="1">Работа &amp; дом</H3><DD>О папке
<DL><p><DT><H3>Ещё</H3><DL><p>
<DT><A HREF="https://example.org/?a=1&amp;b=%D1%8F" ADD_DATE="1600000000" LAST_MODIFIED="1600000001000" TAGS="один, два" TOREAD="1" PRIVATE="1" ICON="data:image/png;base64,AA">Стра&shy;ница</A>
<DD>Строка 1
  строка 2 &lt;b&gt;
</DL></DL>
<DT><A HREF="https://example.org/2">Вторая</A><HR>
<DT><A HREF="javascript:alert(1)">Код</A><DT><A HREF="place:sort=8">Недавние</A><DT><A HREF="file:///C:/a">Файл</A>
<DT><A HREF="?aB-cd" TAGS="заметка">Заметка Shaarli</A><DD>Текст
</DL>`)
  expect(format).toBe('netscape')
  expect(rows).toMatchObject([
    {
      kind: 'link',
      title: 'Стра\u00ADница',
      url: 'https://example.org/?a=1&b=%D1%8F',
      body: '<p>Строка 1<br />\u00A0\u00A0строка 2 &lt;b&gt;</p>',
      tags: ['один', 'два'],
      folders: [['Работа & дом', 'Ещё']],
      createdAt: 1_600_000_000_000,
      updatedAt: 1_600_000_001_000,
      states: ['unread', 'private'],
    },
    { title: 'Вторая', folders: [], body: '', createdAt: undefined },
    { state: 'broken', reason: 'importCodeAddress', url: 'javascript:alert(1)', title: 'Код' },
    { state: 'ignored', reason: 'importBrowserAddress' },
    { state: 'broken', reason: 'importFileAddress' },
    { kind: 'note', title: 'Заметка Shaarli', url: null, body: '<p>Текст</p>', tags: ['заметка'] },
  ])
})

it.each([
  ['<A ADD_DATE="1" HREF="https://a.b/" PRIVATE="0" TAGS="a b">t</A>', ['a', 'b']],
  [
    `<A ADD_DATE="1" HREF="https://a.b/" PRIVATE="0" TAGS="a b">t</A><!--${' TAGS="c d"'.repeat(60)}-->`,
    ['a b'],
  ],
  ['<A ADD_DATE="1" HREF="https://a.b/" TAGS="a b">t</A>', ['a b']],
  ['<A ADD_DATE="1" HREF="https://a.b/" PRIVATE="0" TAGS="a b,c">t</A>', ['a b', 'c']],
  ['<A ADD_DATE="1" HREF="https://a.b/" TAGS="a b,c">t</A>', ['a b', 'c']],
  [
    '<A ADD_DATE="1" HREF="https://a.b/" TAGS="x,linkding:bookmarks.archived">t</A><DD>d[linkding-notes]n[/linkding-notes]',
    ['x'],
  ],
])('splits tags of bookmarks at commas, at spaces as old Shaarli wrote them: %s', async (html, tags) => {
  expect((await read(html)).rows).toMatchObject([{ tags }])
})

it.each([
  ['1600000000', '2020-09-13T12:26:40.000Z'],
  ['1600000000000', '2020-09-13T12:26:40.000Z'],
  ['1600000000000000', '2020-09-13T12:26:40.000Z'],
  ['13244473600000000', '2020-09-13T12:26:40.000Z'],
  ['23562931', '1970-09-30T17:15:31.000Z'],
  ['10/Oct/2000:13:55:36 +0300', '2000-10-10T10:55:36.000Z'],
])('reads the date %s of a bookmark', async (date, time) => {
  const { rows } = await read(`<DL><DT><A HREF="https://a.b/" ADD_DATE="${date}">t</A></DL>`)
  expect(rows).toMatchObject([{ createdAt: at(time) }])
})

it.each(['0', '-5', 'вчера', '99999999999999999999'])(
  'has no date where a bookmark says %s',
  async (date) => {
    const { rows } = await read(`<DL><DT><A HREF="https://a.b/" ADD_DATE="${date}">t</A></DL>`)
    expect(rows).toMatchObject([{ state: 'item', createdAt: undefined }])
  },
)

it('reads Pocket HTML', async () => {
  const { format, rows } = await read(`<html><title>Pocket Export</title><h1>Unread</h1><ul>
<li><a href="https://a.b/1" time_added="1600000000" tags="x,y">Один</a></li></ul><h1>Read Archive</h1>
<ul><li><a href="https://a.b/2" time_added="1600000001" tags=""></a></li></ul></html>`)
  expect(format).toBe('pocket-html')
  expect(rows).toMatchObject([
    { title: 'Один', tags: ['x', 'y'], createdAt: 1_600_000_000_000, states: ['unread'] },
    { title: 'https://a.b/2', states: ['archived'] },
  ])
})

const TABLES: [string, string, object[]][] = [
  [
    'pocket-csv',
    'title,url,time_added,cursor,tags,status\n"Два\n\nслова",https://a.b/,1600000000,,x|y z,archive',
    [
      {
        title: 'Два слова',
        url: 'https://a.b/',
        tags: ['x', 'y z'],
        states: ['archived'],
        createdAt: 1_600_000_000_000,
      },
    ],
  ],
  [
    'raindrop-csv',
    '\uFEFF"id"," Title ",note,excerpt,url,folder,tags,created,cover,highlights,favorite\r\n1,Т,Моё,"Их, текст",https://a.b/,А / Б,"x, y",2024-01-15T10:00:00.000Z,,,true\r\n',
    [
      {
        title: 'Т',
        body: '<p>Их, текст</p><p>Моё</p>',
        folders: [['А', 'Б']],
        tags: ['x', 'y'],
        states: ['starred'],
      },
    ],
  ],
  [
    'instapaper-csv',
    'URL,Title,Selection,Folder,Timestamp,Tags\nhttps://a.b/,Т,Отрывок,Archive,1600000000,"[""x"",""y""]"\nhttps://a.c/,У,,Моя,0,[]',
    [
      {
        body: '<p>Отрывок</p>',
        states: ['archived'],
        tags: ['x', 'y'],
        createdAt: 1_600_000_000_000,
        folders: [],
      },
      { folders: [['Моя']], states: [], createdAt: undefined },
    ],
  ],
  [
    'readwise-csv',
    `Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\nТ,https://a.b/,1,"['x','it\\'s']",2026-03-14 23:55:23.291000+00:00,0,archive,True`,
    [{ tags: ['x', "it's"], createdAt: at('2026-03-14T23:55:23.291Z'), states: ['archived'] }],
  ],
  [
    'csv',
    'Название;Ссылка;Теги;Описание;Дата\nТ;example.org/a;x|y;О чём;31.12.2021 10:00\nБез ссылки;;;Текст;\n;;;;',
    [
      { kind: 'link', url: 'https://example.org/a', tags: ['x', 'y'], createdAt: at('2021-12-31T10:00:00Z') },
      { kind: 'note', title: 'Без ссылки', body: '<p>Текст</p>' },
      { state: 'broken', reason: 'importNoAddress' },
    ],
  ],
  [
    'csv',
    'sep=;\r\n\r\nurl;title;date\r\nhttps://a.b/;Т;2021/1/31 9:05\r\nhttps://a.c/;У;1/2/2021 3:04:05 PM\r\n',
    [
      { place: { line: 4 }, title: 'Т', createdAt: at('2021-01-31T09:05:00Z') },
      { place: { line: 5 }, title: 'У', createdAt: at('2021-01-02T15:04:05Z') },
    ],
  ],
]
it.each(TABLES)('reads %s by the names of its columns', async (format, text, rows) => {
  expect(await read(text)).toMatchObject({ format, rows })
})

it.each([
  [
    'wallabag',
    'Title;URL;Content;Tags;"MIME Type";Language;"Creation date"\nТ;https://a.b/;"<p>О <b>чём</b></p>";"x, y";text/html;ru;2017-01-02 03:04:05\n',
    {
      body: '<p>О <b>чём</b></p>',
      tags: ['x', 'y'],
      createdAt: at('2017-01-02T03:04:05Z'),
      remarks: ['importOtherFields:2'],
    },
  ],
  [
    'Diigo',
    'title,url,tags,description,comments,annotations,created_at\nТ,https://a.b/,"x,y",о чём,мнение,Highlight: цитата,2017-01-02 03:04:05\n',
    { body: '<p>о чём</p><p>мнение</p><p>Highlight: цитата</p>', remarks: [] },
  ],
  [
    'Zotero',
    'Title,Url,"Abstract Note",Date,"Date Added","Date Modified","Manual Tags",Notes\nТ,https://a.b/,кратко,2019-05,2020-01-02 03:04:05,2020-01-03 03:04:05,"x; y",моё\n',
    {
      body: '<p>моё</p><p>кратко</p>',
      tags: ['x', 'y'],
      createdAt: at('2020-01-02T03:04:05Z'),
      updatedAt: at('2020-01-03T03:04:05Z'),
      remarks: ['importOtherFields:1'],
    },
  ],
  [
    'lists and states',
    'url,title,lists,bookmarked at,is_favorite,status\nhttps://a.b/,Т,"А / Б, В",2023-01-02,1,archived\n',
    {
      folders: [['А', 'Б'], ['В']],
      createdAt: at('2023-01-02T00:00:00Z'),
      states: ['starred', 'archived'],
      remarks: [],
    },
  ],
])('reads a table of %s', async (_, text, row) => {
  expect(await read(text)).toMatchObject({ format: 'csv', rows: [row] })
})

it('reads no passwords, also beside bookmarks', async () => {
  const passwords = 'Title,URL,Username,Password,Notes\nТ,https://a.b/,я,тайна,х\n'
  await expect(read(passwords)).rejects.toThrow('importUnknownFormat')
  const safari = writeZip([
    { name: 'Passwords.csv', data: passwords },
    { name: 'Bookmarks.html', data: '<DL><DT><A HREF="https://a.c/" ADD_DATE="1">Закладка</A></DL>' },
  ])
  expect(await read(safari)).toMatchObject({
    format: 'netscape',
    rows: [{ state: 'ignored', title: 'Passwords.csv' }, { url: 'https://a.c/' }],
  })
})

it('reads a whole account of Telegram behind a long list of contacts', async () => {
  const contacts = Array.from({ length: 4000 }, (_, number) => ({
    first_name: `Имя ${number}`,
    phone_number: `+7900${number}`,
    date: '2023-01-02T03:04:05',
  }))
  const chat = { name: 'Я', type: 'saved_messages', messages: [{ type: 'message', text: 'моё' }] }
  const account = {
    about: 'Here is the data you requested.',
    personal_information: { user_id: 1 },
    contacts: { about: '', list: contacts },
    chats: { about: '', list: [chat] },
  }
  expect(await read(json(account))).toMatchObject({ format: 'telegram-json', rows: [{ title: 'моё' }] })
})

it('keeps code and quotations of Telegram apart from paragraphs', async () => {
  const text = [
    'Смотри\n',
    { type: 'pre', text: 'a\n  b', language: 'js' },
    'и\n',
    { type: 'blockquote', text: 'раз\nдва' },
  ]
  const message = { type: 'message', text, saved_from: 'Канал' }
  const { rows } = await read(json({ name: 'Я', type: 'saved_messages', messages: [message] }))
  expect(rows).toMatchObject([
    {
      body: '<p>Смотри</p><pre><code class="language-js">a\n  b</code></pre><p>и</p><blockquote><p>раз<br />два</p></blockquote><p>— Канал</p>',
    },
  ])
})

it('makes tags of the folders in which old Firefox kept them', async () => {
  const [folderType, type] = ['text/x-moz-place-container', 'text/x-moz-place']
  const tagged = (title: string) => ({ title, type: folderType, children: [{ type, uri: 'https://a.b/' }] })
  const backup = {
    root: 'placesRoot',
    typeCode: 2,
    children: [
      {
        title: 'Меню',
        root: 'bookmarksMenuFolder',
        type: folderType,
        children: [{ title: 'Т', type, uri: 'https://a.b/' }],
      },
      { title: 'Tags', root: 'tagsFolder', type: folderType, children: [tagged('x'), tagged('y, z')] },
    ],
  }
  expect((await read(json(backup))).rows).toMatchObject([
    { title: 'Т', tags: ['x', 'y, z'], folders: [['Меню']] },
  ])
})

it('takes a state of a name that every object has for none', async () => {
  const file = 'url,title,status\nhttps://a.b/,т,constructor\nhttps://a.c/,у,__proto__\n'
  expect((await read(file)).rows).toMatchObject([
    { url: 'https://a.b/', states: [] },
    { url: 'https://a.c/', states: [] },
  ])
})

it('names a list of Google Keep by the words of its first task', async () => {
  const listContent = [{ text: 'хлеб', isChecked: true }]
  const note = {
    isTrashed: false,
    color: 'DEFAULT',
    listContent,
    userEditedTimestampUsec: 1_600_000_001_000_000,
  }
  expect((await read(json(note))).rows).toMatchObject([{ title: 'хлеб' }])
})

it('keeps what Raindrop marks as important', async () => {
  const { rows } = await read(
    '<DL><DT><A HREF="https://a.b/" ADD_DATE="1" DATA-IMPORTANT="true">т</A><DT><A HREF="https://a.c/" DATA-IMPORTANT="false">у</A></DL>',
  )
  expect(rows).toMatchObject([{ states: ['starred'] }, { states: [] }])
})

it('leaves what Joplin and Standard Notes have deleted', async () => {
  const joplin = writeZip([
    {
      name: `${'a'.repeat(32)}.md`,
      data: `Т\n\nтекст\n\nid: ${'a'.repeat(32)}\ndeleted_time: 1700000000000\ntype_: 1`,
    },
    { name: `${'b'.repeat(32)}.md`, data: `У\n\nтекст\n\nid: ${'b'.repeat(32)}\ndeleted_time: 0\ntype_: 1` },
  ])
  expect((await read(joplin)).rows).toMatchObject([
    { state: 'ignored', reason: 'importInTrash', title: 'Т' },
    { title: 'У' },
  ])
  const items = [{ content_type: 'Note', uuid: '1', deleted: true, created_at: '2023-01-02T03:04:05.000Z' }]
  expect((await read(json({ version: '004', items }))).rows).toMatchObject([
    { state: 'ignored', reason: 'importInTrash' },
  ])
})

it('takes no punctuation around an address for a part of it', async () => {
  const { format, rows } = await read(
    'https://a.b/1, Один\nhttps://a.b/2;\n<https://a.b/3> Три\n(https://a.b/4_(x)).\nwww.example.org\nhttps://a.b/a,b\n',
  )
  expect(format).toBe('addresses')
  expect(rows).toMatchObject([
    { url: 'https://a.b/1', title: 'Один' },
    { url: 'https://a.b/2', title: 'https://a.b/2' },
    { url: 'https://a.b/3', title: 'Три' },
    { url: 'https://a.b/4_(x)', title: 'https://a.b/4_(x)' },
    { url: 'https://www.example.org' },
    { url: 'https://a.b/a,b' },
  ])
  const whole = ['https://en.wikipedia.org/wiki/Apple_Inc.', 'https://en.wikipedia.org/wiki/Yahoo!']
  expect((await read(whole.join('\n'))).rows).toMatchObject(whole.map((url) => ({ url })))
  expect((await read('www.example.org\nwww.example.com/page\n')).rows).toMatchObject([
    { url: 'https://www.example.org' },
    { url: 'https://www.example.com/page' },
  ])
})

it('keeps what readers marked in articles of Omnivore and Pocket', async () => {
  const omnivore = writeZip([
    {
      name: 'metadata_0_to_2.json',
      data: json(
        ['a', 'b'].map((slug) => ({
          slug,
          title: slug,
          url: `https://a.b/${slug}`,
          description: 'о чём',
          labels: [],
          savedAt: '2024-10-29T16:30:11.000Z',
        })),
      ),
    },
    { name: 'content/a.html', data: '<p>статья</p>' },
    { name: 'content/b.pdf', data: '%PDF' },
    { name: 'content/.DS_Store', data: 'x' },
    { name: '__MACOSX/highlights/._a.md', data: 'x' },
    { name: 'highlights/a.md', data: '> цитата\n\nзаметка' },
    { name: 'highlights/чужая.md', data: '> цитата' },
  ])
  expect(await read(omnivore)).toMatchObject({
    format: 'omnivore',
    rows: [
      {
        title: 'a',
        body: '<p>о чём</p><blockquote>\n<p>цитата</p>\n</blockquote>\n<p>заметка</p>',
        remarks: ['importAttachments:1'],
      },
      { title: 'b', body: '<p>о чём</p>', remarks: ['importAttachments:1'] },
      { state: 'ignored', reason: 'importUnknownFile', title: 'highlights/чужая.md' },
    ],
  })
  const pocket = writeZip([
    {
      name: 'part_000000.csv',
      data: 'title,url,time_added,tags,status\nТ,https://a.b/,1600000000,,unread\nУ,https://a.c/,1600000000,,unread',
    },
    {
      name: 'annotations/part_000000.json',
      data: json([{ url: 'https://a.b/', title: 'Т', highlights: [{ quote: 'раз' }, { quote: 'два' }] }]),
    },
    {
      name: 'annotations/part_000001.json',
      data: json([
        { url: 'https://a.b/', highlights: [{ quote: 'три' }] },
        { url: 'https://a.d/', title: 'Ф', highlights: [{ quote: 'ц' }] },
      ]),
    },
    { name: 'collections/мои.json', data: '{}' },
  ])
  expect(await read(pocket)).toMatchObject({
    format: 'pocket-csv',
    rows: [
      {
        title: 'Т',
        body: ['раз', 'два', 'три'].map((quote) => `<blockquote><p>${quote}</p></blockquote>`).join(''),
      },
      { title: 'У', body: '' },
      { state: 'ignored', reason: 'importUnknownFile', title: 'collections/мои.json' },
      // No list has its address.
      {
        ...{ kind: 'link', url: 'https://a.d/', title: 'Ф', body: '<blockquote><p>ц</p></blockquote>' },
        place: { file: 'annotations/part_000001.json' },
      },
    ],
  })
})

const LISTS: [string, unknown, object[]][] = [
  [
    'karakeep-json',
    {
      bookmarks: [
        {
          createdAt: 123,
          title: 'Т',
          tags: ['x'],
          lists: ['2'],
          content: { type: 'link', url: 'https://a.b/' },
          note: 'н',
          archived: true,
        },
        { createdAt: 124, title: null, tags: [], content: { type: 'text', text: '**жирно**' }, note: null },
        { createdAt: 125, title: 'pdf', tags: [], content: null, note: null },
      ],
      lists: [
        { id: '2', name: 'Б', parentId: '1' },
        { id: '1', name: 'А', parentId: null },
      ],
    },
    [
      {
        url: 'https://a.b/',
        body: '<p>н</p>',
        folders: [['А', 'Б']],
        states: ['archived'],
        createdAt: 123_000,
      },
      { kind: 'note', title: 'жирно', body: '<p><strong>жирно</strong></p>' },
      { state: 'ignored', reason: 'importFileOfOther' },
    ],
  ],
  [
    'linkwarden-json',
    {
      name: 'я',
      collections: [
        {
          id: 2,
          name: 'Б',
          parentId: 1,
          links: [
            {
              name: 'Т',
              url: 'https://a.b/',
              description: 'д',
              tags: [{ name: 'x' }],
              createdAt: '2025-01-01T00:00:00.000Z',
            },
          ],
        },
        { id: 1, name: 'А', parentId: 2, links: [] },
      ],
      pinnedLinks: [{ url: 'https://a.b/' }],
    },
    [
      {
        title: 'Т',
        body: '<p>д</p>',
        tags: ['x'],
        folders: [['А', 'Б']],
        pinned: true,
        createdAt: at('2025-01-01'),
      },
    ],
  ],
  [
    'wallabag-json',
    [
      {
        is_archived: 0,
        is_starred: true,
        tags: ['x', { label: 'y' }],
        id: 1,
        title: 'Т',
        url: 'https://a.b/',
        content: '<p>с</p>',
        created_at: '2016-09-08T11:55:58+0200',
        annotations: [{ quote: 'ц', text: 'м' }],
      },
    ],
    [
      {
        tags: ['x', 'y'],
        states: ['starred'],
        createdAt: at('2016-09-08T09:55:58Z'),
        body: '<blockquote><p>ц</p></blockquote><p>м</p><p>с</p>',
      },
    ],
  ],
  [
    'wallabag-json',
    [{ 0: '1', url: 'https://a.b/', is_read: '1', is_fav: '0', content: 'с', tags: 'x,y' }],
    [{ states: ['archived'], tags: ['x', 'y'] }],
  ],
  [
    'pinboard-json',
    [
      {
        href: 'https://a.b/',
        description: 'Т',
        extended: 'д',
        time: '2016-10-31T15:57:56Z',
        shared: 'no',
        toread: 'yes',
        tags: 'x y',
      },
    ],
    [{ title: 'Т', body: '<p>д</p>', tags: ['x', 'y'], states: ['unread', 'private'] }],
  ],
  [
    'delicious-json',
    [
      {
        title: 'Т',
        tags: [''],
        url: 'https://a.b/',
        description: '',
        created: '1358531607',
        owner: 'я',
        private: '0',
      },
    ],
    [{ tags: [], createdAt: 1_358_531_607_000, states: [] }],
  ],
  [
    'omnivore',
    [
      {
        slug: 's',
        title: 'Т',
        description: 'д',
        url: 'https://a.b/',
        state: 'Archived',
        labels: ['x'],
        savedAt: '2024-10-29T16:30:11.000Z',
      },
    ],
    [{ tags: ['x'], states: ['archived'], createdAt: at('2024-10-29T16:30:11Z') }],
  ],
  [
    'google-keep',
    {
      isTrashed: false,
      isPinned: true,
      isArchived: true,
      title: '',
      textContent: 'Первая\nвторая',
      listContent: [{ text: 'дело', isChecked: true }],
      labels: [{ name: 'x' }],
      attachments: [{}],
      annotations: [{ url: 'https://a.b/' }],
      sharees: [{ isOwner: true }, { isOwner: false }],
      createdTimestampUsec: 1_600_000_000_000_000,
      userEditedTimestampUsec: 1_600_000_001_000_000,
    },
    [
      {
        kind: 'note',
        title: 'Первая',
        pinned: true,
        states: ['archived'],
        tags: ['x'],
        remarks: ['importAttachments:1', 'importOtherFields:1'],
        createdAt: 1_600_000_000_000,
        updatedAt: 1_600_000_001_000,
        body: '<p>Первая<br />вторая</p><ul data-type="taskList"><li data-checked="true"><p>дело</p></li></ul><p><a href="https://a.b/">https://a.b/</a></p>',
      },
    ],
  ],
  [
    'google-keep',
    { isTrashed: true, color: 'DEFAULT', title: 'Т', userEditedTimestampUsec: 1_600_000_001_000_000 },
    [{ state: 'ignored', reason: 'importInTrash' }],
  ],
  [
    'chrome-json',
    {
      roots: {
        bookmark_bar: {
          children: [
            {
              children: [{ date_added: '13244473600000000', name: 'Т', type: 'url', url: 'https://a.b/' }],
              name: 'Б',
              type: 'folder',
            },
          ],
          name: 'А',
          type: 'folder',
        },
      },
      version: 1,
    },
    [{ title: 'Т', folders: [['А', 'Б']], createdAt: 1_600_000_000_000 }],
  ],
  [
    'firefox-json',
    {
      guid: 'root________',
      title: '',
      root: 'placesRoot',
      children: [
        {
          title: 'А',
          type: 'text/x-moz-place-container',
          children: [
            {
              title: 'Т',
              uri: 'https://a.b/',
              tags: 'x,y',
              dateAdded: 1_600_000_000_000_000,
              annos: [{ name: 'bookmarkProperties/description', value: 'д' }],
            },
          ],
        },
      ],
    },
    [{ title: 'Т', folders: [['А']], tags: ['x', 'y'], body: '<p>д</p>', createdAt: 1_600_000_000_000 }],
  ],
  [
    'simplenote',
    {
      activeNotes: [
        {
          id: '1',
          content: 'Заголовок\r\nтекст',
          creationDate: '2023-01-02T03:04:05.000Z',
          lastModified: '2023-01-03T03:04:05.000Z',
          pinned: true,
          tags: ['x'],
        },
      ],
      trashedNotes: [{ content: 'Старая\nзаметка' }],
    },
    [
      {
        title: 'Заголовок',
        body: '<p>текст</p>',
        pinned: true,
        tags: ['x'],
        createdAt: at('2023-01-02T03:04:05Z'),
      },
      { state: 'ignored', reason: 'importInTrash', title: 'Старая' },
    ],
  ],
  [
    'standard-notes',
    {
      version: '004',
      items: [
        {
          uuid: 'n',
          content_type: 'Note',
          created_at: '2023-01-02T03:04:05.000Z',
          content: {
            title: 'Т',
            text: 'т',
            appData: { 'org.standardnotes.sn': { pinned: true, archived: true } },
          },
        },
        {
          uuid: 'c',
          content_type: 'Tag',
          content: {
            title: 'Б',
            references: [
              { uuid: 'n', content_type: 'Note' },
              { uuid: 'p', content_type: 'Tag' },
            ],
          },
        },
        { uuid: 'p', content_type: 'Tag', content: { title: 'А', references: [] } },
        { uuid: 'e', content_type: 'Note', content: '004:abc' },
        { uuid: 'f', content_type: 'File', content: { name: 'снимок.png' } },
        { uuid: 'x', content_type: 'SN|Component', content: { name: 'Редактор' } },
        {
          uuid: 's',
          content_type: 'Note',
          content: {
            title: 'S',
            noteType: 'super',
            text: json({
              root: {
                type: 'root',
                children: [
                  {
                    type: 'paragraph',
                    children: [
                      { type: 'text', text: 'раз ' },
                      { type: 'text', text: 'два' },
                    ],
                  },
                  {
                    type: 'list',
                    children: [
                      { type: 'listitem', checked: true, children: [{ type: 'text', text: 'три' }] },
                    ],
                  },
                ],
              },
            }),
          },
        },
      ],
    },
    [
      { title: 'Т', tags: ['А/Б'], pinned: true, states: ['archived'], body: '<p>т</p>' },
      { state: 'broken', reason: 'importEncrypted' },
      { state: 'ignored', reason: 'importFileOfOther', title: 'снимок.png' },
      {
        title: 'S',
        body: '<p>раз два</p><ul data-type="taskList"><li data-checked="true">три</li></ul>',
      },
    ],
  ],
  [
    'telegram-json',
    {
      name: 'Я',
      type: 'saved_messages',
      id: 1,
      messages: [
        {
          id: 1,
          type: 'message',
          date: '2023-01-02T03:04:05',
          date_unixtime: '1600000000',
          text: [
            'Смотри ',
            { type: 'text_link', text: 'сюда', href: 'https://a.b/' },
            ' ',
            { type: 'hashtag', text: '#тег' },
          ],
          forwarded_from: 'Канал',
        },
        {
          id: 5,
          type: 'message',
          date: '2023-01-02T03:04:05',
          text: [
            { type: 'text_link', text: 'код', href: 'javascript:alert(1)' },
            { type: 'text_link', text: 'чат', href: 'tg://resolve?domain=a' },
            { type: 'text_link', text: 'почта', href: 'mailto:a@b.c' },
          ],
        },
        { id: 2, type: 'message', date: '2023-01-02T03:04:05', text: 'https://a.c/' },
        { id: 3, type: 'service', action: 'pin_message' },
        { id: 4, type: 'message', photo: 'p.jpg', text: '' },
      ],
    },
    [
      {
        kind: 'note',
        title: 'Смотри сюда #тег',
        tags: ['тег'],
        createdAt: 1_600_000_000_000,
        body: '<p>Смотри <a href="https://a.b/">сюда</a> #тег</p><p>— Канал</p>',
        remarks: [],
      },
      {
        kind: 'note',
        body: '<p><a href="javascript:alert(1)">код</a><a href="tg://resolve?domain=a">чат</a><a href="mailto:a@b.c">почта</a></p>',
        remarks: ['importInnerLinks:2'],
      },
      { kind: 'link', url: 'https://a.c/', createdAt: at('2023-01-02T03:04:05Z') },
      { state: 'ignored', reason: 'importServiceMessage' },
      { state: 'ignored', reason: 'importNoText' },
    ],
  ],
  [
    'telegram-json',
    {
      chats: {
        list: [
          { name: 'Друг', type: 'personal_chat', messages: [{ type: 'message', text: 'привет' }] },
          { type: 'saved_messages', messages: [{ type: 'message', text: 'моё' }] },
        ],
      },
    },
    [
      { state: 'ignored', reason: 'importOthersChat' },
      { kind: 'note', title: 'моё' },
    ],
  ],
  [
    'memos',
    {
      memos: [
        {
          name: 'memos/1',
          state: 'ARCHIVED',
          createTime: '2024-01-02T03:04:05Z',
          content: '# Т\n\nтекст #тег',
          pinned: true,
          tags: ['тег'],
          resources: [{}],
        },
      ],
    },
    [
      {
        title: 'Т',
        body: '<p>текст #тег</p>',
        tags: ['тег'],
        pinned: true,
        states: ['archived'],
        remarks: ['importAttachments:1'],
      },
    ],
  ],
  [
    'memos',
    [{ id: 1, rowStatus: 'NORMAL', createdTs: 1_600_000_000, content: 'мысль' }],
    [{ title: 'мысль', createdAt: 1_600_000_000_000 }],
  ],
]
it.each(LISTS)('reads %s', async (format, value, rows) => {
  expect(await read(json(value))).toMatchObject({ format, rows })
})

it('reads Evernote, and keeps what is cut off', async () => {
  const { format, rows } =
    await read(`<?xml version="1.0"?><!DOCTYPE en-export [<!ENTITY x "&y;&y;">]><en-export>
<note><title>Т &amp; &x;</title><content><![CDATA[<?xml version="1.0"?><!DOCTYPE en-note SYSTEM "x"><en-note><en-todo checked="true"/>дело<en-media hash="a" type="image/png"/></en-note>]]></content>
<created>20230120T204520Z</created><tag>x</tag><note-attributes><source-url>https://a.b/</source-url></note-attributes>
<task><title>задача</title><taskStatus>completed</taskStatus></task>
<resource><data encoding="base64">AAAA</data><title>не заголовок</title></resource></note>
<note><title>Обрыв`)
  expect(format).toBe('evernote-enex')
  expect(rows).toMatchObject([
    {
      title: 'Т & &x;',
      body: '[x] дело<ul data-type="taskList"><li data-checked="true"><p>задача</p></li></ul><p><a href="https://a.b/">https://a.b/</a></p>',
      tags: ['x'],
      createdAt: at('2023-01-20T20:45:20Z'),
      remarks: ['importAttachments:1'],
    },
    { state: 'broken', reason: 'importCutFile', place: { entry: 2 } },
  ])
})

/** The clean text that Evernote's content becomes. */
async function fromEvernote(content: string): Promise<string> {
  const { rows } = await read(
    `<en-export><note><title>Т</title><content><![CDATA[<en-note>${content}</en-note>]]></content></note></en-export>`,
  )
  const [row] = rows
  return row?.state === 'item' ? cleanHtml(row.body) : ''
}

it.each([
  [
    '<ul style="--en-todo:true;"><li style="--en-checked:true;"><div>да</div></li><li style="--en-checked:false;"><div>нет</div></li></ul>',
    '<ul data-type="taskList"><li data-checked="true"><div>да</div></li><li data-checked="false"><div>нет</div></li></ul>',
  ],
  [
    '<div>до</div><div><en-todo checked="true"/><b>да</b></div>\n<div><en-todo></en-todo>нет</div><div>после</div>',
    '<div>до</div><ul data-type="taskList"><li data-checked="true"><p><b>да</b></p></li><li data-checked="false"><p>нет</p></li></ul><div>после</div>',
  ],
  ['<table><tr><td><en-todo/>да</td></tr></table>', '<table><tr><td>[ ] да</td></tr></table>'],
  [
    '<div style="box-sizing: border-box; --en-codeblock:true;"><div>if a &lt; b:</div><div>    c</div><div><br/></div><div>d</div></div><div>e</div>',
    '<pre><code>if a &lt; b:\n    c\n\nd</code></pre><div>e</div>',
  ],
  ['<div style="-en-codeblock: true">a<br/>b</div>', '<pre><code>a\nb</code></pre>'],
  ['<div style="-en-codeblock: true"><div>a</div>', '<div>a</div>'],
  [
    '<div style="-en-codeblock: true"><div><en-todo/>a</div><div>b</div></div>',
    '<pre><code>[ ] a\nb</code></pre>',
  ],
  ['<div><span style="font-weight: bold;"/>a <b>b</b></div>', '<div>a <b>b</b></div>'],
  [
    '<div><span style="font-weight: bold; color: red;">а <span style="--en-highlight:yellow;background-color: #ffef9e;">б</span></span> <span style="color: red">в</span></div>',
    '<div><strong>а <mark>б</mark></strong> в</div>',
  ],
])('makes checklists, code and formatted words of those of Evernote: %s', async (content, html) => {
  expect(await fromEvernote(content)).toBe(html)
})

it('keeps what the editors of Standard Notes have beside plain text', async () => {
  const text = (text: string, format = 0) => ({ type: 'text', text, format })
  const item = (children: unknown[], checked?: boolean) => ({ type: 'listitem', children, checked })
  const root = {
    type: 'root',
    children: [
      { type: 'heading', tag: 'h2', children: [text('Глава')] },
      {
        type: 'paragraph',
        children: [
          text('жирно <', 1),
          { type: 'linebreak' },
          { type: 'link', url: 'https://a.b/?c=1&d', children: [text('сюда', 2)] },
        ],
      },
      {
        type: 'list',
        listType: 'check',
        children: [
          item([text('да')], true),
          item([{ type: 'list', listType: 'check', children: [item([text('внутри')])] }]),
        ],
      },
      { type: 'list', listType: 'number', children: [item([text('один')])] },
      {
        type: 'code',
        language: 'js',
        children: [
          { type: 'code-highlight', text: 'a' },
          { type: 'linebreak' },
          { type: 'code-highlight', text: '<b' },
        ],
      },
      {
        type: 'table',
        children: [
          { type: 'tablerow', children: [{ type: 'tablecell', headerState: 1, children: [text('я')] }] },
        ],
      },
      { type: 'snfile', fileUuid: 'f' },
    ],
  }
  const note = (noteType: string, value: unknown) => ({
    content_type: 'Note',
    content: { title: 'Т', noteType, text: typeof value === 'string' ? value : json(value) },
  })
  const tasks = { groups: [{ name: 'Дом', tasks: [{ description: 'дело', completed: true }] }] }
  const items = [
    note('super', { root }),
    note('task', tasks),
    note('task', '- [ ] дело'),
    note('code', 'a < b'),
    // Plain texts that look like documents.
    note('super', '{"root":true,"extends":["x"]}'),
    note('task', '42'),
    note('super', { root: { children: [{ type: 'youtube', videoID: 'v' }] } }),
  ]
  const { rows } = await read(json({ version: '004', items }))
  expect(rows).toMatchObject([
    {
      body:
        '<h2>Глава</h2><p><strong>жирно &lt;</strong><br /><a href="https://a.b/?c=1&amp;d"><em>сюда</em></a></p>' +
        '<ul data-type="taskList"><li data-checked="true">да<ul data-type="taskList"><li data-checked="false">внутри</li></ul></li></ul>' +
        '<ol><li>один</li></ol><pre><code class="language-js">a\n&lt;b</code></pre><table><tr><th>я</th></tr></table>',
      remarks: ['importAttachments:1'],
    },
    { body: '<h3>Дом</h3><ul data-type="taskList"><li data-checked="true"><p>дело</p></li></ul>' },
    { body: '<p>- [ ] дело</p>' },
    { body: '<pre><code>a &lt; b</code></pre>' },
    { body: '<p>{&quot;root&quot;:true,&quot;extends&quot;:[&quot;x&quot;]}</p>' },
    { body: '<p>42</p>' },
    { remarks: ['importAttachments:1'] },
  ])
})

it('keeps of Telegram links without a scheme, the language of code, and names polls by their question', async () => {
  const message = (fields: object) => ({ type: 'message', date_unixtime: '1600000000', ...fields })
  const link = { type: 'link', text: 'example.org/a' }
  const { rows } = await read(
    json({
      type: 'saved_messages',
      messages: [
        message({ text: [link] }),
        message({ text: [link, ' — слова'] }),
        message({ text: [{ type: 'pre', text: 'a < b', language: 'Python' }] }),
        message({ text: '', poll: { question: 'Когда?' } }),
      ],
    }),
  )
  expect(rows).toMatchObject([
    { kind: 'link', url: 'https://example.org/a' },
    { kind: 'note', body: '<p><a href="https://example.org/a">example.org/a</a> — слова</p>' },
    { body: '<pre><code class="language-python">a &lt; b</code></pre>' },
    { state: 'ignored', reason: 'importNoText', title: 'Когда?' },
  ])
})

it('keeps who wrote a message of a chat of Telegram with others, and counts reactions and replies', async () => {
  const message = { type: 'message', from: 'Аня', text: 'да', reply_to_message_id: 1, reactions: [{}] }
  const messages = [message, { ...message, forwarded_from: 'Канал', text: 'https://a.b/', reactions: [] }]
  const remarks = ['importOtherFields:2']
  expect((await read(json({ name: 'Аня', type: 'personal_chat', messages }))).rows).toMatchObject([
    { body: '<p>да</p><p>— Аня</p>', remarks },
    { kind: 'link', body: '<p>— Канал</p><p>— Аня</p>', remarks: ['importOtherFields:1'] },
  ])
  expect((await read(json({ type: 'saved_messages', messages }))).rows).toMatchObject([
    { body: '<p>да</p>', remarks },
    { body: '<p>— Канал</p>' },
  ])
  expect((await read(json({ chats: { list: [{ messages }] } }))).rows).toMatchObject([
    { body: '<p>да</p><p>— Аня</p>' },
    {},
  ])
})

it('keeps the address that a page of Notion has among its properties', async () => {
  const page = 'Страница 0123456789abcdef0123456789abcdef.md'
  const properties = 'URL: https://a.b/?c=%D1%8F\nLink: нет\nSource: https://a.c/\nStatus: x'
  const [row] = await readZip({ [page]: `# Страница\n\n${properties}\n\nТекст\n` })
  expect(row).toMatchObject({
    body: expect.stringContaining('<p>Текст</p><p><a href="https://a.b/?c=%D1%8F">'),
    remarks: ['importOtherFields:2'],
  })
  expect(row).toMatchObject({ body: expect.stringContaining('<a href="https://a.c/">') })
})

it('reads tables with bars between their cells, but no tables in Markdown', async () => {
  expect(await read('url|title\nhttps://a.b/|Т\n')).toMatchObject({
    format: 'csv',
    rows: [{ url: 'https://a.b/', title: 'Т' }],
  })
  for (const table of ['| url | title |\n|---|---|\n| a | b |', 'url | title\n--- | ---\na | b'])
    expect(await read(table, 'a.md')).toMatchObject({ format: 'markdown', rows: [{ kind: 'note' }] })
})

it('takes a slash in the name of a folder for no folder within it', async () => {
  const instapaper = await read('URL,Title,Selection,Folder\nhttps://a.b/,Т,,TCP/IP\n')
  expect(instapaper.rows).toMatchObject([{ folders: [['TCP/IP']] }])
  const raindrop = await read('url,title,excerpt,folder\nhttps://a.b/,Т,,AC/DC / Live\nhttps://a.c/,У,,А/Б\n')
  expect(raindrop.rows).toMatchObject([{ folders: [['AC/DC', 'Live']] }, { folders: [['А', 'Б']] }])
})

it('counts what of Readwise Reader and of Joplin has no place here', async () => {
  const head = 'Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen'
  const { rows } = await read(
    `${head}\nТ,https://a.b/,1,[],2024-05-01,,later,\nУ,https://a.c/,2,[],2024-05-01,,feed,\n`,
  )
  expect(rows).toMatchObject([
    { states: ['unread'], remarks: [] },
    { states: [], remarks: ['importOtherFields:1'] },
  ])
  const note = (fields: string) => `Т\n\nТекст\n\nid: ${'a'.repeat(32)}\n${fields}\ntype_: 1`
  const joplin = await readZip({
    [`${'a'.repeat(32)}.md`]: note(
      'author: Я\nlatitude: 55.7\nlongitude: 0.0\ntodo_due: 1704067200000\ntodo_completed: 0\nis_todo: 1',
    ),
    [`${'b'.repeat(32)}.md`]: note('author: \nlatitude: 0.00000000\nlongitude: 0.00000000\ntodo_due: 0'),
  })
  expect(joplin).toMatchObject([{ remarks: ['importOtherFields:3'] }, { remarks: [] }])
})

it('names what is said of bookmark folders that hold no bookmark', async () => {
  const { rows } = await read(`<!DOCTYPE NETSCAPE-Bookmark-file-1><DL>
<DT><H3>Внешняя</H3><DD>О внешней
<DL><DT><H3>Пустая</H3><DD>О пустой<DD>Ещё о ней<DL></DL><DT><H3>Тоже пустая</H3><DL></DL>
<DT><H3>Внутренняя</H3><DD>О внутренней<DL><DT><A HREF="https://a.b/1">т</A></DL></DL>
<DT><A HREF="https://a.b/2">т</A>
<DT><H3>Без списка</H3><DD>О той, что без списка
<DT><H3>Панель</H3><DD>О панели<DL><DT><A HREF="place:sort=8">т</A>
<DT><A HREF="https://a.b/3">т</A></DL>
<DT><H3>Последняя</H3><DD>О последней
</DL>`)
  const ignored = { state: 'ignored', reason: 'importFolderDescription' }
  expect(rows).toEqual([
    { ...ignored, title: 'Пустая', place: { entry: 1 } },
    expect.objectContaining({
      ...{ url: 'https://a.b/1', folders: [['Внешняя', 'Внутренняя']] },
      remarks: ['importOtherFields:2'],
    }),
    expect.objectContaining({ url: 'https://a.b/2', folders: [], remarks: [] }),
    { ...ignored, title: 'Без списка', place: { entry: 4 } },
    expect.objectContaining({ state: 'ignored', reason: 'importBrowserAddress' }),
    expect.objectContaining({ url: 'https://a.b/3', remarks: ['importOtherFields:1'] }),
    { ...ignored, title: 'Последняя', place: { entry: 7 } },
  ])
})

it.each([
  ['Firefox', 'text/x-moz-place-container', 'firefox-json'],
  ['Firefox, without types', undefined, 'firefox-json'],
])('names what is said of folders in JSON of %s', async (_, type, format) => {
  const annos = (value: string) => [{ name: 'bookmarkProperties/description', value }]
  const folder = (title: string, description: string, children?: readonly object[]) => ({
    ...{ guid: title, title, type, annos: annos(description) },
    ...(children && { children }),
  })
  const link = (at: number) => ({ title: 'т', uri: `https://a.b/${at}` })
  const file = {
    ...{ guid: 'root________', root: 'placesRoot', type },
    children: [
      folder('Внешняя', 'О внешней', [
        folder('Внутренняя', 'О внутренней', [link(1)]),
        folder('Пустая', 'О пустой', []),
        link(2),
        folder('Без списка', 'О той, что без списка'),
        folder('Молчаливая', ' ', []),
        folder('Панель', 'О панели', [{ title: 'т', uri: 'place:sort=8' }]),
      ]),
    ],
  }
  const ignored = { state: 'ignored', reason: 'importFolderDescription' }
  const found = await read(json(file))
  expect(found.format).toBe(format)
  // Without a type a folder that holds nothing looks like a bookmark without an address.
  const without = type === undefined ? { state: 'broken', reason: 'importNoAddress' } : ignored
  expect(found.rows).toMatchObject([
    { url: 'https://a.b/1', folders: [['Внешняя', 'Внутренняя']], remarks: ['importOtherFields:2'] },
    { ...ignored, title: 'Пустая', place: { entry: 2 } },
    { url: 'https://a.b/2', remarks: [] },
    { ...without, title: 'Без списка' },
    { state: 'ignored', reason: 'importBrowserAddress' },
    { ...ignored, title: 'Панель' },
  ])
})

it("reads a link of Копилка's own Markdown as a link, and notes with a source as notes", async () => {
  const item = {
    ...{
      kind: 'link' as const,
      title: 'Ссылка: "1"',
      url: 'https://a.b/?x=1&y=#я',
      pinned: true,
      revision: 1,
    },
    ...{ body: '<h1>Ссылка: "1"</h1><p>описание #слово</p>', tags: ['а, б', 'в'], deleted_at: undefined },
    ...{ created_at: at('2020-01-02T03:04:05.678Z'), updated_at: at('2021-01-02T03:04:05.678Z') },
  }
  const { text } = markdownFile(item, () => undefined)
  const [link] = (await read(text, 'Ссылка.md')).rows
  expect(link).toMatchObject({
    ...{ kind: 'link', url: item.url, title: item.title, tags: item.tags, pinned: true, remarks: [] },
    ...{ createdAt: item.created_at, updatedAt: item.updated_at },
    body: expect.stringMatching(/^<h1>Ссылка: .*<\/h1>\s*<p>описание #слово<\/p>$/),
  })
  const { text: ofNote } = markdownFile({ ...item, kind: 'note', url: null }, () => undefined)
  const clipped = text.replace('source:', 'author: Я\nsource:')
  const undated = text.replace(/^updated: .*\n/m, '')
  const notSafe = text.replace(/^source: .*$/m, 'source: javascript:alert(1)')
  for (const other of [ofNote, clipped, undated, notSafe]) {
    const { rows } = await read(other, 'Ссылка.md')
    expect(rows).toMatchObject([
      { kind: 'note', title: item.title, body: expect.stringContaining('описание') },
    ])
  }
})

it("keeps the tags of Копилка's own Markdown as they are", async () => {
  const time = at('2020-01-02T03:04:05.678Z')
  const item = {
    ...{ title: 'Т', body: '<p>т #слово</p>', tags: ['#важное', '#', '##', 'а'], pinned: false, revision: 1 },
    ...{ created_at: time, updated_at: time, deleted_at: undefined },
  }
  for (const kind of [{ kind: 'note', url: null } as const, { kind: 'link', url: 'https://a.b/' } as const]) {
    const { text } = markdownFile({ ...item, ...kind }, () => undefined)
    expect((await read(text, 'Т.md')).rows).toMatchObject([{ tags: item.tags, remarks: [] }])
  }
})

it('names what is said of a collection of Linkwarden', async () => {
  const link = { name: 'Т', url: 'https://a.b/' }
  const collections = [
    { id: 1, name: 'А', description: 'Об А', parentId: null, links: [{ url: 'about:blank' }, link, link] },
    { id: 2, name: 'Б', description: 'О Б', parentId: null, links: [] },
    { id: 3, name: 'В', description: ' ', parentId: null, links: [], rssSubscriptions: [] },
    { id: 4, name: 'Г', parentId: null, rssSubscriptions: [{ url: 'https://a.b/1' }, {}], links: [link] },
    { id: 5, name: 'Д', parentId: null, rssSubscriptions: [{ url: 'https://a.b/1' }], links: [] },
  ]
  expect((await read(json({ collections }))).rows).toMatchObject([
    { state: 'ignored', reason: 'importBrowserAddress' },
    { state: 'item', remarks: ['importOtherFields:1'] },
    { state: 'item', remarks: [] },
    { state: 'item', remarks: ['importOtherFields:2'] },
    { state: 'ignored', reason: 'importFolderDescription', title: 'Б', place: { entry: 5 } },
    { state: 'ignored', reason: 'importOtherFields:1', title: 'Д', place: { entry: 6 } },
  ])
})

it("keeps the source of Karakeep's texts", async () => {
  const sourceUrl = 'https://a.b/?x=1&y=2'
  const bookmarks = [
    { title: 'Т', content: { type: 'text', text: 'текст', sourceUrl }, note: 'н' },
    { title: 'У', content: { type: 'text', text: 'текст', sourceUrl: null } },
    { title: 'Ф', content: { type: 'asset', sourceUrl }, note: 'н' },
    { title: 'Х', content: { type: 'asset', sourceUrl } },
  ]
  const source = '<p><a href="https://a.b/?x=1&amp;y=2">https://a.b/?x=1&amp;y=2</a></p>'
  expect((await read(json({ bookmarks, lists: [] }))).rows).toMatchObject([
    { kind: 'note', body: `<p>текст</p><p>н</p>${source}` },
    { kind: 'note', body: '<p>текст</p>' },
    { kind: 'note', body: `<p>н</p>${source}`, remarks: ['importAttachments:1'] },
    { state: 'ignored', reason: 'importFileOfOther', url: sourceUrl },
  ])
})

it('reads what Simplenote keeps as its own tags, and counts what has no place here', async () => {
  const activeNotes = [
    { content: 'Т\n**т**', systemTags: ['pinned', 'markdown', 'published'] },
    { content: 'У', publicURL: 'http://simp.ly/p/x', collaboratorEmails: ['a@example.org'] },
    { content: 'Ф', pinned: true, systemTags: [], publicURL: '', collaboratorEmails: [] },
  ]
  expect((await read(json({ activeNotes }))).rows).toMatchObject([
    { pinned: true, body: '<p><strong>т</strong></p>', remarks: ['importOtherFields:1'] },
    { pinned: false, remarks: ['importOtherFields:2'] },
    { pinned: true, remarks: [] },
  ])
})

it('counts what wallabag, Omnivore, Linkwarden and Memos say beside the text', async () => {
  const page = { url: 'https://a.b/', title: 'Т' }
  const none = { published_by: [''], published_at: null, preview_picture: null, origin_url: '' }
  const wallabag = [
    {
      ...page,
      is_archived: 0,
      content: 'Т',
      ...none,
      published_by: ['Автор'],
      preview_picture: 'https://a.b/i',
    },
    { ...page, is_archived: 0, content: 'Т', ...none, given_url: page.url },
    { ...page, is_archived: 0, content: 'Т', ...none, given_url: 'https://t.co/1' },
  ]
  expect((await read(json(wallabag))).rows).toMatchObject([
    { remarks: ['importOtherFields:2'] },
    { remarks: [] },
    { remarks: ['importOtherFields:1'] },
  ])
  const omnivore = [
    {
      ...page,
      labels: [],
      savedAt: '2024-05-01',
      author: 'Автор',
      publishedAt: '2024-04-01',
      thumbnail: 'x',
    },
    { ...page, labels: [], savedAt: '2024-05-01', author: '', publishedAt: null, thumbnail: null },
  ]
  expect((await read(json(omnivore))).rows).toMatchObject([
    { remarks: ['importOtherFields:3'] },
    { remarks: [] },
  ])
  const links = [
    { ...page, name: 'Т', textContent: 'Текст страницы', image: 'archives/1/1.png', pdf: 'unavailable' },
    { ...page, name: 'Т', textContent: null, image: 'unavailable', pdf: '' },
    { ...page, name: 'Т', highlights: [{ text: 'ц', comment: 'м' }] },
  ]
  const collections = [{ id: 1, name: 'Папка', parentId: null, links }]
  expect((await read(json({ collections }))).rows).toMatchObject([
    { remarks: ['importOtherFields:2'] },
    { remarks: [] },
    { remarks: ['importOtherFields:1'] },
  ])
  const memos = [
    { content: 'Т', createTime: '2024-05-01T00:00:00Z', location: { placeholder: 'Дом' }, relations: [] },
    { content: 'У', createTime: '2024-05-01T00:00:00Z', location: null },
  ]
  expect((await read(json(memos))).rows).toMatchObject([
    { remarks: ['importOtherFields:1'] },
    { remarks: [] },
  ])
})

it('counts links that lead to entries of the tool itself, which become text', async () => {
  const links =
    '[а](:/0123456789abcdef0123456789abcdef) [б](Другая.md) [в](https://a.b/) [г](#глава) <mailto:a@b.c>'
  expect((await read(links, 'а.md')).rows).toMatchObject([{ remarks: ['importInnerLinks:2'] }])
  const enex =
    '<a href="evernote:///view/1/s1/x/x/">а</a> <a data-href="x.md" title="t" href=\'https://a.b/\'>б</a>'
  const note = `<note><title>Т</title><content><![CDATA[<en-note>${enex}</en-note>]]></content></note>`
  expect((await read(`<en-export>${note}</en-export>`)).rows).toMatchObject([
    { remarks: ['importInnerLinks:1'] },
  ])
})

it('names what is said of a list of Karakeep, and counts its own fields', async () => {
  const lists = ['а', 'б'].map((id) => ({ id, name: id, description: 'О списке', parentId: null }))
  const bookmark = (url: string, more: object) => ({ content: { type: 'link', url }, lists: ['а'], ...more })
  const bookmarks = [
    bookmark('about:blank', {}),
    bookmark('https://a.b/', { customMetadata: { автор: 'Я' } }),
    bookmark('https://a.c/', { customMetadata: {} }),
  ]
  expect((await read(json({ lists, bookmarks }))).rows).toMatchObject([
    { state: 'ignored', reason: 'importBrowserAddress' },
    { remarks: ['importOtherFields:2'] },
    { remarks: [] },
    { state: 'ignored', reason: 'importFolderDescription', title: 'б', place: { entry: 4 } },
  ])
})

it('counts dates and reminders of tasks of Evernote', async () => {
  const { rows } = await read(
    `<en-export><note><title>Т</title><content></content>
<task><title>а</title><taskStatus>completed</taskStatus><dueDate>20260101T000000Z</dueDate></task>
<task><title>б</title><dueDate/><reminder><created>20260101T000000Z</created><reminderDate>20260101T000000Z</reminderDate></reminder></task></note></en-export>`,
  )
  expect(rows).toMatchObject([{ remarks: ['importOtherFields:2'], createdAt: undefined }])
  expect(rows).toMatchObject([{ body: expect.stringMatching(/true.*а.*false.*б/) }])
})

it('keeps the descriptions of Vivaldi, and counts its nicknames', async () => {
  const link = { type: 'url', name: 'Т', url: 'https://a.b/' }
  const children = [
    { ...link, meta_info: { Description: 'О ссылке', Nickname: 'т', power_bookmark_meta: '' } },
    { type: 'folder', name: 'Пустая', meta_info: { Description: 'О папке' }, children: [] },
    { type: 'folder', name: 'Псевдоним', meta_info: { Nickname: 'п' }, children: [] },
    { type: 'folder', name: 'Оба', meta_info: { Description: 'О папке', Nickname: 'о' }, children: [] },
  ]
  const file = {
    roots: { bookmark_bar: { type: 'folder', name: 'А', children, meta_info: { Nickname: '' } } },
  }
  expect(await read(json(file))).toMatchObject({
    format: 'chrome-json',
    rows: [
      { title: 'Т', body: '<p>О ссылке</p>', remarks: ['importOtherFields:1'] },
      { state: 'ignored', reason: 'importFolderDescription', title: 'Пустая' },
      { state: 'ignored', reason: 'importOtherFields:1', title: 'Псевдоним' },
      { state: 'ignored', reason: 'importOtherFields:2', title: 'Оба' },
    ],
  })
})

it('counts the queries of lists of Karakeep', async () => {
  const lists = [
    { id: '1', name: 'а', type: 'smart', query: 'is:fav', parentId: null },
    { id: '2', name: 'б', type: 'smart', query: '#x', description: 'О списке', parentId: null },
  ]
  const bookmarks = [{ content: { type: 'link', url: 'https://a.b/' }, createdAt: 1, lists: ['1'] }]
  expect((await read(json({ lists, bookmarks }))).rows).toMatchObject([
    { remarks: ['importOtherFields:1'] },
    { state: 'ignored', reason: 'importOtherFields:2', title: 'б' },
  ])
})

it('says once how much of a text of Karakeep has no place here', async () => {
  const text = {
    content: { type: 'text', text: 'а <!-- б -->' },
    createdAt: 1,
    customMetadata: { автор: 'Я' },
  }
  expect((await read(json({ bookmarks: [text] }))).rows).toMatchObject([{ remarks: ['importOtherFields:2'] }])
})

it.each([
  ['Karakeep', (text: string) => ({ bookmarks: [{ content: { type: 'text', text }, createdAt: 1 }] })],
  ['Simplenote', (text: string) => ({ activeNotes: [{ content: `Т\n${text}`, systemTags: ['markdown'] }] })],
  [
    'Standard Notes',
    (text: string) => ({
      items: [{ content_type: 'Note', content: { title: 'Т', text, noteType: 'markdown' } }],
    }),
  ],
])('counts comments and pictures in Markdown of %s', async (_, file) => {
  expect((await read(json(file('а <!-- б -->\n\n![в](г.png)')))).rows).toMatchObject([
    { remarks: ['importAttachments:1', 'importOtherFields:1'] },
  ])
})

it('keeps a note in Markdown that has nothing but its name', async () => {
  expect(await readZip({ 'А/Задумка.md': '', 'а.txt': '' })).toMatchObject([
    { kind: 'note', title: 'Задумка', folders: [['А']], body: '' },
    { state: 'ignored', reason: 'importUnknownFile' },
  ])
})

it('names the messages of chats that the owner of a Telegram account has left', async () => {
  const chat = (type: string, text: string) => ({ list: [{ type, messages: [{ type: 'message', text }] }] })
  const { rows } = await read(
    json({
      about: '',
      personal_information: {},
      chats: chat('saved_messages', 'моё'),
      left_chats: chat('private_group', 'чужое'),
    }),
  )
  expect(rows).toMatchObject([
    { state: 'item', title: 'моё' },
    { state: 'ignored', reason: 'importOthersChat', title: 'чужое', place: { entry: 2 } },
  ])
})

it('keeps formatted words and headings of Google Keep', async () => {
  const note = (fields: object) =>
    json({ isTrashed: false, color: 'DEFAULT', userEditedTimestampUsec: 1_700_000_000_000_000, ...fields })
  const html =
    '<h1 dir="ltr">Глава</h1><p dir="ltr" style="margin:0"><span style="font-weight:700;font-style:italic">жирно</span> <span style="font-weight:400">нет</span></p>'
  const { rows } = await read(note({ textContent: 'Глава\nжирно нет', textContentHtml: html }))
  const [row] = rows
  expect(row?.state === 'item' && cleanHtml(row.body)).toBe(
    '<h1>Глава</h1><p><strong><em>жирно</em></strong> нет</p>',
  )
  const plain = '<p dir="ltr"><span style="font-weight:400">а</span></p><p dir="ltr"><span>б</span></p>'
  expect((await read(note({ textContent: 'а\nб', textContentHtml: plain }))).rows).toMatchObject([
    { body: '<p>а<br />б</p>' },
  ])
})

it('says that a file of Evernote or of bookmarks breaks off, and of a whole one nothing', async () => {
  const note = '<note><title>Т</title><content></content></note>'
  const bookmarks = '<DL><p><DT><H3>А</H3><DL><p><DT><A HREF="https://a.b/" ADD_DATE="1">т</A>'
  const cut = { state: 'broken', reason: 'importCutFile' }
  for (const [whole, half] of [
    [`<en-export>${note}</en-export>`, `<en-export>${note}`],
    [`${bookmarks}</DL><p></DL><p>`, bookmarks],
    [`${bookmarks}</DL><p></DL><p>`, `${bookmarks}</DL><p><DT><H3>Б</H3>`],
    // Whole, though a list is not closed, or a title opens one.
    [`${bookmarks}</DL><p>`, `${bookmarks}<DL><p>`],
    ['<DL><DT><A HREF="https://a.b/" ADD_DATE="1">Список <dl> в HTML</A></DL>', bookmarks],
  ] as const) {
    expect((await read(whole)).rows).toMatchObject([{ state: 'item' }])
    expect((await read(half)).rows).toMatchObject([{ state: 'item' }, cut])
  }
  expect((await read(`<en-export><note><title>Т</title><content>x</content>`)).rows).toMatchObject([
    { title: 'Т', remarks: ['importCutEntry'] },
    cut,
  ])
})

it('counts what of a note of Evernote has no place here', async () => {
  const noteOf = (attributes: string) =>
    `<note><title>Т</title><content></content><note-attributes>${attributes}</note-attributes></note>`
  const { rows } = await read(
    `<en-export>${[
      '<author>Я</author><reminder-order>1</reminder-order>',
      '<reminder-time>20260101T000000Z</reminder-time>',
      '<reminder-time>20260101T000000Z</reminder-time><reminder-done-time>20260101T000000Z</reminder-done-time>',
      '<reminder-order>0</reminder-order>',
      '<place-name>Дом</place-name><subject-date>20260101T000000Z</subject-date>',
    ]
      .map(noteOf)
      .join('')}</en-export>`,
  )
  expect(rows).toMatchObject([
    { remarks: ['importOtherFields:2'], states: [] },
    { remarks: ['importOtherFields:1'] },
    { remarks: [], states: ['done'] },
    { remarks: [] },
    { remarks: ['importOtherFields:2'] },
  ])
})

it('keeps the lines of a description that elements divide', async () => {
  const { rows } = await read(
    '<DL><p><DT><A HREF="https://a.b/">т</A><DD>Начало<br>Выделено:\n<ul><li>раз</li><li>два</li></ul><p>конец</p></DL><p>',
  )
  expect(rows).toMatchObject([{ body: '<p>Начало<br />Выделено:<br />раз<br />два<br />конец</p>' }])
})

it('counts what of bookmarks has no place here: keywords, feeds, what is said of a folder', async () => {
  const { rows } =
    await read(`<DL><DT><H3 ADD_DATE="1">А</H3><DD>О папке<DL><DT><H3>Б</H3><DD> <DL><DT><A HREF="https://a.b/1" SHORTCUTURL="а">т</A>
<DT><A HREF="https://a.b/2" SHORTCUTURL="" ICON_URI="x">т</A><DD>описание
<DT><A HREF="https://a.b/3" FEEDURL="https://a.b/feed">т</A>
<DT><A HREF="https://a.b/4" POST_DATA="a=b">т</A></DL></DL></DL>`)
  expect(rows).toMatchObject([
    { url: 'https://a.b/1', body: '', remarks: ['importOtherFields:2'] },
    { body: '<p>описание</p>', remarks: [] },
    { remarks: ['importOtherFields:1'] },
    { remarks: ['importOtherFields:1'] },
  ])
  const bookmark = { typeCode: 1, title: 'т', uri: 'https://a.b/', keyword: 'а' }
  const firefox = { guid: 'root________', root: 'placesRoot', typeCode: 2, children: [bookmark] }
  expect((await read(json(firefox))).rows).toMatchObject([{ remarks: ['importOtherFields:1'] }])
})

it.each([
  ['done', 'yes', ['done'], []],
  ['Completed', 'TRUE', ['done'], []],
  ['выполнено', 'да', ['done'], []],
  ['status', 'Done', ['done'], []],
  ['статус', 'выполнено', ['done'], []],
  ['done', 'no', [], []],
  ['completed', '2024-05-01', [], ['importOtherFields:1']],
])('knows from a table what is done: %s %s', async (name, value, states, remarks) => {
  const { rows } = await read(`url,title,${name}\nhttps://a.b/,т,${value}\n`)
  expect(rows).toMatchObject([{ states, remarks }])
})

it('counts the cells of a table that have no place here', async () => {
  const csv = `url,link,title,name,rating,tags,labels,text,empty,id
https://a.b/1,https://a.b/2,Т,У,5,x,y,слова,,1
https://a.b/3,,Т,,,,,,,2`
  expect((await read(csv)).rows).toMatchObject([
    { url: 'https://a.b/1', title: 'Т', tags: ['x', 'y'], remarks: ['importOtherFields:3'] },
    { url: 'https://a.b/3', remarks: [] },
  ])
  const raindrop = 'id,title,excerpt,url,cover\n1,Т,x,https://a.b/,https://a.b/c.png'
  expect((await read(raindrop)).rows).toMatchObject([{ remarks: ['importOtherFields:1'] }])
})

it('brings the trash back from the table that Копилка exports', async () => {
  const csv = `"kind","title","url","text","html","tags","pinned","created_at","updated_at","deleted_at"\r
"note","'=1","","x","<p><b>x</b></p>","а, б в","1","2020-01-02T03:04:05.678Z","2020-01-03T03:04:05.678Z","2020-01-04T03:04:05.678Z"\r
"urllink","Т","https://a.b/","","","","0","2020-01-02T03:04:05.678Z","2020-01-02T03:04:05.678Z",""\r
`
  expect(await read(csv)).toMatchObject({
    format: 'csv',
    rows: [
      {
        ...{ kind: 'note', title: '=1', body: '<p><b>x</b></p>', tags: ['а', 'б в'], pinned: true },
        ...{ createdAt: at('2020-01-02T03:04:05.678Z'), deletedAt: at('2020-01-04T03:04:05.678Z') },
        remarks: [],
      },
      { kind: 'link', url: 'https://a.b/', deletedAt: undefined, remarks: [] },
    ],
  })
})

it('reads front matter that holds itself', async () => {
  const rows = await readZip({
    'a.md': '---\ntitle: A\naliases: &one [*one]\ntags: &two [x, *two]\n---\n\nТекст',
    'b.md': '---\ntitle: &three [*three]\n---\n\nТекст',
  })
  expect(rows).toMatchObject([
    { title: 'A', tags: ['x'], body: '<p>Текст</p>', remarks: ['importOtherFields:1'] },
    { title: 'b', body: '<p>Текст</p>' },
  ])
})

it('counts front matter that has no place here', async () => {
  const matter = 'aliases: [Ещё]\nlatitude: 59.9\nlongitude: "0.0000"\nempty: []\ncssclass: x'
  const { rows } = await read(`---\n${matter}\ncreated: 2020-01-01\ndate: 2021-01-01\n---\nтекст`, 'a.md')
  expect(rows).toMatchObject([{ createdAt: at('2020-01-01T00:00:00Z'), remarks: ['importOtherFields:3'] }])
})

it('names files of a Notion export that are no pages, and bookmarks without an address', async () => {
  const id = '0123456789abcdef'.repeat(2)
  const zip = writeZip([
    { name: 'index.html', data: '<a>' },
    { name: `Страница ${id}.md`, data: '# Страница\n\n![](%D0%BA%D0%BE%D1%82%20%281%29.png)' },
    { name: 'Страница/кот (1).png', data: 'x' },
    { name: `База ${id}_all.csv`, data: 'Name\nx' },
    { name: 'Страница/фото.png', data: 'x' },
    { name: '__MACOSX/._x', data: 'x' },
  ])
  expect(await read(zip)).toMatchObject({
    format: 'notion',
    rows: [
      { title: 'Страница', remarks: ['importAttachments:1'] },
      { state: 'ignored', reason: 'importUnknownFile', title: expect.stringMatching(/csv$/) },
      { state: 'ignored', reason: 'importUnknownFile', title: 'Страница/фото.png' },
    ],
  })
  const chrome = {
    roots: {
      bookmark_bar: {
        type: 'folder',
        name: 'А',
        children: [
          { type: 'url', name: 'Без адреса' },
          { type: 'folder', name: 'Пустая', children: [] },
        ],
      },
    },
  }
  expect((await read(json(chrome))).rows).toMatchObject([
    { state: 'broken', reason: 'importNoAddress', title: 'Без адреса' },
  ])
  const firefox = {
    guid: 'root________',
    root: 'placesRoot',
    children: [
      { type: 'text/x-moz-place-separator', title: '' },
      { type: 'text/x-moz-place-container', title: 'Пустая' },
      { type: 'text/x-moz-place', title: 'Без адреса' },
    ],
  }
  expect((await read(json(firefox))).rows).toMatchObject([
    { state: 'broken', reason: 'importNoAddress', title: 'Без адреса' },
  ])
})

const NOTES: [string, string, string, object][] = [
  [
    'front matter',
    'a.md',
    '---\ntitle: 001\ntags: [x, "y z"]\ncreated: 2019-05-01 16:54-07:00\npinned: yes\nsource: https://a.b/\nlocation: здесь\n---\n\nтекст #тег и `#код`\n',
    {
      title: '001',
      tags: ['x', 'y z', 'тег'],
      createdAt: at('2019-05-01T23:54:00Z'),
      pinned: true,
      remarks: ['importOtherFields:1'],
      body: '<p>текст #тег и <code>#код</code></p><p><a href="https://a.b/">https://a.b/</a></p>',
    },
  ],
  [
    'a heading',
    'a.md',
    '# Заголовок\n\n- [ ] дело\n- [x] готово\n\n![[img.png]]',
    {
      title: 'Заголовок',
      remarks: ['importAttachments:1'],
      body:
        '<ul data-type="taskList">\n<li data-checked="false">дело</li>\n<li data-checked="true">готово</li>\n</ul>\n' +
        '<p>![[img.png]]</p>',
    },
  ],
  ['its name', 'Папка/Имя файла.md', 'просто текст', { title: 'Имя файла', body: '<p>просто текст</p>' }],
  [
    'broken front matter',
    'a.md',
    '---\ntitle: "не закрыто\ntags:\n\t\t- x\n - y\n---\nтекст',
    { title: '"не закрыто', body: '<p>текст</p>' },
  ],
  [
    'nothing but links',
    'a.md',
    '- [Один](https://a.b/1)\n- [Два](https://a.b/2)\n',
    { kind: 'note', title: 'a' },
  ],
  [
    'tags with their marks in front matter',
    'a.md',
    '---\ntags: "#раз #два/три"\n---\nтекст',
    { tags: ['раз', 'два/три'] },
  ],
  [
    'lines of verse',
    'a.md',
    'раз\nдва\n\n- три\n  четыре',
    { body: '<p>раз<br>\nдва</p>\n<ul>\n<li>три<br>\nчетыре</li>\n</ul>' },
  ],
  [
    'comments, and definitions of no link',
    'a.md',
    '[//]: # (черновик)\n# Имя\n\nтекст <!-- ещё --> дальше\n\n[а]: https://a.b/',
    {
      title: 'Имя',
      body: expect.stringMatching(/^<p>текст .*дальше<\/p>\n<p>\[а\]: <a href="https:\/\/a\.b\/">/),
      remarks: ['importOtherFields:2'],
    },
  ],
  ['Windows ends of lines', 'a.md', '---\r\ntitle: Т\r\n---\r\nтекст', { title: 'Т', body: '<p>текст</p>' }],
]
it.each(NOTES)('reads Markdown with %s', async (_, name, text, row) => {
  expect(await read(text, name)).toMatchObject({ format: 'markdown', rows: [row] })
})

it('reads a list of addresses, with titles on either side', async () => {
  const { format, rows } = await read(
    'https://a.b/ | Один\n\n- [Два](https://a.b/2)\nТри: https://a.b/3\nexample.org\nhttps://a.b/4\nпросто слова\njavascript:alert(1)\n',
  )
  expect(format).toBe('addresses')
  expect(rows).toMatchObject([
    { url: 'https://a.b/', title: 'Один', place: { line: 1 } },
    { url: 'https://a.b/2', title: 'Два' },
    { url: 'https://a.b/3', title: 'Три' },
    { url: 'https://example.org' },
    { url: 'https://a.b/4' },
    { state: 'ignored', reason: 'importNoAddressInLine' },
    { state: 'broken', reason: 'importCodeAddress', place: { line: 8 } },
  ])
})

it.each([
  [
    'https://a.b/,Title\nhttps://a.c/,"Два, слова"\n',
    [
      ['https://a.b/', 'Title'],
      ['https://a.c/', 'Два, слова'],
    ],
  ],
  [
    'https://a.b/1,x,Один\nhttps://a.b/2,y,Два',
    [
      ['https://a.b/1', 'x'],
      ['https://a.b/2', 'y'],
    ],
  ],
  [
    '1;https://a.b/x,y;;Имя\n2;https://a.b/2;;',
    [
      ['https://a.b/x,y', 'Имя'],
      ['https://a.b/2', 'https://a.b/2'],
    ],
  ],
  [
    'Имя\thttps://a.b/1\nДва\thttps://a.b/2',
    [
      ['https://a.b/1', 'Имя'],
      ['https://a.b/2', 'Два'],
    ],
  ],
])('reads a table without a header: %j', async (text, rows) => {
  const found = await read(text)
  expect(found).toMatchObject({ format: 'csv', rows: rows.map(([url, title]) => ({ url, title })) })
})

it('keeps dates, texts and what is no text of a table without a header', async () => {
  const lines = '7,Имя,https://a.b/1,2024-01-02,о чём\n8,Имя,,,\n'
  expect((await read(`${lines}${'9,Имя,https://a.b/3,,\n'.repeat(8)}`)).rows.slice(0, 2)).toMatchObject([
    {
      ...{ title: 'Имя', body: '<p>о чём</p>', createdAt: at('2024-01-02T00:00:00Z'), place: { line: 1 } },
      remarks: ['importOtherFields:1'],
    },
    { state: 'broken', reason: 'importNoAddress', title: 'Имя' },
  ])
})

it('takes no title with a number for a date, and a number beside the address for a title', async () => {
  const titles = ['Windows 11', 'Report 2024', 'Глава 5', '1984']
  const { rows } = await read(titles.map((title) => `https://a.b/,${title}\n`).join(''))
  expect(rows).toMatchObject(titles.map((title) => ({ url: 'https://a.b/', title, createdAt: undefined })))
})

it('reads a table without a header whose records are longer than what shows its kind', async () => {
  const text = `"${'строка\n'.repeat(3000)}"`
  const { format, rows } = await read(`sep=;\n${`https://a.b/;Имя;${text}\n`.repeat(6)}`)
  expect(format).toBe('csv')
  expect(rows).toHaveLength(6)
})

it('keeps the tick of a task that lists several addresses', async () => {
  const { rows } = await read('- [x] https://a.b/ https://c.d/\n')
  expect(rows).toMatchObject([{ states: ['done'] }, { states: ['done'] }])
})

it.each([
  ['https://a.b/, https://c.d/\n', ['https://a.b/', 'https://c.d/']],
  [
    'https://a.b/,https://c.d/;\nhttps://a.b/3 https://a.b/4',
    ['https://a.b/', 'https://c.d/', 'https://a.b/3', 'https://a.b/4'],
  ],
  ['https://a.b/news/12,34\nhttps://a.b/news/12,35\n', ['https://a.b/news/12,34', 'https://a.b/news/12,35']],
  ['https://a.b/?to=https://c.d/\n', ['https://a.b/?to=https://c.d/']],
  ['https://a.b?ids=1,2\nhttps://a.b?ids=3,4\n', ['https://a.b?ids=1,2', 'https://a.b?ids=3,4']],
  ['https://a.b/?q=Москва,Россия\n', ['https://a.b/?q=Москва,Россия']],
  ['https://a.b/wiki/Толстой,_Лев_Николаевич\n', ['https://a.b/wiki/Толстой,_Лев_Николаевич']],
])('reads a list with several addresses a line, or with commas in them: %j', async (text, urls) => {
  expect(await read(text)).toMatchObject({
    format: 'addresses',
    rows: urls.map((url) => ({ url, title: url })),
  })
})

it('keeps all that a list in Markdown says of its addresses', async () => {
  const { format, rows } = await read(
    '- [x] [Один](https://a.b/wiki/Foo_(bar)) — описание\n- [ ] [Два](https://a.b/2 "О второй")\n* [X] https://a.b/3\n',
  )
  expect(format).toBe('addresses')
  expect(rows).toMatchObject([
    { url: 'https://a.b/wiki/Foo_(bar)', title: 'Один', body: '<p>описание</p>', states: ['done'] },
    { url: 'https://a.b/2', title: 'Два', body: '<p>О второй</p>', states: [] },
    { url: 'https://a.b/3', states: ['done'] },
  ])
})

const WIN1251 = Buffer.from([0xcf, 0xf0, 0xe8, 0xe2, 0xe5, 0xf2, 0x2c, 0x20, 0xec, 0xe8, 0xf0])
it.each([
  [
    'windows-1251',
    Buffer.concat([Buffer.from('<DL><DT><A HREF="https://a.b/">'), WIN1251, Buffer.from('</A></DL>')]),
  ],
  ['UTF-16 with a mark', Buffer.from('\uFEFF<DL><DT><A HREF="https://a.b/">Привет, мир</A></DL>', 'utf16le')],
  ['UTF-16 without a mark', Buffer.from('<DL><DT><A HREF="https://a.b/">Привет, мир</A></DL>', 'utf16le')],
  ['UTF-8 with a mark', Buffer.from('\uFEFF<DL><DT><A HREF="https://a.b/">Привет, мир</A></DL>')],
])('reads %s', async (_, bytes) => {
  expect((await read(bytes)).rows).toMatchObject([{ title: 'Привет, мир' }])
})

it('finds the encoding where it shows only far from the beginning', async () => {
  const link = (title: string) => `<DT><A HREF="https://a.b/">${title}</A>`
  const { rows } = await read(`<DL>${link('one')}${' '.repeat(300_000)}${link('Привет, мир')}</DL>`)
  expect(rows).toMatchObject([{ title: 'one' }, { title: 'Привет, мир' }])
})

it.each(['й', '…', '🦔'])(
  'reads %s as one character wherever a chunk of the file ends in it',
  async (sign) => {
    for (let cut = 1; cut < Buffer.byteLength(sign); cut += 1) {
      const before = 'x'.repeat(64 * 1024 - cut)
      const pieces: string[] = []
      for await (const piece of textOf(memoryFile('x.txt', Buffer.from(`${before}${sign} and ASCII`))))
        pieces.push(piece)
      expect(pieces.join('').slice(before.length)).toBe(`${sign} and ASCII`)
    }
  },
)

it('reads .jsonlz4 of Firefox', async () => {
  const text = Buffer.from(
    json({ guid: 'root________', root: 'placesRoot', children: [{ title: 'Т', uri: 'https://a.b/' }] }),
  )
  // One block of literals: LZ4 need not shorten anything.
  const rest = text.length - 15
  const lengths = [...Array(Math.floor(rest / 255)).fill(255), rest % 255]
  const size = Buffer.alloc(4)
  size.writeUInt32LE(text.length)
  const file = Buffer.concat([
    Buffer.from('mozLz40\0', 'latin1'),
    size,
    Buffer.from([0xf0, ...lengths]),
    text,
  ])
  expect(await read(file)).toMatchObject({ format: 'firefox-json', rows: [{ title: 'Т' }] })
})

const item = (id: string, type: number, title: string, fields: string, body = '') =>
  [
    `${id.padEnd(32, '0')}.md`,
    `${title}\n\n${body}\n\nid: ${id.padEnd(32, '0')}\n${fields}\ntype_: ${type}`,
  ] as const
const JOPLIN = [
  item(
    'a',
    1,
    'Т',
    `parent_id: ${'f'.padEnd(32, '0')}\nuser_created_time: 2020-07-25T10:36:57.196Z\nis_todo: 1\ntodo_completed: 5\nsource_url: \nencryption_applied: 0\nmarkup_language: 1`,
    'текст ![p](:/0)',
  ),
  item('f', 2, 'Внутри', `parent_id: ${'e'.padEnd(32, '0')}`),
  item('e', 2, 'Снаружи', 'parent_id: '),
  item('b', 5, 'тег', 'parent_id: '),
  [
    `${'c'.padEnd(32, '0')}.md`,
    `id: ${'c'.padEnd(32, '0')}\nnote_id: ${'a'.padEnd(32, '0')}\ntag_id: ${'b'.padEnd(32, '0')}\ntype_: 6`,
  ] as const,
]
const JOPLIN_ROWS = [
  {
    title: 'Т',
    tags: ['тег'],
    folders: [['Снаружи', 'Внутри']],
    states: ['done'],
    createdAt: at('2020-07-25T10:36:57.196Z'),
    remarks: ['importAttachments:1'],
  },
]

it('reads Joplin from a JEX, a zip and a folder alike', async () => {
  const tar = pack()
  for (const [name, data] of JOPLIN) tar.entry({ name }, data)
  tar.finalize()
  expect(await read(await buffer(tar))).toMatchObject({ format: 'joplin', rows: JOPLIN_ROWS })
  expect(await read(writeZip(JOPLIN.map(([name, data]) => ({ name, data }))))).toMatchObject({
    rows: JOPLIN_ROWS,
  })
  const raw = join(folder, 'raw')
  for (const [name, data] of JOPLIN) {
    await mkdir(dirname(join(raw, name)), { recursive: true })
    await writeFile(join(raw, name), data)
  }
  expect(await readAt(raw)).toMatchObject({ format: 'joplin', rows: JOPLIN_ROWS })
})

it('names what of Joplin is no note: files without an item, items without a type, resources that no note shows', async () => {
  const id = (digit: string): string => digit.padEnd(32, '0')
  const files = [
    item('a', 1, 'Т', 'markup_language: 2', `<a href=":/${id('b')}">файл</a>`),
    ...[item('b', 4, 'показан.pdf', 'size: 1'), item('c', 4, 'забыт.pdf', 'size: 1')],
    [`resources/${id('b')}.pdf`, '%PDF'],
    ['другая.md', 'текст'],
    [`${id('d')}.md`, 'Обрыв\n\nтекст'],
    item('e', 13, 'версия', 'item_id: 1'),
  ] as const
  expect((await read(writeZip(files.map(([name, data]) => ({ name, data }))))).rows).toMatchObject([
    { title: 'Т', remarks: ['importAttachments:1', 'importInnerLinks:1'] },
    { state: 'ignored', reason: 'importFileOfOther', title: 'забыт.pdf' },
    { state: 'ignored', reason: 'importUnknownFile', title: 'другая.md' },
    { state: 'broken', reason: 'importIncomplete', title: 'Обрыв' },
    { state: 'ignored', reason: 'importUnknownFile', title: 'версия' },
  ])
})

const ID = '1590080aa5a3802488c2e857dea7aa7d'
const EXPORT = 'Export-950ad927-7171-4abf-9001-821e5310d286'
const NOTION = writeZip([
  {
    name: `${EXPORT}/Дневник ${ID}.md`,
    data: '# Дневник\n\nTags: x, y\nCreated: August 14, 2023 3:15 PM\nStatus: ok\n\nтекст',
  },
  {
    name: `${EXPORT}/Дневник ${ID}/Страница ${ID}.html`,
    data: '<html><body><article><header><h1 class="page-title">Стра&amp;ница</h1></header><div class="page-body"><p>т</p><img src="a.png"></div></article></body></html>',
  },
  { name: `${EXPORT}/index.html`, data: '<html></html>' },
  { name: `${EXPORT}/Дневник ${ID}/a.png`, data: 'x' },
])
it.each([
  ['once', NOTION],
  ['twice', writeZip([{ name: 'Export-Part-1.zip', data: NOTION }])],
])('reads Notion packed %s', async (_, zip) => {
  const { format, rows } = await read(zip)
  expect(format).toBe('notion')
  expect(rows).toMatchObject([
    {
      title: 'Дневник',
      tags: ['x', 'y'],
      createdAt: at('2023-08-14T15:15:00Z'),
      body: '<p>текст</p>',
      folders: [],
      remarks: ['importOtherFields:1'],
    },
    { title: 'Стра&ница', folders: [['Дневник']], remarks: ['importAttachments:1'] },
  ])
})

it('keeps the checklists of a page of Notion, and what describes the page', async () => {
  const task = (state: string, text: string, more = '') =>
    `<ul id="x" class="to-do-list"><li><div class="checkbox checkbox-${state}"></div> <span class="to-do-children-${state}">${text}</span><div class="indented">${more}</div></li></ul>`
  const body = `<div class="page-body">${task('on', 'Паспорт', task('off', 'Копия'))}</div>`
  const header = '<header><h1 class="page-title">Т</h1><p class="page-description">О <b>чём</b></p></header>'
  const [row] = await readZip({ [`Т ${ID}.html`]: `<article>${header}${body}</article>` })
  expect(cleanHtml((row as ImportedItem).body)).toBe(
    '<p>О <b>чём</b></p><div><ul data-type="taskList"><li data-checked="true"><span>Паспорт</span><div>' +
      '<ul data-type="taskList"><li data-checked="false"><span>Копия</span><div></div></li></ul></div></li></ul></div>',
  )
})

it.each([
  ['Exporters 2024', [['Exporters 2024']]],
  [`Export-2024 ${ID}`, [['Export-2024']]],
  [`Private ${ID}`, [['Private']]],
  [`${EXPORT}/Private & Shared`, []],
  ['Export-950ad927-Part-2/Private', []],
])('leaves out no folder of Notion but those of the export itself: %s', async (folder, folders) => {
  expect(await readZip({ [`${folder}/Т ${ID}.md`]: '# Т\n\nтекст' })).toMatchObject([{ folders }])
})

it('reads all files of an archive but the copies that its tool has made', async () => {
  const note = { isTrashed: false, color: 'DEFAULT', userEditedTimestampUsec: 1_600_000_001_000_000 }
  const bookmarks = '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.b/">Закладка</A></DL>'
  const unknown = (title: string) => ({ state: 'ignored', reason: 'importUnknownFile', title })
  const takeout = writeZip([
    { name: 'Takeout/Chrome/Bookmarks.html', data: bookmarks },
    { name: 'Takeout/Keep/Т.html', data: '<html>' },
    { name: 'Takeout/Keep/Т.json', data: json({ ...note, title: 'Т', textContent: 'т' }) },
    { name: 'Takeout/Keep/У.html', data: '<html>' },
    { name: 'Takeout/Keep/Labels.txt', data: 'ярлык' },
    { name: 'Takeout/Keep/фото.png', data: '\x89PNG' },
    { name: 'Takeout/archive_browser.html', data: '<html>' },
  ])
  expect(await read(takeout)).toMatchObject({
    format: 'google-keep',
    rows: [
      { title: 'Закладка', url: 'https://a.b/' },
      { title: 'Т' },
      ...['Keep/У.html', 'Keep/Labels.txt', 'Keep/фото.png', 'archive_browser.html'].map((name) =>
        unknown(`Takeout/${name}`),
      ),
    ],
  })
  const evernote = writeZip([
    { name: 'Заметка.md', data: 'текст' },
    { name: 'а.enex', data: '<en-export><note><title>Э</title><content></content></note></en-export>' },
  ])
  expect(await read(evernote)).toMatchObject({
    format: 'evernote-enex',
    rows: [{ title: 'Заметка' }, { title: 'Э' }],
  })
  const pocket = writeZip([
    {
      name: 'ril_export.html',
      data: `<h1>Unread</h1><ul><li><a href="https://a.c/" time_added="1">Ч</a></li></ul>`,
    },
    { name: 'part_000000.csv', data: 'title,url,time_added,tags,status\nТ,https://a.b/,1600000000,,unread' },
  ])
  expect((await read(pocket)).rows).toMatchObject([{ url: 'https://a.c/' }, { url: 'https://a.b/' }])
  const simplenote = writeZip([
    { name: 'source/notes.json', data: json({ activeNotes: [{ content: 'С' }], trashedNotes: [] }) },
    ...['С.txt', 'trash/Ы.txt', 'чужая.md'].map((name) => ({ name, data: 'текст' })),
  ])
  expect((await read(simplenote)).rows).toMatchObject([{ title: 'С' }, { title: 'чужая' }])
  const backup = {
    version: '004',
    items: [{ content_type: 'Note', uuid: '1', content: { title: 'Н', text: 'т' } }],
  }
  const standardNotes = writeZip([
    { name: 'Items/Note/Н-1.txt', data: 'т' },
    { name: 'Standard Notes Backup and Import File.txt', data: json(backup) },
  ])
  expect((await read(standardNotes)).rows).toMatchObject([{ title: 'Н' }])
})

it('reads of an archive what is whole, and names what is damaged, protected or too long', async () => {
  const vault = writeZip([
    { name: 'а.md', data: 'текст'.repeat(1000), claimedSize: 10 },
    { name: 'б.md', data: 'текст' },
    { name: 'в.md', data: 'текст', isEncrypted: true },
  ])
  expect(await read(vault)).toMatchObject({
    format: 'markdown',
    rows: [
      { state: 'broken', reason: 'importBrokenZip', title: 'а.md', place: { file: 'а.md' } },
      { title: 'б' },
      { state: 'broken', reason: 'importEncryptedZip', title: 'в.md' },
    ],
  })
  const pages = writeZip([
    { name: `Книга ${ID}.md`, data: 'x'.repeat(9 * 1024 * 1024) },
    { name: `Страница ${ID}.md`, data: '# Страница\n\nтекст' },
  ])
  const page = { state: 'broken', reason: 'importLongEntry', title: 'Книга.md' }
  expect((await read(pages)).rows).toMatchObject([page, { title: 'Страница' }])
  const parts = [NOTION.subarray(0, 60), NOTION].map((data, at) => ({ name: `Part-${at}.zip`, data }))
  expect(await read(writeZip(parts))).toMatchObject({
    format: 'notion',
    rows: [
      { state: 'broken', reason: 'importBrokenZip', title: 'Part-0.zip' },
      { title: 'Дневник' },
      { title: 'Стра&ница' },
    ],
  })
})

it('reads of a tar what lies behind an entry that is too long', async () => {
  const tar = pack()
  tar.entry({ name: `${'0'.repeat(32)}.md` }, `Длинная\n\n${'x'.repeat(9 * 1024 * 1024)}`)
  for (const [name, data] of JOPLIN) tar.entry({ name }, data)
  tar.finalize()
  const { rows } = await read(await buffer(tar))
  expect(rows).toContainEqual(expect.objectContaining({ state: 'broken', reason: 'importLongEntry' }))
  expect(rows).toHaveLength(JOPLIN_ROWS.length + 1)
})

it('unpacks a zip in a zip beside no file of the user, and no larger one than allowed', async () => {
  const path = join(folder, 'packed.zip')
  await writeFile(path, writeZip([{ name: 'Export-Part-1.zip', data: NOTION }]))
  await writeFile(`${path}.part`, 'mine')
  expect((await readAt(path)).rows).toHaveLength(2)
  expect(await readTextFile(`${path}.part`, 'utf8')).toBe('mine')
  await expect(readImport(path, 'файл', { maxUnpacked: 100 })).rejects.toThrow('importZipBomb')
})

it('passes over dates of an archive that nobody can have meant, but not that an item was deleted', async () => {
  const far = '9999-12-31T00:00:00.000Z'
  const times = { created_at: '2020-01-02T03:04:05.678Z', updated_at: far, deleted_at: far }
  const lines = [
    { type: 'kopilka', version: 1 },
    { type: 'note', title: 'x', content: 'y', ...times },
  ]
  const { rows } = await read(lines.map(json).join('\n'))
  expect(rows).toMatchObject([
    { createdAt: at('2020-01-02T03:04:05.678Z'), updatedAt: undefined, deletedAt: at(far) },
  ])
})

it('reads of archives what the tool meant, and names the rest', async () => {
  const keep = json({
    isTrashed: false,
    color: 'DEFAULT',
    title: 'Т',
    textContent: 'т',
    userEditedTimestampUsec: 1_600_000_001_000_000,
  })
  expect(
    await read(
      writeZip([
        { name: 'Takeout/Keep/Т.html', data: '<html>' },
        { name: 'Takeout/Keep/Т.json', data: keep },
        { name: 'Takeout/Keep/Ы.json', data: '{"isTrashed": false, "color": "DEFA' },
      ]),
    ),
  ).toMatchObject({
    format: 'google-keep',
    rows: [
      { title: 'Т', place: { file: 'Takeout/Keep/Т.json' } },
      { state: 'broken', reason: 'importIncomplete' },
    ],
  })
  const pocket = 'title,url,time_added,tags,status\nТ,https://a.b/,1,,unread'
  expect(
    await read(
      writeZip([
        { name: 'part_000000.csv', data: pocket },
        { name: 'annotations/part_000000.json', data: '[' },
      ]),
    ),
  ).toMatchObject({
    format: 'pocket-csv',
    rows: [
      { title: 'Т' },
      { state: 'broken', reason: 'importCutFile', place: { file: 'annotations/part_000000.json' } },
    ],
  })
  const vault = writeZip([
    { name: '../../Заметка.md', data: 'текст' },
    {
      name: Buffer.from([0x8f, 0xe0, 0xa8, 0xa2, 0xa5, 0xe2, 0x2f, 0x8c, 0xa8, 0xe0, 0x2e, 0x6d, 0x64]),
      data: '#тег',
    },
    { name: 'фото.jpg', data: Buffer.from([0xff, 0xd8, 0xff, 0xe0]) },
    { name: '.obsidian/app.json', data: '{}' },
  ])
  expect(await read(vault)).toMatchObject({
    format: 'markdown',
    rows: [
      { title: 'Заметка' },
      { title: 'Мир', tags: ['тег'], folders: [['Привет']] },
      { state: 'ignored', reason: 'importUnknownFile', place: { file: 'фото.jpg' } },
    ],
  })
})

it('keeps the spaces of titles, tags and folders that are no line ends or tabs', async () => {
  const { rows } = await read(
    `<!DOCTYPE NETSCAPE-Bookmark-file-1>
<DL><p><DT><H3>Моя\u00A0папка</H3><DL><p>
<DT><A HREF="https://a.b/" TAGS="один\u00A0тег">Облако\u00A0|\u00A0Google
   Cloud\t\t2</A></DL><p></DL><p>`,
  )
  expect(rows).toMatchObject([
    { title: 'Облако\u00A0|\u00A0Google Cloud 2', tags: ['один\u00A0тег'], folders: [['Моя\u00A0папка']] },
  ])
})

it('cuts titles of links and names of tags and folders, and says so', async () => {
  const [title, tag, folder] = ['ы'.repeat(300), 'т'.repeat(60), 'п'.repeat(51)]
  const { rows } = await read(
    `<DL><DT><H3>${folder}</H3><DL><DT><A HREF="https://a.b/" TAGS="${tag},x">${title}</A>
<DT><A HREF="https://a.b/${'y'.repeat(300)}"></A></DL></DL>`,
  )
  expect(rows).toMatchObject([
    { title: 'ы'.repeat(255), tags: ['т'.repeat(50), 'x'], remarks: ['importTitleCut', 'importNamesCut:2'] },
    { remarks: ['importNamesCut:1'] },
  ])
})

it('cuts what is longer than the limits and says so', async () => {
  const tags = Array.from({ length: 60 }, (_, number) => `тег ${number}`)
  const { rows } = await read(`---\ntitle: ${'ы'.repeat(300)}\ntags: [${tags.join(', ')}]\n---\nтекст`)
  expect(rows).toMatchObject([{ title: 'ы'.repeat(255), remarks: ['importTitleCut', 'importManyTags:10'] }])
  const { rows: links } = await read(
    `<DL><DT><A HREF="https://a.b/${'x'.repeat(2100)}">t</A><DT><A>без адреса</A></DL>`,
  )
  expect(links).toMatchObject([{ reason: 'importLongAddress' }, { reason: 'importNoAddress' }])
})

it('counts cells beyond the header of a table, and of columns of one name those after the first that says something', async () => {
  const { rows } = await read(
    'url,title,tags,tags\nhttps://a.b/1,Одна,,сад,лишнее,ещё\nhttps://a.b/2,Две,дом,лес\n',
  )
  expect(rows).toMatchObject([
    { tags: ['сад'], remarks: ['importOtherFields:2'] },
    { tags: ['дом'], remarks: ['importOtherFields:1'] },
  ])
})

it('tells the line where each record of a table begins, however lines end', async () => {
  const text =
    'url,title,text\nhttps://a.b/1,Одна,"раз\nдва\nтри"\nhttps://a.b/2,Две,\n\nhttps://a.b/3,Три,"раз\nдва"\nhttps://a.b/4,Четыре,'
  for (const lineBreak of ['\n', '\r\n', '\r']) {
    const { rows } = await read(text.replaceAll('\n', lineBreak))
    expect(rows.map(({ place }) => place.line)).toEqual([2, 5, 7, 9])
  }
})

it('counts dates that are none, and those that no item can have', async () => {
  const table = await read(
    'url,title,created,updated\nhttps://a.b/1,Одна,позавчера,32.13.2020\nhttps://a.b/2,Две,1969-07-20,0\nhttps://a.b/3,Три,,1970-01-01T00:00:00Z\nhttps://a.b/4,Четыре,2021-01-02,',
  )
  expect(table.rows).toMatchObject([
    { createdAt: undefined, updatedAt: undefined, remarks: ['importBadDates:2'] },
    { createdAt: undefined, remarks: ['importBadDates:1'] },
    { remarks: [] },
    { createdAt: at('2021-01-02T00:00:00Z'), remarks: [] },
  ])
  const bookmarks = await read(
    '<!DOCTYPE NETSCAPE-Bookmark-file-1><DL><DT><A HREF="https://a.b/" ADD_DATE="-86400">Т</A><DT><A HREF="https://a.b/2" ADD_DATE="0">У</A></DL>',
  )
  expect(bookmarks.rows).toMatchObject([{ remarks: ['importBadDates:1'] }, { remarks: [] }])
  const note = await read('---\ndate: 1965-01-01\n---\nТекст', 'а.md')
  expect(note.rows).toMatchObject([{ remarks: ['importBadDates:1'] }])
})

it.each([
  '[[Проекты]] и [[Люди]]',
  '[1]: https://example.org/',
  '["Цитата"] без источника',
  '{{date}} дневник',
  '<!-- черновик -->\n\nТекст',
  '<details><summary>Ещё</summary>Текст</details>',
])('reads a note in Markdown that begins with %s', async (text) => {
  expect(await read(text, 'Заметка.md')).toMatchObject({
    format: 'markdown',
    rows: [{ state: 'item', title: 'Заметка' }],
  })
  expect(await readZip({ 'Хранилище/Заметка.md': text, 'Хранилище/Другая.md': 'Текст' })).toMatchObject([
    { state: 'item', title: 'Заметка' },
    { state: 'item', title: 'Другая' },
  ])
})

it('reads an own archive that was unpacked into a folder and packed again', async () => {
  const note = { type: 'note', id: '1', title: 'Заметка', content: '<p>текст</p>', tags: [] }
  const lines = [{ type: 'kopilka', version: 1 }, note].map((line) => JSON.stringify(line)).join('\n')
  const zip = writeZip([
    { name: 'Копилка/README.txt', data: 'Что это' },
    { name: 'Копилка/kopilka.json', data: lines },
    { name: '__MACOSX/Копилка/._kopilka.json', data: 'x' },
  ])
  expect(await read(zip)).toMatchObject({ format: 'kopilka', rows: [{ title: 'Заметка' }] })
})

it('reads an own archive as one, whatever lies beside its files, and names that', async () => {
  const lines = [
    { type: 'kopilka', version: 1 },
    { type: 'note', id: '1', title: 'Заметка', content: '<p>текст</p>' },
  ]
  const zip = writeZip([
    { name: 'README.txt', data: 'Что это' },
    { name: 'kopilka.json', data: lines.map(json).join('\n') },
    { name: 'Другая.md', data: 'Другая' },
    { name: 'files/x.exe', data: 'MZ' },
  ])
  expect(await read(zip)).toMatchObject({
    format: 'kopilka',
    rows: [
      { state: 'item', title: 'Заметка' },
      { state: 'ignored', reason: 'importUnknownFile', title: 'Другая.md' },
      { state: 'ignored', reason: 'importUnknownFile', title: 'files/x.exe' },
    ],
  })
})

it('remarks on dates of an own archive that no item can have', async () => {
  const times = { created_at: '2020-99-99', updated_at: '9999-01-01T00:00:00.000Z' }
  const lines = [
    { type: 'kopilka', version: 1 },
    { type: 'note', id: '1', title: 'Заметка', content: '<p>текст</p>', ...times },
  ]
  expect((await read(lines.map(json).join('\n'))).rows).toMatchObject([
    { createdAt: undefined, updatedAt: undefined, remarks: ['importBadDates:2'] },
  ])
})

it('reads names of files in both Russian code pages', async () => {
  // 'Заметки.md' in 866 and 1251, and a word in small letters alone.
  const names = ['87a0aca5e2aaa82e6d64', 'c7e0ece5f2eae82e6d64', 'f2e5f1f22e6d64', 'e2a5e1e22e6d64']
  const zip = writeZip(names.map((name, at) => ({ name: Buffer.from(name, 'hex'), data: `Текст ${at}` })))
  const { rows } = await read(zip)
  expect(rows.map((row) => 'title' in row && row.title)).toEqual(['Заметки', 'Заметки', 'тест', 'тест'])
})

it('takes the time of the last change for that of the creation where the file says no other', async () => {
  const note = { isTrashed: false, color: 'DEFAULT', title: 'Т', textContent: 'а' }
  const changed = { ...note, userEditedTimestampUsec: 1_600_000_001_000_000 }
  expect((await read(json(changed))).rows).toMatchObject([
    { createdAt: 1_600_000_001_000, updatedAt: 1_600_000_001_000 },
  ])
})

it('takes no other time of deletion than that of the own export for one', async () => {
  const rows = await readZip({
    'Корзина/а.md': '---\ndeleted: 2024-05-06T07:08:09.010Z\n---\nТекст',
    'Корзина/б.md': '---\ndeleted: true\n---\nТекст',
    'Корзина/в.md': '---\ndeleted: 2024-05-06\n---\nТекст',
    'Корзина/г.md': '---\ndeleted: 2024-99-06T07:08:09.010Z\n---\nТекст',
  })
  const kept = { deletedAt: undefined, folders: [['Корзина']], remarks: ['importOtherFields:1'] }
  const deletedAt = Date.UTC(2024, 4, 6, 7, 8, 9, 10)
  expect(rows).toMatchObject([{ deletedAt, folders: [], remarks: [] }, kept, kept, kept])
})

it('names notes in the trash of Obsidian and hidden files, but no settings', async () => {
  const rows = await readZip({
    'Хранилище/а.md': 'Текст',
    'Хранилище/.trash/старое.md': 'Старое',
    'Хранилище/.тайное/б.md': 'Тайное',
    'Хранилище/.точка.md': 'Точка',
    'Хранилище/.obsidian/app.json': '{}',
    'Хранилище/.DS_Store': 'x',
    '__MACOSX/Хранилище/._а.md': 'x',
  })
  expect(rows).toMatchObject([
    { state: 'item', title: 'а' },
    { state: 'ignored', reason: 'importInTrash', title: 'Хранилище/.trash/старое.md' },
    { state: 'ignored', reason: 'importHiddenFile', title: 'Хранилище/.тайное/б.md' },
    { state: 'ignored', reason: 'importHiddenFile', title: 'Хранилище/.точка.md' },
  ])
})
