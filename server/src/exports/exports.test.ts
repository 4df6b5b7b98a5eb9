import { accounts } from '@kopilka/contract/accounts.ts'
import { exports } from '@kopilka/contract/exports.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { parse } from 'csv-parse/sync'
import { parseDocument } from 'htmlparser2'
import { describe, expect } from 'vitest'
import { parse as parseYaml } from 'yaml'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { keepPicture, largePng, readPicture } from '../testing/pictures.ts'
import { readZip } from '../testing/read-zip.ts'
import { readFile, runImport } from '../testing/send-file.ts'

type Query = Record<string, string>

const it = test
  /** Bytes and headers of GET /export/. */
  .extend('download', ({ app }) => async ({ auth }: Account, query: Query) => {
    const address = `${app.address}/api/v1/export/?${new URLSearchParams(query)}`
    const reply = await fetch(address, { headers: { authorization: `Bearer ${auth.token}` } })
    return { status: reply.status, headers: reply.headers, bytes: Buffer.from(await reply.arrayBuffer()) }
  })

const ADDRESS = 'https://example.org/путь?a=1&copy=2&b=%D0%BF+"<x>\'#якорь'

/** A note with a version and a tag, a pinned link, an item in the trash, and a tag without items. */
async function fill(app: TestApp, { auth }: Account) {
  const note = await app.call(
    notes.create,
    { body: { title: 'План: а/б', content: '<p>Первый <b>текст</b></p>', tags: ['Работа', 'дом, сад'] } },
    auth,
  )
  await app.call(
    notes.update,
    { params: { id: note.id }, body: { title: 'План: а/б', content: '<p>Второй <b>текст</b></p>' } },
    auth,
  )
  const link = await app.call(
    links.create,
    { body: { title: '=1+1', url: ADDRESS, description: '<p>Описание</p>', pinned: true, tags: ['Работа'] } },
    auth,
  )
  const trashed = await app.call(
    notes.create,
    { body: { title: 'Удалённая', content: '<p>x</p>', tags: ['работа', 'пустая'] } },
    auth,
  )
  await app.call(notes.remove, { params: { id: trashed.id } }, auth)
  return { note, link, trashed }
}

const linesOf = async (bytes: Buffer) => {
  const text = (await readZip(bytes)).get('kopilka.json')?.toString() ?? ''
  return text
    .trim()
    .split('\n')
    .map((line): Record<string, unknown> => JSON.parse(line))
}

