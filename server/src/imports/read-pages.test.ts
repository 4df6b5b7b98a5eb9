import type { RequestListener } from 'node:http'
import { accounts } from '@kopilka/contract/accounts.ts'
import { imports } from '@kopilka/contract/imports.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { expect, onTestFinished, vi } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { startPageServer } from '../testing/page-server.ts'
import { readFile, until } from '../testing/send-file.ts'

type StartApp = (options: { settings: Record<string, string> }) => Promise<TestApp>

/** An import that reads the pages of four links, of which a server gets the requests. */
async function start(startApp: StartApp, respond: RequestListener, count = 4, settings = {}) {
  const paths: string[] = []
  const pages = await startPageServer((request, response) => {
    paths.push(request.url ?? '')
    respond(request, response)
  })
  onTestFinished(() => pages.close())
  const app = await startApp({ settings: { FETCH_ALLOW: '127.0.0.0/8', ...settings } })
  const account = await newAccount(app)
  const lines = Array.from({ length: count }, (_, at) => `${pages.url}/${at}\n`).join('')
  const { id } = await readFile(app, account, lines)
  await app.call(imports.run, { params: { id }, body: { read_pages: true } }, account.auth)
  await vi.waitFor(() => expect(paths.length).toBeGreaterThan(0), { timeout: 10_000 })
  return { app, account, id, pages, paths }
}

const silent: RequestListener = () => {}

const titlesOf = async (app: TestApp, { auth }: Account) =>
  (await app.call(links.list, { query: {} }, auth)).results.map(({ title }) => title).sort()

test('a page that is being read for an import is left once it is cancelled, and no more are read', async ({
  startApp,
}) => {
  const { app, account, id, pages, paths } = await start(startApp, silent)
  await app.request(imports.cancel, { params: { id } }, account.auth)
  await vi.waitFor(() => expect(pages.open()).toBe(0), { timeout: 5_000 })
  const jobs = () => app.db.selectFrom('jobs').select('id').where('id', '=', id).execute()
  await vi.waitFor(async () => expect(await jobs()).toEqual([]), { timeout: 10_000 })
  expect(paths).toEqual(['/0'])
})

test('and once its account is deleted', async ({ startApp }) => {
  const { app, account, pages, paths } = await start(startApp, silent)
  await app.call(accounts.remove, { body: { password: account.password } }, account.auth)
  await vi.waitFor(() => expect(pages.open()).toBe(0), { timeout: 5_000 })
  expect(paths).toEqual(['/0'])
})

test('and once the server closes', async ({ startApp }) => {
  const { app, paths } = await start(startApp, silent)
  await app.close()
  expect(paths).toEqual(['/0'])
}, 60_000)

test('and once there is no room for more', async ({ startApp }) => {
  const full = Promise.withResolvers<void>()
  const respond: RequestListener = (_, response) => void full.promise.then(() => response.end())
  const { app, account, id, pages, paths } = await start(startApp, respond, 5, { ITEMS_PER_USER: '5' })
  for (const title of ['a', 'b'])
    await app.call(notes.create, { body: { title, content: 'x', tags: [] } }, account.auth)
  full.resolve()
  expect((await until(app, account, id)).state).toBe('failed')
  // Its turn comes after those that were taken before.
  const other = await newAccount(app)
  const later = await readFile(app, other, `${pages.url}/later\n`)
  await app.call(imports.run, { params: { id: later.id }, body: { read_pages: true } }, other.auth)
  await vi.waitFor(() => expect(paths).toContain('/later'), { timeout: 10_000 })
  expect(paths).toEqual(['/0', '/1', '/2', '/3', '/later'])
}, 60_000)

test('a page of a site that asks to wait is read later, and those before it only once', async ({
  startApp,
}) => {
  let isBusy = true
  const { app, account, id, paths } = await start(startApp, ({ url }, response) => {
    const status = url === '/1' && isBusy ? 429 : 200
    response.writeHead(status, { 'content-type': 'text/html' }).end(`<title>Страница ${url}</title>`)
  })
  await vi.waitFor(() => expect(paths).toContain('/1'), { timeout: 10_000 })
  isBusy = false
  expect((await until(app, account, id)).state).toBe('done')
  expect(await titlesOf(app, account)).toEqual([0, 1, 2, 3].map((at) => `Страница /${at}`))
  expect(paths).toEqual(['/0', '/1', '/1', '/2', '/3'])
}, 60_000)

test('and a link whose site asks for ever is kept without its page', async ({ startApp }) => {
  const busy: RequestListener = (_, response) => void response.writeHead(429).end()
  const { app, account, id, pages, paths } = await start(startApp, busy, 1)
  const job = () =>
    app.db.selectFrom('jobs').select(['attempts', 'leased_until']).where('id', '=', id).executeTakeFirst()
  for (let attempts = 1; attempts < 5; attempts += 1) {
    await vi.waitFor(async () => expect(await job()).toEqual({ attempts, leased_until: 0 }), {
      timeout: 10_000,
    })
    app.advance(60_000)
    // The server looks for jobs that are due.
    await readFile(app, await newAccount(app), 'https://example.org/')
  }
  expect((await until(app, account, id)).state).toBe('done')
  expect(await titlesOf(app, account)).toEqual([`${pages.url}/0`])
  expect(paths).toHaveLength(5)
}, 60_000)
