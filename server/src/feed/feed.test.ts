import { connect } from 'node:net'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags as tagCalls } from '@kopilka/contract/tags.ts'
import { type TokenScope, tokens } from '@kopilka/contract/tokens.ts'
import { parseDocument } from 'htmlparser2'
import { expect, onTestFinished, vi } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

const said: string[] = []
const it = test.extend('options', { scope: 'file' }, () => ({
  settings: { PUBLIC_URL: 'https://kopilka.example' },
  onStatement: (statement: string) => void said.push(statement),
}))

const tokenOf = async (app: TestApp, { auth }: Account, scope: TokenScope = 'feed') =>
  (await app.call(tokens.create, { body: { name: 'лента', scope } }, auth)).token

async function read(
  app: TestApp,
  query: Record<string, string>,
  headers: Record<string, string> = {},
  method = 'GET',
) {
  const response = await fetch(`${app.address}/feed.xml?${new URLSearchParams(query)}`, { method, headers })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

const save = (app: TestApp, { auth }: Account, title: string, names: string[] = []) =>
  app.call(
    links.create,
    {
      body: {
        url: `https://example.org/${title}?a=1&b=2`,
        title,
        description: `<p>О <b>${title}</b></p>`,
        tags: names,
      },
    },
    auth,
  )

/** The texts of the elements of a name, in their order. */
function textsOf(xml: string, name: string): string[] {
  const found: string[] = []
  const visit = (nodes: readonly { type: string }[]): void => {
    for (const node of nodes) {
      if (!('children' in node) || !Array.isArray(node.children)) continue
      if ('name' in node && node.name === name)
        found.push(node.children.map((child) => child.data ?? '').join(''))
      visit(node.children)
    }
  }
  visit(parseDocument(xml, { xmlMode: true }).children)
  return found
}

const TOKEN =
  /<\?xml version="1.0" encoding="UTF-8"\?>|<(?<end>\/?)(?<name>[a-z]+)(?<attributes>(?: [a-z:]+="[^"<]*")*)(?<empty>\/?)>|(?<text>[^<]+)/y
/** Characters of XML 1.0 (section 2.2), with no other `&` than that of a predefined entity. */
const TEXT =
  /^(?:[\t\n\r\u0020-\u0025\u0027-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]|&(?:amp|lt|gt|quot);)*$/u

interface Element {
  name: string
  attributes: Record<string, string>
  children: Element[]
  text: string
}

/** The root of an XML document, which must be well-formed. */
function parsed(xml: string): Element {
  const root: Element = { name: '', attributes: {}, children: [], text: '' }
  const open = [root]
  for (TOKEN.lastIndex = 0; TOKEN.lastIndex < xml.length; ) {
    const at = TOKEN.lastIndex
    const found = TOKEN.exec(xml)
    expect(found, xml.slice(at, at + 80)).not.toBeNull()
    const { end, name = '', attributes = '', empty, text = '' } = found?.groups ?? {}
    expect(text + attributes).toMatch(TEXT)
    const parent = open.at(-1)
    if (text !== '' && parent) parent.text += text
    if (end === '/') expect(open.pop()?.name).toBe(name)
    else if (name !== '') {
      const pairs = [...attributes.matchAll(/ ([a-z:]+)="([^"]*)"/g)].map(([, key = '', value]) => [
        key,
        value,
      ])
      const element = { name, attributes: Object.fromEntries(pairs), children: [], text: '' }
      parent?.children.push(element)
      if (empty !== '/') open.push(element)
    }
  }
  expect(open).toEqual([root])
  expect([root.children.length, root.text.trim()]).toEqual([1, ''])
  return root.children[0] ?? root
}

/** Elements and how many of each there are: at least and at most (RFC 4287, sections 4.1.1 and 4.1.2). */
const FEED = {
  id: [1, 1],
  title: [1, 1],
  updated: [1, 1],
  author: [1, 1],
  link: [0, 1],
  entry: [0, 50],
} as const
const ENTRY = {
  id: [1, 1],
  title: [1, 1],
  updated: [1, 1],
  published: [0, 1],
  content: [1, 1],
  link: [0, 1],
  category: [0, 50],
} as const

