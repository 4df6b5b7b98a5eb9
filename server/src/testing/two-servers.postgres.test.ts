import { accounts } from '@kopilka/contract/accounts.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { openDb } from '../db/open.ts'
import { createTestApp, type TestApp } from './create-test-app.ts'
import { type MailServer, startMailServer } from './mail-server.ts'
import { type Account, newAccount } from './new-account.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

let mail: MailServer
let database: TestDatabase
let one: TestApp
let other: TestApp
let account: Account
beforeAll(async () => {
  mail = await startMailServer()
  database = await createTestDatabase()
  const settings = { SMTP_URL: mail.url }
  // Concurrently, so that both find an empty database to migrate.
  ;[one, other] = await Promise.all([
    createTestApp({ database, settings }),
    createTestApp({ database, settings }),
  ])
})
afterAll(async () => {
  await Promise.all([one.close(), other.close()])
  await database.remove()
  await mail.close()
})
beforeEach(async () => {
  account = await newAccount(one)
})

const note = { title: 'Общая', content: 'берлога', tags: ['лес'] }

it('five servers that start concurrently on a new database all come up', async () => {
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

it('a sign-out from one ends the session on the other at once', async () => {
  expect((await other.request(accounts.me, {}, account.auth)).status).toBe(200)
  await one.call(accounts.logout, {}, account.auth)
  expect((await other.request(accounts.me, {}, account.auth)).status).toBe(401)
})

it('a password change through one ends the other sessions on the other at once', async () => {
  const { email, password } = account
  const elsewhere = await other.call(accounts.login, { body: { email, password } })
  const auth = { token: elsewhere.access_token }
  expect((await other.request(accounts.me, {}, auth)).status).toBe(200)
  const body = { current_password: password, new_password: 'another horse' }
  await one.call(accounts.changePassword, { body }, account.auth)
  expect((await other.request(accounts.me, {}, auth)).status).toBe(401)
  expect((await other.request(accounts.me, {}, account.auth)).status).toBe(200)
})

it('a password reset by mail of one ends the sessions on the other at once', async () => {
  await one.call(accounts.passwordReset, { body: { email: account.email } })
  const resetMail = () => mail.received.find(({ headers }) => headers.get('to') === account.email)
  await expect.poll(resetMail).toBeDefined()
  const { uid = '', token = '' } = resetMail() ?? {}
  expect((await other.request(accounts.me, {}, account.auth)).status).toBe(200)
  await one.call(accounts.passwordResetConfirm, { body: { uid, token, new_password: 'another horse' } })
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

it('a server keeps working after a newer one has added columns to every table', async () => {
  const refresh_token = account.session.refresh_token
  const everything = async () => {
    const { id } = await one.call(notes.create, { body: note }, account.auth)
    const item = { params: { id } }
    const replies = [
      await one.request(notes.read, item, account.auth),
      await one.request(notes.update, { ...item, body: note }, account.auth),
      await one.request(notes.list, { query: { search: 'берлога' } }, account.auth),
      await one.request(tags.list, { query: {} }, account.auth),
      await one.request(accounts.passwordReset, { body: { email: account.email } }),
      await one.request(accounts.me, {}, account.auth),
    ]
    return replies.map(({ status }) => status)
  }
  const renew = async () => (await one.request(accounts.refresh, { body: { refresh_token } })).status
  expect(await everything()).toEqual(Array(6).fill(200))
  // The second request gets the pair that the first created.
  expect([await renew(), await renew()]).toEqual([200, 200])
  const waiting = () => one.db.selectFrom('jobs').select('id').where('owner_id', '=', account.id).execute()
  await expect.poll(waiting).toEqual([])

  const { rows: tables } = await sql<{ name: string }>`select relname as name from pg_class
    where relkind in ('r', 'p') and not relispartition and relnamespace = 'public'::regnamespace`.execute(
    one.db,
  )
  for (const { name } of tables)
    await sql`alter table ${sql.table(name)} add column later text`.execute(one.db)
  account = { ...account, auth: { token: (await login()).access_token } }
  expect(await everything()).toEqual(Array(6).fill(200))
  expect(await renew()).toBe(200)
  await expect.poll(waiting).toEqual([])

  async function login() {
    const { email, password } = account
    return one.call(accounts.login, { body: { email, password } })
  }
})
