import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { links } from '@kopilka/contract/links.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { type TokenScope, tokens } from '@kopilka/contract/tokens.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { describe, expect } from 'vitest'
import * as z from 'zod/mini'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { startPageServer } from '../testing/page-server.ts'

/** linkding's bookmark; the keys are strict, because clients need each of them. */
const bookmark = z.strictObject({
  id: z.int(),
  url: z.string(),
  title: z.string(),
  description: z.string(),
  notes: z.string(),
  web_archive_snapshot_url: z.url(),
  favicon_url: z.null(),
  preview_image_url: z.null(),
  is_archived: z.boolean(),
  unread: z.boolean(),
  shared: z.boolean(),
  tag_names: z.array(z.string()),
  date_added: z.iso.datetime(),
  date_modified: z.iso.datetime(),
  website_title: z.null(),
  website_description: z.null(),
})
const list = z.strictObject({
  count: z.int(),
  next: z.nullable(z.url()),
  previous: z.nullable(z.url()),
  results: z.array(bookmark),
})
const tag = z.strictObject({ id: z.int(), name: z.string(), date_added: z.iso.datetime() })
const tagList = z.extend(list, { results: z.array(tag) })

async function clientOf(app: TestApp, { auth }: Account, scope: TokenScope = 'write') {
  const { token } = await app.call(tokens.create, { body: { name: 'linkding', scope } }, auth)
  const headers = { authorization: `Token ${token}` }
  const send = (method: string, path: string, body?: unknown) =>
    app.send(method, `/linkding/api${path}`, body, { headers })
  const save = async (body: object, query = '?disable_scraping') => {
    const reply = await send('POST', `/bookmarks/${query}`, body)
    expect([reply.status, reply.body]).toEqual([201, expect.anything()])
    return bookmark.parse(reply.body)
  }
  const read = async (path: string) => {
    const { status, body } = await send('GET', path)
    expect([status, body]).toEqual([200, expect.anything()])
    return body
  }
  return {
    token,
    send,
    save,
    read,
    list: async (path = '/bookmarks/') => list.parse(await read(path)),
    urls: async (path = '/bookmarks/') => list.parse(await read(path)).results.map(({ url }) => url),
  }
}

type Client = Awaited<ReturnType<typeof clientOf>>

const it = test
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from this pattern
  .extend('pages', { scope: 'file' }, async ({}, { onCleanup }) => {
    const server = await startPageServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
      response.end('<title>Заголовок страницы</title><meta name="description" content="Её описание">')
    })
    onCleanup(() => server.close())
    return server
  })
  .extend('options', { scope: 'file' }, { settings: { FETCH_ALLOW: '127.0.0.1' } })
  .extend('client', async ({ app, account }): Promise<Client> => clientOf(app, account))

const PAGE = { url: 'https://example.org/a', title: 'Ёж', description: 'О еже', notes: 'раз\n\n  два' }

