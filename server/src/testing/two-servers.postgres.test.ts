import { accounts } from '@kopilka/contract/accounts.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openDb } from '../db/open.ts'
import { createTestApp, type TestApp } from './create-test-app.ts'
import { type Account, newAccount } from './new-account.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let database: TestDatabase
let one: TestApp
let other: TestApp
let account: Account
beforeAll(async () => {
  database = await createTestDatabase()
  // At once: both find an empty database to migrate.
  ;[one, other] = await Promise.all([createTestApp({ database }), createTestApp({ database })])
})
afterAll(async () => {
  await Promise.all([one.close(), other.close()])
  await database.remove()
})
beforeEach(async () => {
  account = await newAccount(one)
})

const note = { title: 'Общая', content: 'берлога', tags: ['лес'] }

it('many servers that start at once over one new database all come up', async () => {
  const fresh = await createTestDatabase()
  const servers = await Promise.all(Array.from({ length: 5 }, () => openDb(fresh.settings)))
  for (const server of servers) {
    expect(await server.selectFrom('items').selectAll().execute()).toEqual([])
    await server.destroy()
  }
  await fresh.remove()
})

it('what is saved through one is read and found through the other', async () => {
  const { id } = await one.call(notes.create, { body: note }, account.auth)
  const read = await other.call(notes.read, { params: { id } }, account.auth)
  expect(read).toMatchObject({ title: 'Общая', tags: [{ name: 'лес' }] })
  const found = await other.call(search, { query: { search: 'берлога' } }, account.auth)
  expect(found.notes.map((item) => item.id)).toEqual([id])
  await other.call(notes.remove, { params: { id } }, account.auth)
  expect((await one.request(notes.read, { params: { id } }, account.auth)).status).toBe(404)
})

it('who signs out of one is signed out of the other at once', async () => {
  expect((await other.request(accounts.me, {}, account.auth)).status).toBe(200)
  await one.call(accounts.logout, {}, account.auth)
  expect((await other.request(accounts.me, {}, account.auth)).status).toBe(401)
})

it('ten renewals of one token through both leave one chain', async () => {
  const renew = (app: TestApp) =>
    app.request(accounts.refresh, { body: { refresh_token: account.session.refresh_token } })
  const replies = await Promise.all(Array.from({ length: 10 }, (_, at) => renew(at % 2 ? one : other)))
  const pairs = new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))
  expect([...pairs]).toHaveLength(1)
  expect(replies[0]?.status).toBe(200)
})

it('of 50 changes at once with one ETag exactly one wins', async () => {
  const { body, headers } = await one.request(notes.create, { body: note }, account.auth)
  const ifMatch = { 'if-match': headers.get('etag') ?? '' }
  const replies = await Promise.all(
    Array.from({ length: 50 }, (_, at) =>
      (at % 2 ? one : other).request(
        notes.update,
        { params: { id: String(body.id) }, body: { ...note, title: `Правка ${at}` } },
        { ...account.auth, headers: ifMatch },
      ),
    ),
  )
  const statuses = replies.map(({ status }) => status).sort()
  expect(statuses).toEqual([200, ...Array(49).fill(412)])
})

it('20 saves at once that name one new tag in different letter case make one tag', async () => {
  const spellings = ['медведь', 'Медведь', 'МЕДВЕДЬ', 'мЕДВЕДЬ']
  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      (at % 2 ? one : other).request(
        notes.create,
        { body: { ...note, tags: [spellings[at % 4], 'лес'] } },
        account.auth,
      ),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(20).fill(201))
  const all = await one.call(tags.list, { query: {} }, account.auth)
  expect(all.map(({ name, notes_count }) => [name.toLowerCase(), notes_count])).toEqual([
    ['лес', 20],
    ['медведь', 20],
  ])
})

it('saves at once that name the same new tags in different orders all succeed', async () => {
  const names = Array.from({ length: 30 }, (_, at) => `тег ${at}`)
  const replies = await Promise.all(
    Array.from({ length: 16 }, (_, at) =>
      (at % 2 ? one : other).request(
        notes.create,
        { body: { ...note, tags: at % 4 < 2 ? names : names.toReversed() } },
        account.auth,
      ),
    ),
  )
  expect(replies.map(({ status }) => status)).toEqual(Array(16).fill(201))
})
