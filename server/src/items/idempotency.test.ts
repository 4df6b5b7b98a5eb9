import { randomUUID } from 'node:crypto'
import { accounts } from '@kopilka/contract/accounts.ts'
import { type LinkSave, links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { expect } from 'vitest'
import { schedulePurge } from '../operations/purge-job.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { purgeKeys } from './idempotency.ts'

const it = test
  .extend(
    'save',
    ({ app, account }) =>
      (key: string, body: object = NOTE, from: Account = account) =>
        app.request(notes.create, { body }, { ...from.auth, headers: { 'idempotency-key': key } }),
  )
  .extend(
    'count',
    ({ app, account }) =>
      async (from: Account = account) =>
        (await app.call(notes.list, { query: {} }, from.auth)).count,
  )

const HOUR = 60 * 60_000
const DAY = 24 * HOUR
const NOTE = { title: 'Один раз', content: '<p>и <b>навсегда</b></p>', tags: ['Раз', 'два'] }
const LINK = { title: 'Один раз', description: 'x', url: 'https://example.org/' }

it('creates one item for a request that is sent twice, and responds the same', async ({ save, count }) => {
  const key = randomUUID()
  const before = await count()
  const first = await save(key)
  const second = await save(key)
  expect([first.status, second.status]).toEqual([201, 201])
  expect(second.body).toEqual(first.body)
  expect(second.headers.get('etag')).toBe(first.headers.get('etag'))
  expect(await count()).toBe(before + 1)
})

it('creates one item for twenty identical requests at once', async ({ save, count }) => {
  const key = randomUUID()
  const before = await count()
  const replies = await Promise.all(Array.from({ length: 20 }, () => save(key)))
  expect(new Set(replies.map(({ status, body }) => `${status} ${body.id}`))).toHaveLength(1)
  expect(replies[0]?.status).toBe(201)
  expect(await count()).toBe(before + 1)
})

it('creates one link for a request that is sent twice', async ({ app, account }) => {
  const sending = { ...account.auth, headers: { 'idempotency-key': randomUUID() } }
  const [one, two] = [
    await app.call(links.create, { body: LINK }, sending),
    await app.call(links.create, { body: LINK }, sending),
  ]
  expect(two).toEqual(one)
})

it('refuses another request with the same key, whichever field differs', async ({
  app,
  account,
  save,
  count,
}) => {
  const key = randomUUID()
  const sending = { ...account.auth, headers: { 'idempotency-key': key } }
  await app.call(links.create, { body: LINK }, sending)
  const others: { readonly [Field in keyof LinkSave]-?: LinkSave[Field] } = {
    title: 'Два',
    description: 'y',
    url: 'https://example.org/2',
    tags: ['два'],
    pinned: true,
  }
  for (const [field, value] of Object.entries(others)) {
    const reply = await app.request(links.create, { body: { ...LINK, [field]: value } }, sending)
    expect([field, reply.status, reply.body.detail]).toEqual([
      field,
      422,
      'С этим Idempotency-Key уже приходил другой запрос. Возьмите новый ключ.',
    ])
    expect(reply.body.error).toBe(reply.body.detail)
  }
  const before = await count()
  expect((await save(key)).status).toBe(422)
  expect(await count()).toBe(before)
})

it('leaves the key free where the first request failed', async ({ save }) => {
  const key = randomUUID()
  expect((await save(key, { ...NOTE, title: '' })).status).toBe(400)
  expect((await save(key, { ...NOTE, content: '<script>x</script>' })).status).toBe(400)
  expect((await save(key)).status).toBe(201)
})

it('keeps the keys of users apart', async ({ app, save, count }) => {
  const key = randomUUID()
  const other = await newAccount(app)
  const mine = await save(key)
  const theirs = await save(key, { ...NOTE, title: 'Чужое' }, other)
  expect(theirs.status).toBe(201)
  expect(theirs.body.id).not.toBe(mine.body.id)
  expect(await count(other)).toBe(1)
})

it('responds with the current item, or with 404 and without a new item if it was deleted', async ({
  app,
  account,
  save,
  count,
}) => {
  const key = randomUUID()
  const { id } = (await save(key)).body
  const params = { id: String(id) }
  const changed = await app.call(notes.update, { params, body: { ...NOTE, title: 'Новее' } }, account.auth)
  const again = await save(key)
  expect([again.status, again.body]).toEqual([201, changed])
  await app.call(notes.remove, { params }, account.auth)
  const before = await count()
  expect((await save(key)).status).toBe(404)
  expect(await count()).toBe(before)
})

it('keeps keys for 30 days, and no texts', async ({ startApp }) => {
  const timed = await startApp()
  const owner = await newAccount(timed)
  const login = { email: owner.email, password: owner.password }
  const key = randomUUID()
  const once = async () => {
    const { access_token } = await timed.call(accounts.login, {
      body: login,
    })
    const sending = { token: access_token, headers: { 'idempotency-key': key } }
    return (await timed.call(notes.create, { body: NOTE }, sending)).id
  }
  const first = await once()
  timed.advance(30 * DAY - HOUR)
  expect(await once()).toBe(first)
  timed.advance(HOUR)
  expect(await once()).not.toBe(first)
  const kept = await timed.db.selectFrom('idempotency_keys').selectAll().execute()
  expect(kept).toHaveLength(1)
  expect(JSON.stringify(kept)).not.toMatch(new RegExp(`${key}|раз`, 'i'))
})

it('forgets expired keys of whoever sends none any more, and the oldest of too many', async ({
  startApp,
}) => {
  const timed = await startApp()
  const { id: owner_id, auth } = await newAccount(timed)
  for (let count = 0; count < 4; count += 1) {
    await timed.call(notes.create, { body: NOTE }, { ...auth, headers: { 'idempotency-key': randomUUID() } })
    timed.advance(1)
  }
  const keys = timed.db.selectFrom('idempotency_keys').select('created_at').where('owner_id', '=', owner_id)
  const before = await keys.orderBy('created_at').execute()
  await purgeKeys(timed.db, { owner_id, now: timed.now() }, 3)
  expect(await keys.orderBy('created_at').execute()).toEqual(before.slice(1))
  timed.advance(30 * DAY)
  await timed.db.write(schedulePurge, { now: timed.now() })
  await expect.poll(() => keys.execute(), { timeout: 20_000 }).toEqual([])
})

it.for(['', ' ', 'x'.repeat(256), 'a b', 'ключ'])('refuses the key %j', async (key, { save }) => {
  const reply = await save(Buffer.from(key).toString('latin1'))
  expect([reply.status, reply.body.detail]).toEqual([400, 'Idempotency-Key — от 1 до 255 знаков ASCII.'])
})

it('ignores the header in calls that create nothing', async ({ app, account }) => {
  const reply = await app.request(
    notes.list,
    {},
    { ...account.auth, headers: { 'idempotency-key': 'x'.repeat(300) } },
  )
  expect(reply.status).toBe(200)
})