describe('a bookmark', () => {
  it('comes back as it was sent, under a whole number that stays', async ({ client, app, account }) => {
    const saved = await client.save({ ...PAGE, tag_names: ['b', 'Чтение'], unread: true, shared: true })
    expect(saved).toMatchObject({ ...PAGE, tag_names: ['b', 'Чтение'], unread: true, shared: false })
    expect(saved.web_archive_snapshot_url).toMatch(/\/web\/\d{14}\/https:\/\/example.org\/a$/)
    const second = await client.save({ url: 'https://example.org/b' })
    expect([second.title, second.id]).toEqual(['https://example.org/b', saved.id + 1])
    expect(await client.read(`/bookmarks/${saved.id}/`)).toEqual(saved)

    const { results } = await app.call(links.list, { query: {} }, account.auth)
    const kept = results.find(({ title }) => title === 'Ёж')
    expect(kept).toMatchObject({ description: '<p>О еже</p><hr /><p>раз<br /><br />\u00A0\u00A0два</p>' })
    expect(kept?.tags.map(({ name }) => name)).toEqual(['не прочитано', 'Чтение', 'b'])
    const id = kept?.id ?? ''
    const deletion = await app.request(links.remove, { params: { id } }, account.auth)
    expect((await client.send('GET', `/bookmarks/${saved.id}/`)).status).toBe(404)
    await app.send(
      'POST',
      `/api/v1/operations/${deletion.headers.get('operation')}/undo/`,
      undefined,
      account.auth,
    )
    expect(await client.read(`/bookmarks/${saved.id}/`)).toMatchObject({ id: saved.id, title: 'Ёж' })
  })

  it('that is posted again is overwritten with 201: empty fields and tags too', async ({ client }) => {
    const first = await client.save({ ...PAGE, tag_names: ['a', 'b'], unread: true, is_archived: true })
    const again = await client.save({ url: 'http://www.example.org/a/?utm_source=x', tag_names: ['c'] })
    expect(again).toMatchObject({
      ...{ id: first.id, url: PAGE.url, description: '', notes: '', tag_names: ['c'], unread: false },
      ...{ is_archived: true, date_added: first.date_added },
    })
    expect((await client.list('/bookmarks/archived/')).count).toBe(1)
  })

  it('that is posted by many requests at once is one', async ({ client }) => {
    const spellings = ['https://once.org/a', 'http://www.once.org/a/', 'https://once.org/a?utm_source=x']
    const saved = await Promise.all([...spellings, ...spellings].map((url) => client.save({ url })))
    expect(new Set(saved.map(({ id }) => id)).size).toBe(1)
    expect((await client.list()).count).toBe(1)
  })

  it('keeps what PUT and PATCH do not send', async ({ client }) => {
    const { id } = await client.save({ ...PAGE, tag_names: ['a'], unread: true })
    for (const [method, body] of [
      ['PUT', { url: PAGE.url }],
      ['PATCH', {}],
      ['PATCH', { unread: true }],
    ] as const) {
      const reply = await client.send(method, `/bookmarks/${id}/`, body)
      expect([reply.status, reply.body]).toMatchObject([200, { ...PAGE, tag_names: ['a'], unread: true }])
    }
    const { body } = await client.send('PATCH', `/bookmarks/${id}/`, { tag_names: ['x'], unread: false })
    expect(body).toMatchObject({ ...PAGE, tag_names: ['x'], unread: false })
    expect((await client.send('PUT', `/bookmarks/${id}/`, { title: 'y' })).body).toEqual({
      url: ['This field is required.'],
    })
    const other = await client.save({ url: 'https://example.org/other' })
    const taken = await client.send('PATCH', `/bookmarks/${other.id}/`, { url: 'http://example.org/a' })
    expect([taken.status, taken.body]).toEqual([400, { url: ['A bookmark with this URL already exists.'] }])
  })

  it('keeps the formatting of a text that a client sends back as it saw it', async ({
    client,
    app,
    account,
  }) => {
    const description = '<p>Текст <b>жирный</b></p><ul><li>раз</li></ul>'
    const body = { url: PAGE.url, title: 'x', description, tags: ['мой тег', 'другой, тег'] }
    const { id } = await app.call(links.create, { body }, account.auth)
    const [seen] = (await client.list()).results
    expect(seen).toMatchObject({ description: 'Текст жирный\nраз', tag_names: ['другой-тег', 'мой-тег'] })
    await client.save({ ...seen, title: 'y' })
    const kept = await app.call(links.read, { params: { id } }, account.auth)
    expect(kept).toMatchObject({ title: 'y', description })
    expect(kept.tags.map(({ name }) => name)).toEqual(['другой, тег', 'мой тег'])
  })

  it('is archived and deleted with 204 and no body', async ({ client, app, account }) => {
    const { id } = await client.save(PAGE)
    for (const [method, path] of [
      ['POST', 'archive/'],
      ['POST', 'unarchive'],
      ['DELETE', ''],
    ] as const) {
      const { status, body } = await client.send(method, `/bookmarks/${id}/${path}`)
      expect([status, body]).toEqual([204, { text: '' }])
      if (path === 'archive/')
        expect([await client.urls(), await client.urls('/bookmarks/archived/')]).toEqual([[], [PAGE.url]])
      if (path === 'unarchive') expect(await client.urls()).toEqual([PAGE.url])
    }
    expect(await client.urls()).toEqual([])
    const { results } = await app.call(trash.list, { query: {} }, account.auth)
    expect(results.map(({ url }) => url)).toEqual([PAGE.url])
  })

  it('gets empty fields from its page, unless disable_scraping is there without a value', async ({
    client,
    pages,
  }) => {
    const found = { title: 'Заголовок страницы', description: 'Её описание' }
    expect(await client.save({ url: `${pages.url}/1` }, '')).toMatchObject(found)
    expect(await client.save({ url: `${pages.url}/2`, title: 'Свой' }, '')).toMatchObject({
      ...found,
      title: 'Свой',
    })
    const connections = pages.connections()
    await client.save({ url: `${pages.url}/3` }, '?disable_scraping&disable_html_snapshot')
    expect(pages.connections()).toBe(connections)
    const inside = await client.save({ url: 'http://127.0.0.2:8080/' }, '')
    expect(inside).toMatchObject({ title: 'http://127.0.0.2:8080/', description: '' })
  })

  it('is refused in the words of Django where it is none', async ({ client }) => {
    const long = 'a'.repeat(2100)
    for (const [body, fields] of [
      [{}, { url: ['This field is required.'] }],
      [{ url: '' }, { url: ['This field may not be blank.'] }],
      [{ url: null }, { url: ['This field may not be null.'] }],
      [{ url: 'слова' }, { url: ['Enter a valid URL.'] }],
      [{ url: `https://x.org/${long}` }, { url: ['Ensure this field has no more than 2048 characters.'] }],
      [{ url: PAGE.url, title: 1 }, { title: ['Not a valid string.'] }],
      [{ url: PAGE.url, tag_names: 'a' }, { tag_names: ['Expected a list of items.'] }],
      [{ url: PAGE.url, unread: 'x' }, { unread: ['Must be a valid boolean.'] }],
      [{ url: PAGE.url, date_added: '+275760-09-13T00:00:00Z' }, { date_added: [expect.anything()] }],
      [{ url: PAGE.url, tag_names: [long] }, { tag_names: [expect.stringMatching(/50 characters/)] }],
      [
        { url: PAGE.url, tag_names: Array.from({ length: 51 }, (_, at) => `t${at}`) },
        { tag_names: [expect.stringMatching(/50 tags/)] },
      ],
      // Far too many are not looked at one by one: these are one tag, and no texts.
      [{ url: PAGE.url, tag_names: ['a,'.repeat(400)] }, { tag_names: [expect.stringMatching(/50 tags/)] }],
      [
        { url: PAGE.url, tag_names: Array.from({ length: 401 }, () => 1) },
        { tag_names: [expect.stringMatching(/50 tags/)] },
      ],
      [[], { non_field_errors: [expect.stringMatching(/Expected a dictionary/)] }],
    ] as const) {
      const reply = await client.send('POST', '/bookmarks/?disable_scraping', body)
      expect([reply.status, reply.body]).toEqual([400, fields])
    }
    expect((await client.list()).count).toBe(0)
  })

  it('takes a title of linkding’s length, dates, and tag names with commas and blanks', async ({
    client,
  }) => {
    const date_added = '2020-09-26T09:46:23.006313Z'
    const sent = {
      url: PAGE.url,
      title: 'я'.repeat(512),
      tag_names: ['a,b', ' два слова ', 'B', ''],
      date_added,
    }
    const saved = await client.save(sent)
    expect(saved).toMatchObject({ title: 'я'.repeat(255), date_added: '2020-09-26T09:46:23.006Z' })
    expect(saved.tag_names).toEqual(['a', 'b', 'два-слова'])
  })

  it('is refused in the words of Django also where it is long, and then saved or changed', async ({
    client,
  }) => {
    const notes = 'слово '.repeat(20_000).trim()
    const { id, notes: saved } = await client.save({ ...PAGE, notes })
    expect(saved).toBe(notes)
    for (const [method, path] of [
      ['POST', '/bookmarks/?disable_scraping'],
      ['PUT', `/bookmarks/${id}/`],
    ] as const) {
      const noUrl = await client.send(method, path, { notes })
      expect([noUrl.status, noUrl.body]).toEqual([400, { url: ['This field is required.'] }])
      const wrong = await client.send(method, path, { url: PAGE.url, notes, unread: 'x', title: 1 })
      expect([wrong.status, wrong.body]).toEqual([
        400,
        { unread: ['Must be a valid boolean.'], title: ['Not a valid string.'] },
      ])
      const malformed = await client.send(method, path, `{"notes":"${notes}"`)
      expect([malformed.status, malformed.body.detail]).toEqual([
        400,
        expect.stringMatching(/^JSON parse error/),
      ])
    }
    const more = `${notes} ещё`
    const changed = await client.send('PATCH', `/bookmarks/${id}/`, { notes: more })
    expect([changed.status, changed.body]).toMatchObject([
      200,
      { url: PAGE.url, title: PAGE.title, notes: more },
    ])
  })
})