/** Throws where a text is no valid Atom feed of ours. */
function expectAtom(xml: string): void {
  const feed = parsed(xml)
  expect([feed.name, feed.attributes]).toEqual(['feed', { xmlns: 'http://www.w3.org/2005/Atom' }])
  const check = (element: Element, allowed: Readonly<Record<string, readonly [number, number]>>) => {
    expect(element.text.trim()).toBe('')
    const names = element.children.map(({ name }) => name)
    expect(names.filter((name) => !(name in allowed))).toEqual([])
    for (const [name, [least, most]] of Object.entries(allowed)) {
      const { length } = names.filter((one) => one === name)
      expect([name, length >= least && length <= most]).toEqual([name, true])
    }
    for (const { name, text, attributes, children } of element.children) {
      if (name === 'id') expect(text).toMatch(/^urn:uuid:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/)
      if (name === 'updated' || name === 'published')
        expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      if (name === 'link')
        expect([attributes.rel, URL.canParse(attributes.href ?? '')]).toEqual(['alternate', true])
      if (name === 'category') expect(attributes.term).not.toBe('')
      if (name === 'content') expect(attributes).toEqual({ type: 'html' })
      if (name === 'author') expect(children.map((child) => child.name)).toEqual(['name'])
      else if (name !== 'entry') expect(children).toEqual([])
    }
  }
  check(feed, FEED)
  const entries = feed.children.filter(({ name }) => name === 'entry')
  for (const entry of entries) check(entry, ENTRY)
  const ids = entries.map(({ children }) => children.find(({ name }) => name === 'id')?.text)
  expect(new Set(ids).size).toBe(entries.length)
}

it('is an Atom feed of the newest links, and of those with a tag by its id or name', async ({
  app,
  account,
}) => {
  const token = await tokenOf(app, account)
  const empty = await read(app, { token })
  expect([empty.status, empty.headers.get('content-type')]).toEqual([
    200,
    'application/atom+xml; charset=utf-8',
  ])
  expect(textsOf(empty.text, 'updated')).toEqual(['1970-01-01T00:00:00.000Z'])
  const first = await save(app, account, 'раз', ['Чтение & <дом>'])
  app.advance(1000)
  const second = await save(app, account, 'два & "<b>" \uFFFE')
  await app.call(notes.create, { body: { title: 'заметка', content: 'x' } }, account.auth)
  const { text } = await read(app, { token })
  expect(text).toMatch(
    /^<\?xml version="1.0" encoding="UTF-8"\?>\n<feed xmlns="http:\/\/www.w3.org\/2005\/Atom">/,
  )
  expect(textsOf(text, 'title')).toEqual(['Копилка', 'два & "<b>" ', 'раз'])
  expect(textsOf(text, 'id')).toEqual([account, second, first].map(({ id }) => `urn:uuid:${id}`))
  expect(textsOf(text, 'updated')).toEqual([second, second, first].map((one) => one.updated_at))
  expect(textsOf(text, 'content').at(-1)).toBe('<p>О <b>раз</b></p>')
  expect(text).toContain('href="https://example.org/%D1%80%D0%B0%D0%B7?a=1&amp;b=2"')
  expect(text).toContain('<category term="Чтение &amp; &lt;дом&gt;"/>')
  expect(text).not.toContain(token)
  for (const tag of [first.tags[0]?.id ?? '', 'чтение & <дом>']) {
    const tagged = await read(app, { token, tag })
    expect(textsOf(tagged.text, 'title')).toEqual(['Копилка: Чтение & <дом>', 'раз'])
  }
  expect((await read(app, { token, tag: 'нет такой' })).status).toBe(404)
})

