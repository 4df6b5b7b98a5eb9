import { readdir, readFile as readFileOf } from 'node:fs/promises'
import { join } from 'node:path'
import { accounts } from '@kopilka/contract/accounts.ts'
import { exports } from '@kopilka/contract/exports.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { tokens } from '@kopilka/contract/tokens.ts'
import { sql } from 'kysely'
import { expect, vi } from 'vitest'
import { createNotes } from '../testing/create-notes.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { contentOf } from '../testing/database-content.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { keepPicture, largePng } from '../testing/pictures.ts'
import { readFile } from '../testing/send-file.ts'
import { createTestDatabase } from '../testing/test-database.ts'

const CANARY = 'канарейка'
const KEY = { 'idempotency-key': 'x' }

/** An account with rows in every table that an account has rows in. */
async function fill(app: TestApp, account: Account, count = 3): Promise<void> {
  const { auth, email } = account
  const common = { title: CANARY, tags: [CANARY, `${CANARY} вторая`] }
  await Promise.all(
    Array.from({ length: count }, (_, at) =>
      app.call(
        notes.create,
        { body: { ...common, content: `${CANARY} ${at}` } },
        { ...auth, headers: { 'idempotency-key': `${at}` } },
      ),
    ),
  )
  const { url } = await keepPicture(app, account, largePng(600_000))
  await app.call(notes.create, { body: { ...common, content: `<img src="${url}">` } }, auth)
  const body = { ...common, url: `https://example.org/${CANARY}`, description: CANARY }
  const link = await app.call(links.create, { body }, { ...auth, headers: KEY })
  const sameBody = { ...body, url: `https://www.example.org/${CANARY}` }
  await app.call(links.create, { body: sameBody }, auth)
  const params = { id: link.id }
  await app.call(links.update, { params, body: { ...body, title: `${CANARY} снова` } }, auth)
  const trashed = await app.call(notes.create, { body: { ...common, content: CANARY } }, auth)
  await app.call(notes.remove, { params: { id: trashed.id } }, auth)
  await app.call(tags.update, { params: { id: link.tags[0]?.id ?? '' }, body: { name: `${CANARY}!` } }, auth)
  await app.call(exports.create, { body: { format: 'csv', search: CANARY } }, auth)
  await app.call(tokens.create, { body: { name: CANARY, scope: 'read' } }, auth)
  await app.call(accounts.passwordReset, { body: { email } })
  await readFile(app, account, `https://example.org/${CANARY}/2 ${CANARY}`)
}

/** The names of the tables with rows in which a text occurs. */
async function tablesWith(app: TestApp, text: string): Promise<string[]> {
  const found: string[] = []
  for (const { name } of await app.db.introspection.getTables()) {
    if (/^search_words_|_on_\d+$/.test(name)) continue
    const { rows } = await sql`select * from ${sql.table(name)}`.execute(app.db)
    if (JSON.stringify(rows).includes(text)) found.push(name)
  }
  return found
}

const remove = (app: TestApp, { auth }: Account, password: string) =>
  app.request(accounts.remove, { body: { password } }, auth)

const it = test.extend('options', { scope: 'file' }, ({ mail }) => ({ settings: { SMTP_URL: mail.url } }))

it('is deleted with all it holds, and its email is free at once', async ({ app, account, owner }) => {
  await fill(app, account)
  await fill(app, owner)
  const { email, password, auth, session } = account
  expect(await tablesWith(app, account.id)).toEqual(
    expect.arrayContaining([
      'items',
      'item_tags',
      'tags',
      'changes',
      'trash',
      'operations',
      'sessions',
      'api_tokens',
      'imports',
      'import_rows',
      'files',
      'file_chunks',
      'file_items',
      'duplicates',
    ]),
  )
  const kept = async () =>
    (await tablesWith(app, owner.id)).filter(
      (name) => !['jobs', 'password_resets', 'search_removals'].includes(name),
    )
  const before = await kept()

  const removed = await remove(app, account, password)
  expect([removed.status, removed.body]).toEqual([204, { text: '' }])
  // But for the job that has just erased it.
  expect((await tablesWith(app, account.id)).filter((name) => name !== 'jobs')).toEqual([])
  expect((await app.request(accounts.me, {}, auth)).status).toBe(401)
  const renewed = await app.request(accounts.refresh, { body: { refresh_token: session.refresh_token } })
  expect(renewed.status).toBe(401)
  expect((await app.request(accounts.login, { body: { email, password } })).status).toBe(400)
  const again = { first_name: 'Анна', last_name: 'Каренина', email, password }
  expect((await app.call(accounts.register, { body: again })).id).not.toBe(account.id)

  await expect.poll(() => tablesWith(app, account.id), { timeout: 20_000 }).toEqual([])
  expect(await kept()).toEqual(before)
  const { count } = await app.call(notes.list, { query: { search: CANARY } }, owner.auth)
  expect(count).toBe(4)
})