describe('check', () => {
  it('tells whether an address is kept, in any spelling, and what its page says', async ({
    client,
    pages,
  }) => {
    const url = `${pages.url}/страница`
    const asked = (address: string) => client.read(`/bookmarks/check/?url=${encodeURIComponent(address)}`)
    const metadata = { url, title: 'Заголовок страницы', description: 'Её описание', preview_image: null }
    expect(await asked(url)).toEqual({ bookmark: null, metadata, auto_tags: [] })
    const saved = await client.save({ url, title: 'Свой' })
    expect(await asked(`${encodeURI(url)}/#part`)).toMatchObject({
      bookmark: { id: saved.id },
      metadata: { url: `${encodeURI(url)}/#part`, title: 'Свой', description: null },
    })
    expect(await asked('http://127.0.0.2/')).toMatchObject({ bookmark: null, metadata: { title: null } })
    const missing = await client.send('GET', '/bookmarks/check/')
    expect([missing.status, missing.body]).toEqual([400, { url: ['This field is required.'] }])
  })
})

describe('a list', () => {
  it('has pages with absolute addresses that keep the other parameters', async ({ client, app }) => {
    for (let at = 0; at < 5; at += 1) await client.save({ url: `https://example.org/${at}`, title: 'Ёж' })
    const first = await client.list(`/bookmarks/?limit=2&q=${encodeURIComponent('ёж')}`)
    expect([first.count, first.results.map(({ url }) => url), first.previous]).toEqual([
      5,
      ['https://example.org/4', 'https://example.org/3'],
      null,
    ])
    const next = new URL(first.next ?? '')
    expect([next.origin, next.searchParams.get('q')]).toEqual([app.address, 'ёж'])
    const second = await client.list(`${next.pathname.replace('/linkding/api', '')}${next.search}`)
    expect(second.results.map(({ url }) => url)).toEqual(['https://example.org/2', 'https://example.org/1'])
    expect(new URL(second.previous ?? '').searchParams.get('offset')).toBeNull()
    expect((await client.list('/bookmarks?limit=2&offset=4')).next).toBeNull()
    expect(await client.list('/bookmarks/?offset=50')).toMatchObject({ count: 5, results: [] })
    for (const limit of ['undefined', '0', '-1', 'x', '9999999999'])
      expect((await client.list(`/bookmarks/?limit=${limit}&offset=x`)).results).toHaveLength(5)
  })

  it('is sorted and filtered as linkding does', async ({ client, app }) => {
    await client.save({ url: 'https://b.org/', title: 'Б', tag_names: ['x'], unread: true })
    app.advance(1000)
    await client.save({ url: 'https://a.org/', title: 'А', description: 'слово' })
    app.advance(1000)
    await client.save({ url: 'https://c.org/', title: 'В', tag_names: ['два слова'] })
    const archived = await client.save({ url: 'https://d.org/', title: 'Г слово' })
    await client.send('POST', `/bookmarks/${archived.id}/archive/`)
    const [, middle] = (await client.list()).results
    const since = encodeURIComponent(middle?.date_added ?? '')
    for (const [query, letters] of [
      ['', 'cab'],
      ['sort=added_asc', 'bac'],
      ['sort=title_asc', 'abc'],
      ['sort=title_desc', 'cba'],
      ['sort=nonsense', 'cab'],
      ['unread=yes', 'b'],
      ['unread=no', 'ca'],
      ['unread=off&shared=no', 'cab'],
      ['shared=yes', ''],
      [`added_since=${since}`, 'c'],
      ['q=%23x', 'b'],
      ['q=%23%D0%B4%D0%B2%D0%B0-%D1%81%D0%BB%D0%BE%D0%B2%D0%B0', 'c'],
      ['q=not%20%23x', 'ca'],
      [`q=${encodeURIComponent('слово')}`, 'ca'],
      [`q=${encodeURIComponent('"слово" and a.org')}`, 'a'],
      ['q=!unread', 'b'],
      ['q=!untagged', 'a'],
      ['q=nothinglikethis', ''],
      ['q=a.org or %23x', 'ab'],
      ['q=(a.org or b.org) not %23x', 'a'],
      ['q=not (a.org or b.org)', 'c'],
      ['q=not !unread', 'ca'],
      [`q=${encodeURIComponent("'слово' or c.org")}&limit=2`, 'ca'],
    ]) {
      const urls = await client.urls(`/bookmarks/?${query}`)
      expect([query, urls.map((url) => url[8]).join('')]).toEqual([query, letters])
    }
    expect(await client.urls(`/bookmarks/archived/?q=${encodeURIComponent('слово')}`)).toEqual([
      'https://d.org/',
    ])
    for (const [query, field] of [
      ['added_since=x', 'added_since'],
      [`q=${'(a or b) '.repeat(9)}`, 'q'],
    ]) {
      const wrong = await client.send('GET', `/bookmarks/?${query}`)
      expect([wrong.status, Object.keys(wrong.body)]).toEqual([400, [field]])
    }
  })

  it('reads no more than twenty links in one iteration of the event loop', async ({ startApp }) => {
    const said: string[] = []
    const app = await startApp({ onStatement: (sql) => said.push(sql) })
    const client = await clientOf(app, await newAccount(app))
    await Promise.all(
      Array.from({ length: 21 }, (_, at) => client.save({ url: `https://many.org/${at}`, tag_names: ['x'] })),
    )
    said.length = 0
    expect((await client.list()).results.map(({ tag_names }) => tag_names)).toEqual(Array(21).fill(['x']))
    expect(said.filter((sql) => /string_agg/.test(sql))).toHaveLength(2)
  })

  it('is refused where the header Host is no host, of which the address of another page is made', async ({
    client,
    app,
  }) => {
    for (const url of ['https://example.org/a', 'https://example.org/b']) await client.save({ url })
    const { hostname, port } = new URL(app.address)
    const headers = { host: '%', authorization: `Token ${client.token}` }
    const sent = get({ hostname, port, path: '/linkding/api/bookmarks/?limit=1', headers })
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.resume()
    expect(response.statusCode).toBe(400)
  })

  it('has the texts of long links as well', async ({ client }) => {
    const notes = 'слово '.repeat(20_000).trim()
    for (let at = 0; at < 2; at += 1) await client.save({ url: `https://long.org/${at}`, notes })
    expect((await client.list()).results.map((one) => one.notes)).toEqual([notes, notes])
  })
})