it('is valid Atom, whatever the links hold', async ({ app, account }) => {
  const token = await tokenOf(app, account)
  expectAtom((await read(app, { token })).text)
  const { tags } = await save(app, account, `]]> & < > " ' \u0085\uFFFF\uD83D \u{1F400}`, [
    'a & "b" <c>',
    'ещё',
  ])
  await save(app, account, 'второй')
  const body = {
    url: 'https://example.org/а б?"<>&',
    title: 'x',
    description: '<pre>a\tb ]]&gt;</pre>',
    tags: [],
  }
  await app.call(links.create, { body }, account.auth)
  const restored = await save(app, account, 'из копии')
  // As long as before: the text of an account is counted.
  const url = 'javascript:alert(1)//'.padEnd(Buffer.byteLength(restored.url), '/')
  await app.db
    .updateTable('items')
    .set({ url })
    .where('owner_id', '=', account.id)
    .where('id', '=', restored.id)
    .execute()
  const all = (await read(app, { token })).text
  expectAtom(all)
  expect(textsOf(all, 'entry')).toHaveLength(4)
  expect(all).not.toContain('javascript:')
  expectAtom((await read(app, { token, tag: tags[0]?.id ?? '' })).text)
})

it('has the newest links, pinned or not', async ({ app, account }) => {
  const token = await tokenOf(app, account)
  const pinned = await save(app, account, 'закреплённая')
  const { id, url, title, description } = pinned
  await app.call(
    links.update,
    { params: { id }, body: { url, title, description, pinned: true } },
    account.auth,
  )
  for (let at = 0; at < 50; at += 1) {
    app.advance(1000)
    await save(app, account, `ссылка ${at}`)
  }
  const titles = textsOf((await read(app, { token })).text, 'title').slice(1)
  expect(titles).toEqual(Array.from({ length: 50 }, (_, at) => `ссылка ${49 - at}`))
})

it('is not sent again while nothing has changed', async ({ app, account }) => {
  const token = await tokenOf(app, account)
  const { id } = await save(app, account, 'раз')
  const etag = (await read(app, { token })).headers.get('etag') ?? ''
  expect(etag).toMatch(/^"[\w-]{43}"$/)
  for (const known of [etag, `W/${etag}`, `"x", ${etag}`, '*']) {
    const reply = await read(app, { token }, { 'if-none-match': known })
    expect([known, reply.status, reply.text, reply.headers.get('etag')]).toEqual([known, 304, '', etag])
  }
  expect((await read(app, { token }, { 'if-none-match': '"x"' })).status).toBe(200)
  await app.request(links.remove, { params: { id } }, account.auth)
  const changed = await read(app, { token }, { 'if-none-match': etag })
  expect([changed.status, textsOf(changed.text, 'entry')]).toEqual([200, []])
})

/** Saves links whose texts are six times as long in the feed. */
async function saveQuotes(app: TestApp, { auth }: Account, count: number, length: number): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const url = `https://example.org/${at}`
    await app.call(
      links.create,
      { body: { url, title: `${at}`, description: '"'.repeat(length), tags: [] } },
      auth,
    )
  }
}

it('has fewer links where they would have more than five megabytes as they are sent', async ({
  app,
  account,
}) => {
  const token = await tokenOf(app, account)
  await saveQuotes(app, account, 5, 300_000)
  const { text } = await read(app, { token })
  expectAtom(text)
  expect(textsOf(text, 'title')).toEqual(['Копилка', '4', '3'])
  expect(text.length).toBeLessThan(5_000_000)
  await saveQuotes(app, account, 1, 400_000)
  expect(textsOf((await read(app, { token })).text, 'title')).toEqual(['Копилка', '0', '4'])
})

it('reads no long texts for a head, nor for who has it', async ({ app, account }) => {
  const token = await tokenOf(app, account)
  await saveQuotes(app, account, 1, 20_000)
  const bodyReads = () => said.filter((sql) => /^select "id", "body" from "items"/.test(sql)).length
  const before = bodyReads()
  const whole = await read(app, { token })
  expect(bodyReads()).toBe(before + 1)
  const head = await read(app, { token }, {}, 'HEAD')
  expect([head.status, head.text]).toEqual([200, ''])
  for (const name of ['etag', 'content-type', 'cache-control'])
    expect(head.headers.get(name)).toBe(whole.headers.get(name))
  const known = { 'if-none-match': whole.headers.get('etag') ?? '' }
  for (const method of ['GET', 'HEAD']) expect((await read(app, { token }, known, method)).status).toBe(304)
  expect(bodyReads()).toBe(before + 1)
})