describe('an archive', () => {
  it('has every tag, item and version, and the trash', async ({ app, account, download }) => {
    const { note, link } = await fill(app, account)
    const { bytes, headers } = await download(account, { format: 'archive', trash: '1', versions: '1' })
    expect(headers.get('content-type')).toBe('application/zip')
    expect(decodeURIComponent(headers.get('content-disposition') ?? '')).toMatch(
      /^attachment; filename="_\d{4}-\d\d-\d\d\.zip"; filename\*=UTF-8''Копилка \d{4}-\d\d-\d\d\.zip$/,
    )
    const [about, ...lines] = await linesOf(bytes)
    expect(about).toEqual({ type: 'kopilka', version: 1, exported_at: expect.any(String) })
    expect(lines).toEqual([
      { type: 'tag', name: 'дом, сад' },
      { type: 'tag', name: 'пустая' },
      { type: 'tag', name: 'Работа' },
      {
        ...{ type: 'note', title: 'План: а/б', content: '<p>Второй <b>текст</b></p>', pinned: false },
        ...{ tags: ['Работа', 'дом, сад'], revision: 2, created_at: note.created_at },
        updated_at: expect.any(String),
      },
      {
        ...{ type: 'version', title: 'План: а/б', content: '<p>Первый <b>текст</b></p>' },
        ...{ tags: ['Работа', 'дом, сад'], revision: 1, saved_at: note.updated_at },
        replaced_at: expect.any(String),
      },
      {
        ...{ type: 'urllink', title: '=1+1', url: ADDRESS, description: '<p>Описание</p>', pinned: true },
        ...{ tags: ['Работа'], revision: 1, created_at: link.created_at, updated_at: link.updated_at },
      },
      {
        ...{ type: 'note', title: 'Удалённая', content: '<p>x</p>', pinned: false, revision: 1 },
        ...{ tags: ['Работа', 'пустая'], created_at: expect.any(String), updated_at: expect.any(String) },
        deleted_at: expect.any(String),
      },
    ])
  })

  it('has neither the trash nor versions unless asked for', async ({ app, account, download }) => {
    await fill(app, account)
    const { bytes } = await download(account, { format: 'archive' })
    const types = (await linesOf(bytes)).map(({ type, deleted_at }) => deleted_at ?? type)
    expect(types).toEqual(['kopilka', 'tag', 'tag', 'tag', 'note', 'urllink'])
  })

  it('has the same bytes but for the date of the export', async ({ app, account, download }) => {
    await fill(app, account)
    const contents = async () => {
      const files = await readZip((await download(account, { format: 'archive', trash: '1' })).bytes)
      return [...files].map(([name, bytes]) => [name, bytes.toString().replace(/^.*"exported_at".*\n/, '')])
    }
    expect(await contents()).toEqual(await contents())
  })

  it('has the long texts and the many items of several batches, each once', async ({
    app,
    account,
    download,
  }) => {
    const long = `<p>${'длинный текст '.repeat(12_000)}</p>`
    for (const title of ['один', 'два', 'три']) {
      const { id } = await app.call(notes.create, { body: { title, content: long } }, account.auth)
      await app.call(
        notes.update,
        { params: { id }, body: { title: `${title}!`, content: long } },
        account.auth,
      )
    }
    await Promise.all(
      Array.from({ length: 220 }, (_, at) =>
        app.call(notes.create, { body: { title: `${at}`, content: 'x' } }, account.auth),
      ),
    )
    const { bytes } = await download(account, { format: 'archive', versions: '1' })
    const lines = (await linesOf(bytes)).slice(1)
    const titles = lines.filter(({ type }) => type === 'note').map(({ title }) => String(title))
    expect(titles.slice(0, 3)).toEqual(['один!', 'два!', 'три!'])
    expect(new Set(titles).size).toBe(223)
    expect(lines.filter(({ type }) => type === 'version').map(({ title }) => title)).toEqual([
      'один',
      'два',
      'три',
    ])
    for (const { content, title } of lines.filter(({ content }) => content !== 'x'))
      expect([title, content]).toEqual([title, long.replace(/\s+<\/p>/, ' </p>')])
  })
})

describe('a file of bookmarks', () => {
  it('has every address byte for byte, with tags, dates and descriptions', async ({
    app,
    account,
    download,
  }) => {
    const { link } = await fill(app, account)
    const { bytes, headers } = await download(account, { format: 'netscape' })
    expect(headers.get('content-disposition')).toMatch(/\.html$/)
    const document = parseDocument(bytes.toString())
    const found: unknown[] = []
    const visit = (nodes: typeof document.children): void => {
      for (const node of nodes) {
        if ('attribs' in node && node.name === 'a') found.push(node.attribs)
        if ('children' in node) visit(node.children)
      }
    }
    visit(document.children)
    const date = String(Math.floor(Date.parse(link.created_at) / 1000))
    expect(found).toEqual([{ href: ADDRESS, add_date: date, last_modified: date, tags: 'Работа' }])
    expect(bytes.toString()).toContain('>=1+1</A>\n    <DD>Описание\n')
  })
})

describe('a file of bookmarks that is imported', () => {
  it.for([['Нижний Новгород'], ['Нижний Новгород', 'дом, сад', 'a\u201Ab', '"<&']])(
    'gives the tags %j back',
    async (names, { app, account, owner, download }) => {
      const url = `https://example.org/${account.id}`
      const body = { title: 'x', url, description: 'x', tags: names }
      await app.call(links.create, { body }, account.auth)
      const { bytes } = await download(account, { format: 'netscape' })
      await runImport(app, owner, (await readFile(app, owner, bytes)).id)
      const { results } = await app.call(links.list, { query: {} }, owner.auth)
      const returned = results.find((link) => link.url === url)?.tags.map(({ name }) => name)
      expect(returned?.sort()).toEqual(names.toSorted())
    },
  )
})