describe('tags', () => {
  it('are listed, created once, read without the slash, and deleted', async ({ client, app, account }) => {
    await client.save({ ...PAGE, tag_names: ['b', 'a'], unread: true })
    const made = await client.send('POST', '/tags/', { name: 'Новый тег' })
    expect([made.status, made.body]).toMatchObject([201, { name: 'Новый-тег' }])
    const again = await client.send('POST', '/tags/', { name: 'новый-ТЕГ' })
    expect([again.status, again.body]).toEqual([201, made.body])
    const all = tagList.parse(await client.read('/tags/?limit=5000'))
    expect(all.results.map(({ name }) => name)).toEqual(['Новый-тег', 'a', 'b'])
    expect(await client.read(`/tags/${made.body.id}`)).toEqual(made.body)
    const gone = await client.send('DELETE', `/tags/${made.body.id}/`)
    expect(gone.status).toBe(204)
    expect((await client.send('GET', `/tags/${made.body.id}/`)).body).toEqual({
      detail: 'No Tag matches the given query.',
    })
    expect((await client.send('POST', '/tags/', {})).body).toEqual({ name: ['This field is required.'] })
    const kept = await app.call(tags.list, { query: {} }, account.auth)
    expect(kept.map(({ name }) => name)).toEqual(['не прочитано', 'a', 'b'])
  })
})

