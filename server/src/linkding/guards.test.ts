import process from 'node:process'
import { links } from '@kopilka/contract/links.ts'
import { type TokenScope, tokens } from '@kopilka/contract/tokens.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { headerText, queryString, text, value } from '../testing/hostile-values.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { LINKDING_CALLS } from './routes.ts'

/** Occurs in every text of the owner and in nobody else's. */
const CANARY = 'канарейка'
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
/** Requests to each call: a hundredth of those to the calls that it is made of (`testing/hostile.test.ts`), and 15 at least. */
const RUNS = Math.max(15, Math.ceil(Number(process.env.HOSTILE_RUNS ?? 0) / 100))
const SEED = 20_250_101

const CALLS = Object.entries(LINKDING_CALLS).flatMap(([path, methods]) =>
  methods.map((method) => [method, path, methods] as const),
)
/** Calls whose bodies are not read: files are refused. */
const takesFile = (path: string): boolean => /singlefile|upload/.test(path)

let app: TestApp
let owner: Account
let deleted: Account
/** Tokens of the owner by scope; of the deleted account and of a stranger with the scope `write`. */
let own: Record<TokenScope, string>
let lost: string
let foreign: string
/** Of an account without any bookmark: numbers count up for each owner. */
let blank: string
/** The owner's numbers: of the link and of the tag. */
let numbers: readonly [bookmark: number, tag: number]

beforeAll(async () => {
  app = await createTestApp()
  owner = await newAccount(app)
  deleted = await newAccount(app)
  own = {
    read: await tokenOf(owner, 'read'),
    write: await tokenOf(owner, 'write'),
    feed: await tokenOf(owner, 'feed'),
  }
  lost = await tokenOf(deleted, 'write')
  foreign = await tokenOf(await newAccount(app), 'write')
  blank = await tokenOf(await newAccount(app), 'write')
  numbers = await fill()
  await app.db.deleteFrom('users').where('owner_id', '=', deleted.id).execute()
})
afterAll(() => app.close())

const tokenOf = async ({ auth }: Account, scope: TokenScope) =>
  (await app.call(tokens.create, { body: { name: 'linkding', scope } }, auth)).token

const send = (method: string, path: string, token?: string, body?: unknown) =>
  app.send(method, `/linkding/api${path}`, body, {
    headers: token === undefined ? {} : { authorization: `Token ${token}` },
  })

/** A bookmark with a tag; again, after some request has deleted them. */
async function fill(): Promise<readonly [number, number]> {
  const body = { url: `https://${CANARY}.example/`, title: CANARY, notes: CANARY, tag_names: [CANARY] }
  const saved = await send('POST', '/bookmarks/?disable_scraping', own.write, body)
  const { results } = (await send('GET', '/tags/', own.write)).body as { results: { id: number }[] }
  return [Number(saved.body.id), results[0]?.id ?? 0]
}

const pathWith = (path: string, id: string | number = path.startsWith('/tags') ? numbers[1] : numbers[0]) =>
  `${path.replace(':id', String(id))}/`