describe('Markdown', () => {
  it('is a file for each item, with safe names of their own', async ({ app, account, download }) => {
    await fill(app, account)
    for (const title of ['план  а б', 'ПЛАН а б', 'CON', 'con.foo', '../../x', '...', '🦔'.repeat(120)])
      await app.call(
        notes.create,
        { body: { title, content: '<h2>А</h2><ul><li>б</li></ul>' } },
        account.auth,
      )
    const files = await readZip((await download(account, { format: 'markdown', trash: '1' })).bytes)
    expect([...files.keys()]).toEqual([
      'План а б.md',
      'план а б 2.md',
      'ПЛАН а б 3.md',
      'CON_.md',
      'con_.foo.md',
      'x.md',
      'Без названия.md',
      `${'🦔'.repeat(50)}.md`,
      '=1+1.md',
      'Корзина/Удалённая.md',
    ])
    const [, matter = '', body = ''] =
      /^---\n([\s\S]*?)\n---\n\n([\s\S]*)$/.exec(String(files.get('План а б.md'))) ?? []
    expect(parseYaml(matter)).toEqual({
      ...{ title: 'План: а/б', tags: ['Работа', 'дом, сад'] },
      ...{ created: expect.any(String), updated: expect.any(String) },
    })
    expect(body).toBe('Второй **текст**\n')
    expect(String(files.get('CON_.md'))).toMatch(/## А\n\n- {3}б\n$/)
    expect(parseYaml(String(files.get('=1+1.md')).split('---\n')[1] ?? '')).toMatchObject({
      source: ADDRESS,
      pinned: true,
    })
  })

  it('numbers names that file systems take for one, whatever letters they have', async ({
    app,
    account,
    download,
  }) => {
    const titles = ['Straße', 'STRASSE', 'ﬁn', 'Fin', 'ΟΔΟΣ', 'οδος', 'οδοσ']
    for (const title of titles) await app.call(notes.create, { body: { title, content: 'т' } }, account.auth)
    const files = await readZip((await download(account, { format: 'markdown' })).bytes)
    expect([...files.keys()]).toEqual([
      ...['Straße.md', 'STRASSE 2.md', 'ﬁn.md', 'Fin 2.md', 'ΟΔΟΣ.md', 'οδος 2.md', 'οδοσ 3.md'],
    ])
  })

  it('comes back with the trash in the trash, and adds nothing the second time', async ({
    app,
    account,
    download,
  }) => {
    const { trashed } = await fill(app, account)
    const { bytes } = await download(account, { format: 'markdown', trash: '1' })
    const other = await newAccount(app)
    const deletions = async ({ auth }: Account) => (await app.call(trash.list, { query: {} }, auth)).results
    const [deleted] = await deletions(account)
    for (const expected of [
      { new: 3, same: 0, ignored: 0, broken: 0 },
      { new: 0, same: 3, ignored: 0, broken: 0 },
    ]) {
      const { id, summary } = await readFile(app, other, bytes)
      expect(summary).toMatchObject(expected)
      await runImport(app, other, id, { folders: 'tags' })
      const { results } = await app.call(notes.list, { query: {} }, other.auth)
      expect(results.map(({ title }) => title)).toEqual(['План: а/б'])
      expect(await deletions(other)).toEqual([
        {
          ...{ ...deleted, id: expect.any(String) },
          tags: trashed.tags.map(({ name }) => ({ id: expect.any(String), name })),
        },
      ])
    }
  })
})

describe('pictures in Markdown', () => {
  it('are files beside it, and come back with it', async ({ app, account, owner, download }) => {
    const picture = await keepPicture(app, account, largePng(300_000))
    const unused = await keepPicture(app, account, largePng(1_000, 2))
    const missing = `<img src="/api/v1/files/${unused.id.replace(/^./, (digit) => (digit === 'a' ? 'b' : 'a'))}/">`
    const content = `<p>До <img src="${picture.url}" alt="Кот"> после</p><table><tr><td><img src="${picture.url}"></td></tr></table>`
    const create = (title: string, content: string) =>
      app.call(notes.create, { body: { title, content } }, account.auth)
    await create('С картинкой', content)
    await create('Без неё', `<p>${missing} ${picture.url}</p>`)
    const { id } = await create('Удалённая', `<img src="${picture.url}">`)
    await app.call(notes.remove, { params: { id } }, account.auth)
    const { bytes } = await download(account, { format: 'markdown', trash: '1' })
    const files = await readZip(bytes)
    const name = `files/${picture.id}.png`
    expect([...files.keys()]).toEqual(['С картинкой.md', 'Без неё.md', 'Корзина/Удалённая.md', name])
    expect(String(files.get('С картинкой.md'))).toContain(`До ![Кот](${name}) после`)
    expect(String(files.get('С картинкой.md'))).toContain(`<td><img src="${name}"`)
    expect(String(files.get('Без неё.md'))).toContain(`${picture.url}`)
    expect(String(files.get('Корзина/Удалённая.md'))).toContain(`![](../${name})`)
    const stored = await readPicture(app, account, picture.id)
    expect(files.get(name)?.equals(stored.bytes)).toBe(true)

    const read = await readFile(app, owner, bytes)
    expect(read).toMatchObject({
      format: 'markdown',
      state: 'ready',
      summary: { notes: 3, broken: 0, ignored: 0 },
    })
    expect(await runImport(app, owner, read.id, { duplicates: 'add' })).toMatchObject({ state: 'done' })
    const { results } = await app.call(notes.list, { query: {} }, owner.auth)
    const returned = results.find(({ title }) => title === 'С картинкой')
    expect(returned?.content.split(picture.url)).toHaveLength(3)
    expect(returned?.content.match(/width="\d+" height="\d+"/g)).toHaveLength(2)
    expect((await readPicture(app, owner, picture.id)).bytes.equals(stored.bytes)).toBe(true)
  })
})

describe('other formats', () => {
  it('are a table that starts no formula', async ({ app, account, download }) => {
    await fill(app, account)
    const { bytes } = await download(account, { format: 'csv', trash: '1' })
    const rows = parse<Record<string, string>>(bytes, { columns: true, bom: true })
    expect(rows).toMatchObject([
      { kind: 'note', title: 'План: а/б', text: 'Второй текст', html: '<p>Второй <b>текст</b></p>' },
      { kind: 'urllink', title: "'=1+1", url: ADDRESS, tags: 'Работа', pinned: '1', deleted_at: '' },
      { title: 'Удалённая', deleted_at: expect.stringMatching(/Z$/) },
    ])
  })

  it('are a table that comes back with the commas of tags and the apostrophes of titles', async ({
    app,
    account,
    download,
  }) => {
    const items: [title: string, tags: string[]][] = [
      ['=1+1', ['дом', 'сад']],
      ["'=1+1", ['дом, сад', 'лес']],
      ["''-1", ['a,b']],
      ["'Тихий Дон'", ['["x"]']],
      ["'", ['["x']],
      ['"', ['=y', 'z']],
    ]
    for (const [title, tags] of items)
      await app.call(notes.create, { body: { title, content: '<p>x</p>', tags } }, account.auth)
    const { bytes } = await download(account, { format: 'csv' })
    const rows = parse<{ title: string; tags: string }>(bytes, { columns: true, bom: true })
    expect(new Map(rows.map(({ title, tags }) => [title, tags]))).toEqual(
      new Map([
        ["'=1+1", 'дом, сад'],
        ["''=1+1", '["дом, сад","лес"]'],
        ["'''-1", '["a,b"]'],
        ["'Тихий Дон'", '["[\\"x\\"]"]'],
        ["'", '["[\\"x"]'],
        ['"', "'=y, z"],
      ]),
    )
    const other = await newAccount(app)
    const { result } = await runImport(app, other, (await readFile(app, other, bytes)).id)
    expect(result).toMatchObject({ added: items.length })
    const { results } = await app.call(notes.list, { query: {} }, other.auth)
    const named = results.map(({ title, tags }) => [title, tags.map(({ name }) => name)] as const)
    expect(new Map(named)).toEqual(new Map(items))
  })

  it('are JSON, also of nothing', async ({ app, account, download }) => {
    const empty = JSON.parse(String((await download(account, { format: 'json' })).bytes))
    expect(empty).toEqual({ exported_at: expect.any(String), tags: [], items: [] })
    const { note, link } = await fill(app, account)
    const whole = JSON.parse(String((await download(account, { format: 'json' })).bytes))
    expect(whole.tags).toEqual(['дом, сад', 'пустая', 'Работа'])
    expect(whole.items).toMatchObject([
      { kind: 'note', content: '<p>Второй <b>текст</b></p>', created_at: note.created_at },
      { kind: 'urllink', url: link.url, description: '<p>Описание</p>' },
    ])
  })

  it('are JSON that comes back whole, with tags without items and the trash', async ({
    app,
    account,
    download,
  }) => {
    await fill(app, account)
    const exported = async (of: typeof account) => {
      const { bytes } = await download(of, { format: 'json', trash: '1' })
      const { exported_at, ...rest } = JSON.parse(String(bytes))
      return { bytes, rest }
    }
    const { bytes, rest } = await exported(account)
    const other = await newAccount(app)
    const { format, result } = await runImport(app, other, (await readFile(app, other, bytes)).id)
    expect(format).toBe('kopilka-json')
    expect(result).toMatchObject({ added: rest.items.length, broken: 0 })
    expect((await exported(other)).rest).toEqual(rest)
  })
})

describe('what is exported', () => {
  it.for([
    [{}, ['План: а/б', '=1+1']],
    [{ kind: 'note' }, ['План: а/б']],
    [{ kind: 'urllink', trash: '1' }, ['=1+1']],
    [{ search: 'текст' }, ['План: а/б']],
    [{ search: 'удалённая', trash: '1' }, ['Удалённая']],
    [{ untagged: '1', trash: '1' }, []],
    [{ trash: '1' }, ['План: а/б', '=1+1', 'Удалённая']],
  ] as const)('follows the filter %j', async ([query, titles], { app, account, download }) => {
    await fill(app, account)
    const { bytes } = await download(account, { format: 'json', ...query })
    const { items } = JSON.parse(String(bytes))
    expect(items.map(({ title }: { title: string }) => title)).toEqual(titles)
  })

  it('follows a tag, also into the trash', async ({ app, account, download }) => {
    const { note, trashed } = await fill(app, account)
    const titles = async (tag = '') => {
      const { bytes } = await download(account, { format: 'json', tag, trash: '1' })
      return JSON.parse(String(bytes)).items.map(({ title }: { title: string }) => title)
    }
    expect(await titles(note.tags.find(({ name }) => name === 'Работа')?.id)).toEqual([
      'План: а/б',
      '=1+1',
      'Удалённая',
    ])
    expect(await titles(trashed.tags.find(({ name }) => name === 'пустая')?.id)).toEqual(['Удалённая'])
    const unknown = await download(account, { format: 'json', tag: account.id })
    expect([unknown.status, JSON.parse(String(unknown.bytes)).detail]).toEqual([
      404,
      'Категория не найдена. Возможно, её уже удалили.',
    ])
  })

  it.for([
    [{ format: 'netscape', trash: '1' }, 'trash', 'В файле закладок корзины нет: выберите другой формат'],
    [{ format: 'csv', versions: '1' }, 'versions', 'Прежние версии есть только в архиве Копилки'],
    [{ format: 'netscape', kind: 'note' }, 'kind', 'В файле закладок заметок нет: выберите другой формат'],
  ] as const)(
    'is refused where the format has no place for it: %j',
    async ([query, field, message], { account, download }) => {
      const { status, bytes } = await download(account, query)
      expect([status, JSON.parse(String(bytes))[field]]).toEqual([400, [message]])
    },
  )
})

/** Gives the account more than the buffers of a connection take. */
async function fillWithMegabytes(app: TestApp, { auth }: Account) {
  const content = 'длинно '.repeat(70_000)
  for (const title of ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10', '11', '12'])
    await app.call(notes.create, { body: { title, content } }, auth)
}

it('begins for another owner while one does not read two of theirs; a third of theirs waits', async ({
  app,
  account,
  owner,
  download,
}) => {
  await fillWithMegabytes(app, account)
  const begin = () =>
    fetch(`${app.address}/api/v1/export/?format=json`, {
      headers: { authorization: `Bearer ${account.auth.token}` },
    })
  const unread = [await begin(), await begin()]
  let hasBegun = false
  const third = begin().finally(() => {
    hasBegun = true
  })
  expect((await download(owner, { format: 'json' })).status).toBe(200)
  expect(hasBegun).toBe(false)
  await unread[0]?.body?.cancel()
  const reply = await third
  expect(reply.status).toBe(200)
  for (const { body } of [...unread.slice(1), reply]) await body?.cancel()
})

it('ends with the server, however slowly it is read', async ({ startApp }) => {
  const app = await startApp()
  const account = await newAccount(app)
  const { auth } = account
  await fillWithMegabytes(app, account)
  const reply = await fetch(`${app.address}/api/v1/export/?format=json`, {
    headers: { authorization: `Bearer ${auth.token}` },
  })
  const closed = app.close()
  await expect(reply.text()).rejects.toThrow()
  await closed
})

describe('a link to a file', () => {
  it('gives it once, without a token of a session', async ({ app, account }) => {
    await fill(app, account)
    const { url } = await app.call(exports.create, { body: { format: 'json', kind: 'note' } }, account.auth)
    const first = await fetch(`${app.address}${url}`)
    expect(JSON.parse(await first.text()).items).toHaveLength(1)
    const second = await app.send('GET', url)
    expect([second.status, second.body]).toEqual([
      404,
      { detail: 'Ссылка на файл недействительна или устарела. Запросите новую.' },
    ])
  })

  it('names items by their ids, all of which exist', async ({ app, account, owner }) => {
    const owned = await app.call(notes.create, { body: { title: 'x', content: 'x' } }, owner.auth)
    const { link, trashed } = await fill(app, account)
    const request = (body: object) =>
      app.request(exports.create, { body: { format: 'csv', ...body } }, account.auth)
    const linesOf = async (body: object) => {
      const { url } = await app.call(exports.create, { body: { format: 'csv', ...body } }, account.auth)
      return (await (await fetch(`${app.address}${url}`)).text()).trimEnd().split('\r\n')
    }
    expect(await linesOf({ ids: [link.id] })).toHaveLength(2)
    expect(await linesOf({ ids: [link.id, trashed.id], trash: true })).toHaveLength(3)
    expect((await request({ ids: [link.id], kind: 'note' })).status).toBe(400)
    for (const id of [trashed.id, account.id, owned.id])
      expect((await request({ ids: [link.id, id] })).status).toBe(404)
  })

  it('to bookmarks is refused where only notes are chosen', async ({ app, account }) => {
    const { note, link } = await fill(app, account)
    const request = (ids: string[]) =>
      app.request(exports.create, { body: { format: 'netscape', ids } }, account.auth)
    expect(await request([note.id])).toMatchObject({
      status: 400,
      body: { ids: ['В файле закладок заметок нет: выберите другой формат'] },
    })
    expect((await request([note.id, link.id])).status).toBe(201)
  })

  it('is over after a minute, and with its session', async ({ startApp }) => {
    const app = await startApp()
    const account = await newAccount(app)
    const link = () => app.call(exports.create, { body: { format: 'csv' } }, account.auth)
    const late = await link()
    app.advance(60_001)
    expect((await app.send('GET', late.url)).status).toBe(404)
    app.advance(-60_001)
    const left = await link()
    await app.call(accounts.logout, {}, account.auth)
    expect((await app.send('GET', left.url)).status).toBe(404)
  })
})

it.for(['csv', 'json', 'markdown', 'netscape'])(
  'keeps every space of titles and tags in %s for its own import',
  async (format, { app, account, download }) => {
    const lines = ['a\u00A0b', 'a  b', 'a\u2003\u2003b', 'a\u2028b']
    for (const [at, title] of lines.entries()) {
      const body = { title, tags: [`${title} c`] }
      await app.call(
        links.create,
        { body: { ...body, url: `https://example.org/${at}`, description: '<p>x</p>' } },
        account.auth,
      )
      if (format !== 'netscape')
        await app.call(notes.create, { body: { ...body, content: '<p>x</p>' } }, account.auth)
    }
    const { bytes } = await download(account, { format })
    expect(await readFile(app, account, bytes)).toMatchObject({ summary: { new: 0, broken: 0, ignored: 0 } })
    const other = await newAccount(app)
    const read = await readFile(app, other, bytes)
    await runImport(app, other, read.id, {})
    const of = async ({ auth }: Account) => {
      const lists = [
        await app.call(links.list, { query: {} }, auth),
        await app.call(notes.list, { query: {} }, auth),
      ]
      return lists
        .flatMap(({ results }) => results.map(({ title, tags }) => [title, tags.map(({ name }) => name)]))
        .sort()
    }
    expect(await of(other)).toEqual(await of(account))
  },
)

it('is never made for a HEAD alone, and takes a tag of any name', async ({ app, account, download }) => {
  const head = await fetch(`${app.address}/api/v1/export/?format=csv`, { method: 'HEAD' })
  expect([head.status, head.headers.get('allow')]).toEqual([405, 'GET'])
  for (const name of ['=x', '"', '<b>', '\u202Eтег'])
    await app.call(notes.create, { body: { title: name, content: 'x', tags: [name] } }, account.auth)
  const all = await app.call(tags.list, { query: {} }, account.auth)
  const { bytes } = await download(account, { format: 'json' })
  expect(JSON.parse(String(bytes)).tags.sort()).toEqual(all.map(({ name }) => name).sort())
})