describe('a client', () => {
  it('is known by Token and Bearer in any case, and refuses others in the words of Django', async ({
    app,
    client,
  }) => {
    const ask = async (authorization?: string) => {
      const headers = authorization === undefined ? {} : { authorization }
      const {
        status,
        body,
        headers: sent,
      } = await app.send('GET', '/linkding/api/tags/', undefined, { headers })
      return [status, body.detail, sent.get('www-authenticate')]
    }
    for (const word of ['Token', 'token', 'Bearer', 'bearer'])
      expect((await ask(`${word} ${client.token}`))[0]).toBe(200)
    expect(await ask()).toEqual([401, 'Authentication credentials were not provided.', 'Token'])
    expect(await ask('Token x')).toEqual([401, 'Invalid token.', 'Token'])
    expect(await ask('Token')).toEqual([401, expect.stringMatching(/No credentials/), 'Token'])
    expect(await ask('Token a b')).toEqual([401, expect.stringMatching(/spaces/), 'Token'])
  })

  it('with a token of the scope read changes nothing, and with feed sees nothing', async ({
    app,
    account,
  }) => {
    const reader = await clientOf(app, account, 'read')
    expect((await reader.list()).count).toBe(0)
    const refused = await reader.send('POST', '/bookmarks/', PAGE)
    expect([refused.status, refused.body.detail]).toEqual([403, expect.stringMatching(/нет права/)])
    const feed = await clientOf(app, account, 'feed')
    expect((await feed.send('GET', '/tags/')).status).toBe(403)
  })

  it("never sees another user's bookmarks and tags", async ({ app, client }) => {
    const saved = await client.save({ ...PAGE, tag_names: ['тайна'] })
    const [secret] = tagList.parse(await client.read('/tags/')).results
    const stranger = await clientOf(app, await newAccount(app))
    expect(await stranger.list()).toMatchObject({ count: 0, results: [] })
    for (const [method, path] of [
      ['GET', `/bookmarks/${saved.id}/`],
      ['PUT', `/bookmarks/${saved.id}/`],
      ['DELETE', `/bookmarks/${saved.id}/`],
      ['POST', `/bookmarks/${saved.id}/archive/`],
      ['GET', `/bookmarks/${saved.id}/assets/`],
      ['GET', `/tags/${secret?.id}/`],
      ['DELETE', `/tags/${secret?.id}/`],
    ] as const) {
      const reply = await stranger.send(method, path, method === 'PUT' ? PAGE : undefined)
      expect([path, reply.status]).toEqual([path, 404])
    }
    expect(await stranger.read(`/bookmarks/check/?url=${PAGE.url}`)).toMatchObject({ bookmark: null })
    expect(await client.read(`/bookmarks/${saved.id}/`)).toEqual(saved)
  })

  it('finds a profile, no bundles, no shared bookmarks and no files', async ({ app, client }) => {
    expect(await client.read('/user/profile/')).toMatchObject({ theme: 'auto', tag_search: 'strict' })
    const none = { count: 0, next: null, previous: null, results: [] }
    expect(await client.read('/bundles/')).toEqual(none)
    expect((await app.send('GET', '/linkding/api/bookmarks/shared/')).body).toEqual(none)
    const { id } = await client.save(PAGE)
    expect(await client.read(`/bookmarks/${id}/assets/`)).toEqual(none)
    for (const path of ['/bookmarks/singlefile/', `/bookmarks/${id}/assets/upload/`]) {
      const body = new FormData()
      body.set('file', new Blob(['x']), 'x.html')
      const headers = { authorization: `Token ${client.token}` }
      const reply = await fetch(`${app.address}/linkding/api${path}`, { method: 'POST', headers, body })
      expect([reply.status, await reply.json()]).toEqual([403, { error: 'Asset upload is disabled.' }])
    }
  })

  it('gets JSON and no 500, whatever it sends', async ({ client }) => {
    const { id } = await client.save(PAGE)
    for (const [method, path, body, status] of [
      ['GET', '/nothing/', undefined, 404],
      ['GET', '/bookmarks/x/', undefined, 404],
      ['GET', '/bookmarks/99999999999999999999/', undefined, 404],
      ['GET', '/bookmarks/%00/', undefined, 404],
      ['PUT', '/bookmarks/', PAGE, 405],
      ['POST', '/bundles/', {}, 405],
      ['OPTIONS', `/bookmarks/${id}/`, undefined, 405],
      ['POST', '/bookmarks/', '{"url":', 400],
      ['POST', '/bookmarks/', '{"__proto__":{}}', 400],
      ['PATCH', `/bookmarks/${id}/`, { date_added: 'x', notes: {} }, 400],
      ['PATCH', `/bookmarks/${id}/`, { title: '\u0000', notes: '\ud800' }, 200],
      ['GET', `/bookmarks/?q=${'%22'.repeat(300)}&limit=1e9&sort[]=x&offset=-5`, undefined, 200],
      ['POST', '/bookmarks/', { url: PAGE.url, notes: 'я'.repeat(600_000) }, 413],
    ] as const) {
      const reply = await client.send(method, path, body)
      expect([method, path.slice(0, 40), reply.status]).toEqual([method, path.slice(0, 40), status])
      expect(reply.headers.get('content-type')).toMatch(/^application\/json/)
    }
    const { status, headers } = await client.send('PUT', '/bookmarks/', PAGE)
    expect([status, headers.get('allow')]).toEqual([405, 'GET, POST'])
    const text = await client.send('POST', '/bookmarks/', undefined)
    expect(text.status).toBe(400)
  })
})

it('the address bar of the browser extension leads to our search, the bookmarklet to our form', async ({
  app,
}) => {
  for (const [path, location] of [
    ['bookmarks?q=%D1%91%D0%B6', '/home?search=%D1%91%D0%B6'],
    ['bookmarks', '/home'],
    [
      'bookmarks/new?url=https%3A%2F%2Fa.b%2F%3Fx&title=A%26B&auto_close',
      '/add?url=https%3A%2F%2Fa.b%2F%3Fx&title=A%26B',
    ],
    ['bookmarks/new?description=a&notes=b&tags=x+y', '/add?text=a%0A%0Ab&tags=x%2Cy'],
  ]) {
    const reply = await fetch(`${app.address}/linkding/${path}`, { redirect: 'manual' })
    expect([reply.status, reply.headers.get('location')]).toEqual([302, location])
  }
})
