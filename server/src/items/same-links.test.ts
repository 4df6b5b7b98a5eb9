import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

const save = (app: TestApp, { auth }: Account, url: string, title = url) =>
  app.call(links.create, { body: { url, title, description: 'x', tags: ['тег'] } }, auth)

const check = (app: TestApp, { auth }: Account, url: string) =>
  app.call(links.check, { query: { url } }, auth)

it('check finds a link to the page in another spelling of its address', async ({ app, account }) => {
  const kept = await save(app, account, 'https://почта.рф/письма/?b=2&a=1')
  const spelling =
    'http://www.xn--80a1acny.xn--p1ai/%D0%BF%D0%B8%D1%81%D1%8C%D0%BC%D0%B0?a=1&ysclid=x&b=2#part'
  const { found, similar } = await check(app, account, spelling)
  expect(found).toMatchObject({ id: kept.id, url: kept.url, tags: [{ name: 'тег' }], excerpt: 'x' })
  expect(similar).toEqual([])
  expect(await check(app, account, 'https://почта.рф/письма/?b=2&a=2')).toEqual({ found: null, similar: [] })
})

it('check names the very address first, and other links to the page as similar', async ({ app, account }) => {
  const [first, second] = [
    await save(app, account, 'https://example.org/a'),
    await save(app, account, 'https://www.example.org/a/'),
  ]
  for (const [url, own, other] of [
    [first.url, first, second],
    [second.url, second, first],
    ['http://m.example.org/a', second, first],
  ] as const) {
    const { found, similar } = await check(app, account, url)
    expect([found?.id, similar.map(({ id }) => id)]).toEqual([own.id, [other.id]])
  }
})

it('check reads the tags of the links that it names, and of no other copies', async ({ startApp }) => {
  const said: string[] = []
  const app = await startApp({ onStatement: (sql) => said.push(sql) })
  const account = await newAccount(app)
  await Promise.all(Array.from({ length: 8 }, () => save(app, account, 'https://example.org/a')))
  said.length = 0
  const { found, similar } = await check(app, account, 'https://example.org/a')
  expect([found, ...similar].map((link) => link?.tags.length)).toEqual(Array(6).fill(1))
  const readers = said.filter((sql) => /string_agg/.test(sql))
  expect(readers.map((sql) => /identity_key/.test(sql))).toEqual([false])
})

it('check knows no link of the trash, and refuses what is no address', async ({ app, account }) => {
  const { id, url } = await save(app, account, 'https://example.org/b')
  await app.request(links.remove, { params: { id } }, account.auth)
  expect((await check(app, account, url)).found).toBeNull()
  for (const query of [{}, { url: '' }, { url: 'слова' }, { url: `https://x.org/${'a'.repeat(2100)}` }]) {
    const reply = await app.request(links.check, { query }, account.auth)
    expect([reply.status, typeof reply.body.url]).toEqual([400, 'object'])
  }
})

it('duplicates lists pages that are kept twice or more, the last kept first', async ({ app, account }) => {
  for (const url of [
    'https://a.org/',
    'https://b.org/',
    'http://www.a.org',
    'http://b.org',
    'https://m.b.org',
  ])
    await save(app, account, url)
  await save(app, account, 'https://once.org/')
  // Notes of one text are no pages.
  for (let copy = 0; copy < 2; copy += 1)
    await app.call(notes.create, { body: { title: 'x', content: 'y' } }, account.auth)
  const { count, results } = await app.call(links.duplicates, { query: {} }, account.auth)
  expect([count, results.map((group) => [group.count, ...group.results.map(({ url }) => url)])]).toEqual([
    2,
    [
      [3, 'https://m.b.org', 'http://b.org', 'https://b.org/'],
      [2, 'http://www.a.org', 'https://a.org/'],
    ],
  ])
  const past = await app.call(links.duplicates, { query: { page: '2' } }, account.auth)
  expect(past).toEqual({ count: 2, results: [] })
})

it('duplicates reads no more than twenty links in one iteration of the event loop, and nothing past the last page', async ({
  startApp,
}) => {
  const said: string[] = []
  const app = await startApp({ onStatement: (sql) => said.push(sql) })
  const account = await newAccount(app)
  for (const [page, copies] of [4, 4, 20, 20].entries())
    await Promise.all(Array.from({ length: copies }, () => save(app, account, `https://${page}.org/`)))
  const ask = async (page: string) => {
    said.length = 0
    const { count, results } = await app.call(links.duplicates, { query: { page } }, account.auth)
    return {
      groups: results.map((group) => group.results.length),
      count,
      reads: said.filter((sql) => /"excerpt"/.test(sql) && !/^insert|^update/.test(sql)).length,
      lists: said.filter((sql) => /from duplicates where/.test(sql)).length,
    }
  }
  expect(await ask('1')).toEqual({ groups: [20, 20, 4, 4], count: 4, reads: 3, lists: 1 })
  expect(await ask('2')).toEqual({ groups: [], count: 4, reads: 0, lists: 0 })
})

/** As a version without keys left the links of the owner. */
async function forgetKeys(app: TestApp, owner_id: string): Promise<void> {
  await app.db.updateTable('items').set({ identity_key: null }).where('owner_id', '=', owner_id).execute()
  await app.db.deleteFrom('duplicates').where('owner_id', '=', owner_id).execute()
  await app.db.updateTable('usage').set({ duplicates: 0 }).where('owner_id', '=', owner_id).execute()
}

it('finds items that were saved before there were keys', async ({ app, account }) => {
  const kept = await save(app, account, 'https://old.org/')
  await save(app, account, 'https://old.org')
  await forgetKeys(app, account.id)
  const { found, similar } = await check(app, account, 'https://old.org/')
  expect([found?.id, similar.length]).toEqual([kept.id, 1])
  await forgetKeys(app, account.id)
  expect((await app.call(links.duplicates, { query: {} }, account.auth)).count).toBe(1)
})