describe.each(CALLS)('%s %s', (method, path, methods) => {
  it('is refused to whoever is signed out, deleted, or has another token', async () => {
    for (const token of [undefined, 'nonsense', owner.session.refresh_token, lost]) {
      const reply = await send(method, pathWith(path), token, method === 'GET' ? undefined : {})
      expect([reply.status, Object.keys(reply.body)]).toEqual([401, ['detail']])
      expect(reply.headers.get('www-authenticate')).toBe('Token')
      expect(reply.headers.get('cache-control')).toBe('no-store')
    }
    expect((await send(method, pathWith(path), own.feed)).status).toBe(403)
    const byReader = await send(method, pathWith(path), own.read, method === 'GET' ? undefined : {})
    if (method === 'GET') expect([200, 400]).toContain(byReader.status)
    else expect([byReader.status, byReader.body.detail]).toEqual([403, expect.stringMatching(/нет права/)])
  })

  it('gives other methods 405, and names exactly its own', async () => {
    for (const other of METHODS.filter((known) => !methods.some((one) => one === known))) {
      const reply = await send(other, pathWith(path), own.write, other === 'GET' ? undefined : {})
      expect([other, reply.status, reply.headers.get('allow')]).toEqual([other, 405, methods.join(', ')])
    }
  })

  if (path.includes(':id') && !takesFile(path))
    it('gives the same 404 for a number that is missing, malformed or of another user', async () => {
      const body = method === 'PUT' || method === 'PATCH' ? { url: 'https://x.example/' } : undefined
      const replies = [await send(method, pathWith(path), blank, body)]
      for (const id of ['999999', '0', '-1', 'x', '%00', '1e1', '99999999999', '../1'])
        replies.push(await send(method, pathWith(path, encodeURIComponent(id)), own.write, body))
      for (const reply of replies) expect([reply.status, reply.body]).toEqual([404, replies[0]?.body])
    })

  it("never returns a word of the owner's to a stranger", async () => {
    const body = { url: `https://${CANARY}.example/`, name: 'чужое', title: 'чужое', tag_names: ['чужое'] }
    for (const query of ['', `?q=${encodeURIComponent(CANARY)}`, '?q=%23x&limit=5', `?url=${body.url}`]) {
      const asked = `${pathWith(path)}${query}`
      const reply = await send(method, asked, foreign, method === 'GET' ? undefined : body)
      const { url: _, ...received } = reply.body
      expect(JSON.stringify(received).replaceAll(body.url, '')).not.toContain(CANARY)
    }
    const kept = await send('GET', pathWith('/bookmarks/:id'), own.write)
    expect(kept.body).toMatchObject({ title: CANARY, notes: CANARY, tag_names: [CANARY] })
  })

  it('responds to whatever it is sent with JSON and no 500', { timeout: 60_000 + RUNS * 500 }, async () => {
    const values: Record<string, unknown> = {
      ...{ url: 'https://hostile.example/', title: 'Ёж', description: 'x', notes: 'y', name: 'тег' },
      ...{ tag_names: ['а, б'], unread: true, is_archived: false, shared: 'True', date_added: '2020-01-01' },
    }
    const fields = Object.fromEntries(
      Object.entries(values).map(([name, fitting]) => [name, fc.oneof(fc.constant(fitting), value)]),
    )
    const requests = fc.record({
      id: fc.oneof({ arbitrary: fc.constant(''), weight: 3 }, { arbitrary: text, weight: 1 }),
      query: fc.oneof(
        fc.constant('disable_scraping'),
        queryString(['q', 'limit', 'offset', 'sort', 'url', 'unread', 'added_since', 'modified_since']),
      ),
      body: fc.oneof(
        fc.record(fields, { requiredKeys: [] }).map((found) => JSON.stringify(found)),
        fc.oneof(
          text,
          value.map((found) => JSON.stringify(found) ?? ''),
        ),
      ),
      type: fc.oneof(
        { arbitrary: fc.constant('application/json'), weight: 9 },
        { arbitrary: headerText, weight: 1 },
      ),
    })
    await fc.assert(
      fc.asyncProperty(requests, async ({ id, query, body, type }) => {
        const named =
          id === '' ? pathWith(path) : pathWith(path, encodeURIComponent(id.slice(0, 500).toWellFormed()))
        const response = await fetch(`${app.address}/linkding/api${named}?${query}`, {
          method,
          headers: { authorization: `Token ${own.write}`, 'content-type': type.trim() },
          ...(method !== 'GET' && { body }),
        })
        const received = await response.text()
        expect([response.status < 500, received.slice(0, 200)]).toEqual([true, expect.anything()])
        if (response.status !== 204) expect(() => JSON.parse(received)).not.toThrow()
        if (response.ok && method !== 'GET') numbers = await fill()
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    )
  })
})

it('finds the owner’s own, so that the checks above can fail', async () => {
  const list = await send('GET', `/bookmarks/?q=${encodeURIComponent(CANARY)}`, own.write)
  expect(JSON.stringify(list.body)).toContain(CANARY)
  const { count } = await app.call(links.list, { query: {} }, owner.auth)
  expect(count).toBeGreaterThan(0)
})