it('leaves no word of it in the database', async ({ startApp }) => {
  const app = await startApp()
  const [account, other] = [await newAccount(app), await newAccount(app)]
  // Others hold the index open at the same words' places.
  for (const title of ['канал', 'канава', 'канарские острова'])
    await app.call(notes.create, { body: { title, content: 'x' } }, other.auth)
  await fill(app, account)
  expect(await contentOf(app)).toContain(CANARY)
  expect((await remove(app, account, account.password)).status).toBe(204)
  const held = async () => {
    const content = await contentOf(app)
    return [CANARY, account.id, account.email].filter((word) => content.includes(word))
  }
  await expect.poll(held, { timeout: 20_000 }).toEqual([])
})

it('takes along the messages to it, where they are files', async ({ startApp }) => {
  const app = await startApp()
  const outbox = join(app.database.settings.DATA_DIR, 'outbox')
  const [account, other] = [await newAccount(app), await newAccount(app)]
  const messages = async () => {
    const names = await readdir(outbox).catch(() => [])
    const texts = await Promise.all(names.map((name) => readFileOf(join(outbox, name), 'utf8')))
    return [account, other].filter(({ email }) => texts.some((text) => text.includes(email)))
  }
  for (const { email } of [account, other]) await app.call(accounts.passwordReset, { body: { email } })
  await expect.poll(messages).toEqual([account, other])
  await remove(app, account, account.password)
  await expect.poll(messages).toEqual([other])
})

it('stays with a wrong password', async ({ app, account }) => {
  const reply = await remove(app, account, 'не тот')
  expect([reply.status, reply.body]).toEqual([
    400,
    { detail: 'Пожалуйста, исправьте ошибки в форме.', password: ['Неверный текущий пароль.'] },
  ])
  expect((await app.request(accounts.me, {}, account.auth)).status).toBe(200)
})

it('is deleted once by two requests at a time', async ({ app, account }) => {
  const replies = await Promise.all([1, 2].map(() => remove(app, account, account.password)))
  expect(replies.map(({ status }) => status).sort()).not.toEqual([204, 204])
  expect(replies.some(({ status }) => status === 204)).toBe(true)
})

it('ends its downloads, and those that were to begin', async ({ app, account }) => {
  await fill(app, account)
  const { url } = await app.call(exports.create, { body: { format: 'json' } }, account.auth)
  await remove(app, account, account.password)
  expect((await app.send('GET', url)).status).toBe(404)
})

it('of thousands of items is deleted step by step in turn with others', async ({ app }) => {
  const [large, small] = [await newAccount(app), await newAccount(app)]
  await createNotes(app, large, { count: 3_000, tags: [] })
  const remove = ({ password, auth }: Account) => app.request(accounts.remove, { body: { password } }, auth)
  const users = ({ id }: Account) =>
    app.db.selectFrom('users').select('email').where('owner_id', '=', id).execute()
  const left = () => app.db.selectFrom('items').select('id').where('owner_id', '=', large.id).execute()
  const removed = remove(large)
  await vi.waitFor(async () => expect((await left()).length).toBeLessThan(3_000), { timeout: 10_000 })
  const removedToo = remove(small)
  await vi.waitFor(async () => expect(await users(small)).not.toMatchObject([{ email: small.email }]))
  // Its turn is over.
  app.advance(2_000)
  await removedToo
  expect([await users(small), (await users(large)).length]).toEqual([[], 1])
  await removed
}, 60_000)

it('goes on being deleted by the next server', async ({ startApp, onTestFinished }) => {
  const database = await createTestDatabase()
  onTestFinished(() => database.remove())
  const first = await startApp({ database })
  const account = await newAccount(first)
  await fill(first, account, 30)
  // A server that died while it deleted: its job is claimed, and the lease is over.
  const { id } = account
  await first.db
    .updateTable('users')
    .set({ password_hash: '', email_key: 'x' })
    .where('owner_id', '=', id)
    .execute()
  await first.close()
  const admin = await startApp({ database })
  await admin.db
    .insertInto('jobs')
    .values({
      ...{ owner_id: id, id, kind: 'erase-account', payload: '', attempts: 1 },
      ...{ run_at: 0, leased_until: 1, created_at: admin.now() },
    })
    .execute()
  const next = await startApp({ database })
  await expect.poll(() => tablesWith(next, id), { timeout: 20_000 }).toEqual([])
})