it('has an entity tag of its own after a change of texts, tags, names of tags and their order', async ({
  app,
  account,
}) => {
  const token = await tokenOf(app, account)
  const etags = new Set<string>()
  const look = async () => etags.add((await read(app, { token })).headers.get('etag') ?? '')
  await look()
  const { id, url, title, description, tags } = await save(app, account, 'раз', ['тег'])
  await look()
  const update = (body: object) =>
    app.call(links.update, { params: { id }, body: { url, title, description, ...body } }, account.auth)
  await update({ description: '<p>два</p>' })
  await look()
  await update({ tags: ['тег', 'ещё'] })
  await look()
  await app.call(
    tagCalls.update,
    { params: { id: tags[0]?.id ?? '' }, body: { name: 'иначе' } },
    account.auth,
  )
  await look()
  await app.request(tagCalls.remove, { params: { id: tags[0]?.id ?? '' } }, account.auth)
  await look()
  expect(etags.size).toBe(6)
})

it('is refused, or makes others end, where two dozen are in memory that nobody reads', async ({ app }) => {
  const tokens = await Promise.all(
    Array.from({ length: 13 }, async () => {
      const account = await newAccount(app)
      await saveQuotes(app, account, 2, 400_000)
      return tokenOf(app, account)
    }),
  )
  let [refused, ended] = [0, 0]
  for (const token of [...tokens, ...tokens]) {
    const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.on('close', () => {
      ended += 1
    })
    socket.on('error', () => {})
    socket.once('data', (piece) => {
      socket.pause()
      if (piece.includes('HTTP/1.1 429')) refused += 1
    })
    socket.write(`GET /feed.xml?token=${token} HTTP/1.1\r\nhost: x\r\n\r\n`)
  }
  await vi.waitFor(() => expect(refused + ended).toBeGreaterThanOrEqual(2), { timeout: 90_000 })
}, 120_000)

it('opens by a token of the scope feed alone, to its owner alone', async ({ app, account }) => {
  await save(app, account, 'тайна')
  const own = await tokenOf(app, account)
  for (const [token, status] of [
    [await tokenOf(app, account, 'write'), 403],
    [await tokenOf(app, account, 'read'), 403],
    [account.auth.token, 403],
    ['', 401],
    ['kop_x', 401],
    [`${own}x`, 401],
  ] as const)
    expect((await read(app, { token })).status).toBe(status)
  expect((await read(app, {})).status).toBe(401)
  const stranger = await read(app, { token: await tokenOf(app, await newAccount(app)) })
  expect(stranger.text).not.toContain('тайна')
  expect(stranger.headers.get('cache-control')).toBe('private, no-cache')
})

it('responds to whatever stands in its address without a 500', async ({ app, account }) => {
  const token = await tokenOf(app, account)
  await save(app, account, 'раз', ['тег'])
  for (const [query, status] of [
    [`token=${token}&token=x&tag=&tag=y`, 200],
    [`token=${token}&tag=%00`, 404],
    [`token=${token}&tag=${encodeURIComponent("' or 1=1 --")}`, 404],
    [`token=${token}&tag=${'%D1%8F'.repeat(10_000)}`, 404],
    [`token=${token}&tag[]=x&__proto__=y`, 200],
    [`token=${token}%00`, 401],
    [`token[]=${token}`, 401],
    [`token=kop_${'%FF'.repeat(86)}`, 401],
    ['%E0%A4%A', 401],
  ] as const) {
    const { status: received } = await fetch(`${app.address}/feed.xml?${query}`)
    expect([query.slice(0, 120), received]).toEqual([query.slice(0, 120), status])
  }
  for (const known of ['"', ',', 'W/', '*, "x"', '"'.repeat(5000), 'W/W/"x"'])
    expect((await read(app, { token }, { 'if-none-match': known })).status).toBe(200)
})

it('opensearch.xml names our search under PUBLIC_URL', async ({ app }) => {
  const { status, headers, body } = await app.send('GET', '/opensearch.xml')
  expect([status, headers.get('content-type')]).toEqual([
    200,
    'application/opensearchdescription+xml; charset=utf-8',
  ])
  expect(String(body.text)).toContain('template="https://kopilka.example/home?search={searchTerms}"')
  expect(textsOf(String(body.text), 'ShortName')).toEqual(['Копилка'])
})
