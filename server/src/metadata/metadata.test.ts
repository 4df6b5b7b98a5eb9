import { gzipSync } from 'node:zlib'
import { metadata } from '@kopilka/contract/metadata.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { encodeSingleByte } from '../testing/encode-single-byte.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { type PageServer, startPageServer } from '../testing/page-server.ts'

const PAGE = `<html><head><title>Ёж в тумане</title><meta name="description" content="Сказка о ёжике">
  <meta name="keywords" content="ёж, туман"></head><body>`

let app: TestApp
let pages: PageServer
let account: Account
/** Requests that are answered when a test lets them. */
let held: (() => void)[]
beforeAll(async () => {
  pages = await startPageServer(({ url = '' }, response) => {
    const html = (text: string | Uint8Array, headers: Record<string, string> = {}) =>
      void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(text)
    if (url === '/koi8') return html(encodeSingleByte(PAGE, 'koi8-r'))
    if (url === '/packed') return html(gzipSync(PAGE), { 'content-encoding': 'gzip' })
    if (url === '/held') return void held.push(() => html(PAGE))
    if (url === '/deep') return html('<div>'.repeat(100_000))
    if (url === '/missing') return void response.writeHead(404, { 'x-secret': 'secret' }).end('secret')
    html(PAGE)
  })
  app = await createTestApp({
    settings: { FETCH_ALLOW: '127.0.0.0/8, ::1' },
    resolve: async (name) => (name === 'page.test' ? ['127.0.0.1'] : []),
  })
})
afterAll(async () => {
  await app.close()
  await pages.close()
})
beforeEach(async () => {
  held = []
  account = await newAccount(app)
})

const ask = (url: string, who = account, headers: Record<string, string> = {}) =>
  app.request(metadata.extract, { body: { url } }, { ...who.auth, headers })
const READ = { title: 'Ёж в тумане', description: 'Сказка о ёжике', keywords: 'ёж, туман' }

describe('a page', () => {
  it.each(['/', '/koi8', '/packed'])('is read: %s', async (path) => {
    const { status, body } = await ask(`${pages.url}${path}`)
    expect([status, body]).toEqual([200, READ])
  })

  it('is found by its name', async () => {
    expect((await ask(`http://page.test:${pages.port}/`)).body).toEqual(READ)
  })

  it('on this machine is reached by its own name, where the settings allow it', async () => {
    expect((await ask(`http://localhost:${pages.port}/`)).body).toEqual(READ)
  })

  it('of 100,000 elements inside one another is read like any other', async () => {
    expect((await ask(`${pages.url}/deep`)).body).toEqual({ title: '', description: '', keywords: '' })
  })
})

describe('a page that cannot be read', () => {
  it.each([
    [
      '/missing',
      'Такой страницы на сайте нет (код 404 или 410).',
      'The site has no such page (status 404 or 410).',
    ],
    ['ftp://example.org/file', 'Прочитать можно только страницу с адресом http или https.', 'Only a page'],
    ['http://nobody.test/', 'Сайт с таким именем не найден. Проверьте адрес.', 'No site of that name'],
    [
      'http://10.0.0.1/',
      'Этот адрес не в открытом интернете: сервер его не открывает.',
      'This address is not',
    ],
    ['http://a:b@example.org/', 'В адресе есть имя или пароль.', 'The address holds a name'],
  ])('is a 400 that says why, and nothing that the other side said: %s', async (address, ru, en) => {
    const url = address.startsWith('/') ? `${pages.url}${address}` : address
    const russian = await ask(url)
    expect([russian.status, Object.keys(russian.body).sort()]).toEqual([400, ['detail', 'error']])
    expect(russian.body.error).toBe(russian.body.detail)
    expect(russian.body.detail).toContain(ru)
    expect(JSON.stringify(russian)).not.toContain('secret')
    expect((await ask(url, account, { 'accept-language': 'en' })).body.error).toContain(en)
  })

  it.each(['', 'example.org', 'http://', 'javascript:alert(1)', 'http://1.2.3.4.5/'])(
    'has no address: %j',
    async (url) => {
      const { status, body } = await ask(url)
      expect(status).toBe(400)
      expect(body.error).toBe('Пожалуйста, исправьте ошибки в форме.')
      expect(body.url).toEqual([url === '' ? 'Обязательное поле' : 'Неверный формат URL'])
    },
  )

  it('is any on this machine, where the settings say nothing else', async () => {
    const before = pages.connections()
    const usual = await createTestApp()
    const stranger = await newAccount(usual)
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const body = { url: `http://${host}:${pages.port}/` }
      const reply = await usual.request(metadata.extract, { body }, stranger.auth)
      expect(reply.body.error).toBe('Этот адрес не в открытом интернете: сервер его не открывает.')
    }
    await usual.close()
    expect(pages.connections()).toBe(before)
  })
})

describe('many at once', () => {
  const wait = (count: number) => vi.waitFor(() => expect(held).toHaveLength(count), { timeout: 20_000 })
  const release = () => {
    for (const answer of held.splice(0)) answer()
  }

  it('are read two at a time of one user, who may have two more waiting', async () => {
    const asked = Promise.all(Array.from({ length: 5 }, () => ask(`${pages.url}/held`)))
    for (let turn = 0; turn < 2; turn += 1) {
      await wait(2)
      // Somebody else does not wait for them.
      expect((await ask(pages.url, await newAccount(app))).status).toBe(200)
      expect(held).toHaveLength(2)
      release()
    }
    expect((await asked).map(({ status }) => status)).toEqual([200, 200, 200, 200, 429])
  })

  it('are read twenty-four at a time, whoever asks', async () => {
    const people = []
    for (let count = 0; count < 13; count += 1) people.push(await newAccount(app))
    const asked = Promise.all(
      people.flatMap((who) => [ask(`${pages.url}/held`, who), ask(`${pages.url}/held`, who)]),
    )
    await wait(24)
    await app.send('GET', '/readyz')
    expect(held).toHaveLength(24)
    release()
    await wait(2)
    release()
    expect((await asked).map(({ status }) => status)).toEqual(Array(26).fill(200))
  })
})

it('thirty a minute are read for a user', async () => {
  const limited = await createTestApp({ settings: { RATE_LIMIT: 'on' } })
  const { auth } = await newAccount(limited)
  const statuses = []
  for (let turn = 0; turn < 31; turn += 1) {
    const reply = await limited.request(metadata.extract, { body: { url: 'ftp://example.org/' } }, auth)
    statuses.push(reply.status)
  }
  expect(statuses).toEqual([...Array(30).fill(400), 429])
  await limited.close()
})

it('the server closes while a page is being read, and no connection stays', async () => {
  const closing = await createTestApp({ settings: { FETCH_ALLOW: '127.0.0.1' } })
  const { auth } = await newAccount(closing)
  const asked = closing.request(metadata.extract, { body: { url: `${pages.url}/held` } }, auth)
  await vi.waitFor(() => expect(held).toHaveLength(1))
  const closed = closing.close()
  for (const answer of held) answer()
  expect((await asked).status).toBe(200)
  await closed
  await vi.waitFor(() => expect(pages.open()).toBe(0))
})
