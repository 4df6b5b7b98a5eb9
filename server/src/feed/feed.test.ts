import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { type TokenScope, tokens } from '@kopilka/contract/tokens.ts'
import { parseDocument } from 'htmlparser2'
import { expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

const it = test.extend('options', { scope: 'file' }, { settings: { PUBLIC_URL: 'https://kopilka.example' } })

const tokenOf = async (app: TestApp, { auth }: Account, scope: TokenScope = 'feed') =>
  (await app.call(tokens.create, { body: { name: 'лента', scope } }, auth)).token

async function read(app: TestApp, query: Record<string, string>, headers: Record<string, string> = {}) {
  const response = await fetch(`${app.address}/feed.xml?${new URLSearchParams(query)}`, { headers })
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

it('opens by a token of the scope feed alone, to its owner alone', async ({ app, account }) => {
  await save(app, account, 'тайна')
  const own = await tokenOf(app, account)
  for (const [token, status] of [
    [await tokenOf(app, account, 'write'), 403],
    [await tokenOf(app, account, 'read'), 403],
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

it('opensearch.xml names our search under PUBLIC_URL', async ({ app }) => {
  const { status, headers, body } = await app.send('GET', '/opensearch.xml')
  expect([status, headers.get('content-type')]).toEqual([
    200,
    'application/opensearchdescription+xml; charset=utf-8',
  ])
  expect(String(body.text)).toContain('template="https://kopilka.example/home?search={searchTerms}"')
  expect(textsOf(String(body.text), 'ShortName')).toEqual(['Копилка'])
})
