import { gzipSync } from 'node:zlib'
import { metadata } from '@kopilka/contract/metadata.ts'
import { describe, expect, vi } from 'vitest'
import { encodeSingleByte } from '../testing/encode-single-byte.ts'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { startPageServer } from '../testing/page-server.ts'

const PAGE = `<html><head><title>Ёж в тумане</title><meta name="description" content="Сказка о ёжике">
  <meta name="keywords" content="ёж, туман"></head><body>`

/** Sends responses when called. */
interface Held {
  held: (() => void)[]
}

const it = test
  /** A web server. Its responses to requests for /held wait in `held` until the test sends them. */
  // biome-ignore lint/correctness/noEmptyPattern: Vitest reads the names of the fixtures from this pattern
  .extend('pages', { scope: 'file' }, async ({}, { onCleanup }) => {
    const held: (() => void)[] = []
    const server = await startPageServer(({ url = '' }, response) => {
      const html = (text: string | Uint8Array, headers: Record<string, string> = {}) =>
        void response.writeHead(200, { 'content-type': 'text/html', ...headers }).end(text)
      if (url === '/koi8') return html(encodeSingleByte(PAGE, 'koi8-r'))
      if (url === '/packed') return html(gzipSync(PAGE), { 'content-encoding': 'gzip' })
      if (url === '/held') return void held.push(() => html(PAGE))
      if (url === '/deep') return html('<div>'.repeat(100_000))
      if (url === '/missing') return void response.writeHead(404, { 'x-secret': 'secret' }).end('secret')
      html(PAGE)
    })
    onCleanup(() => server.close())
    return { ...server, held }
  })
  .extend(
    'options',
    { scope: 'file' },
    {
      settings: { FETCH_ALLOW: '127.0.0.0/8, ::1' },
      resolve: async (name: string) => (name === 'page.test' ? ['127.0.0.1'] : []),
    },
  )
  .extend(
    'ask',
    ({ app, account }) =>
      (url: string, who = account, headers: Record<string, string> = {}) =>
        app.request(metadata.extract, { body: { url } }, { ...who.auth, headers }),
  )

const READ = { title: 'Ёж в тумане', description: 'Сказка о ёжике', keywords: 'ёж, туман' }

describe('a page', () => {
  it.for(['/', '/koi8', '/packed'])('is read at %s', async (path, { ask, pages }) => {
    const { status, body } = await ask(`${pages.url}${path}`)
    expect([status, body]).toEqual([200, READ])
  })

  it('is reached by its host name', async ({ ask, pages }) => {
    expect((await ask(`http://page.test:${pages.port}/`)).body).toEqual(READ)
  })

  it('on this machine is reached by localhost if the settings allow it', async ({ ask, pages }) => {
    expect((await ask(`http://localhost:${pages.port}/`)).body).toEqual(READ)
  })

  it('of 100,000 nested elements is read like any other', async ({ ask, pages }) => {
    expect((await ask(`${pages.url}/deep`)).body).toEqual({ title: '', description: '', keywords: '' })
  })
})

describe('a page that cannot be read', () => {
  it.for([
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
  ] as const)(
    'is a 400 with the reason, and without content of the other server: %s',
    async ([address, ru, en], { ask, pages, account }) => {
      const url = address.startsWith('/') ? `${pages.url}${address}` : address
      const russian = await ask(url)
      expect([russian.status, Object.keys(russian.body).sort()]).toEqual([400, ['detail', 'error']])
      expect(russian.body.error).toBe(russian.body.detail)
      expect(russian.body.detail).toContain(ru)
      expect(JSON.stringify(russian)).not.toContain('secret')
      expect((await ask(url, account, { 'accept-language': 'en' })).body.error).toContain(en)
    },
  )

  it.for(['', 'example.org', 'http://', 'javascript:alert(1)', 'http://1.2.3.4.5/'])(
    'has no address: %j',
    async (url, { ask }) => {
      const { status, body } = await ask(url)
      expect(status).toBe(400)
      expect(body.error).toBe('Пожалуйста, исправьте ошибки в форме.')
      expect(body.url).toEqual([url === '' ? 'Обязательное поле' : 'Неверный формат URL'])
    },
  )

  it('is any page on this machine by default', async ({ pages, startApp }) => {
    const before = pages.connections()
    const usual = await startApp()
    const stranger = await newAccount(usual)
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const body = { url: `http://${host}:${pages.port}/` }
      const reply = await usual.request(metadata.extract, { body }, stranger.auth)
      expect(reply.body.error).toBe('Этот адрес не в открытом интернете: сервер его не открывает.')
    }
    expect(pages.connections()).toBe(before)
  })
})

describe('many at once', () => {
  const wait = ({ held }: Held, count: number) =>
    vi.waitFor(() => expect(held).toHaveLength(count), { timeout: 20_000 })
  const release = ({ held }: Held) => {
    for (const respond of held.splice(0)) respond()
  }

  it('are read two at a time for one user, with two more waiting', async ({ app, ask, pages }) => {
    const asked = Promise.all(Array.from({ length: 5 }, () => ask(`${pages.url}/held`)))
    for (let turn = 0; turn < 2; turn += 1) {
      await wait(pages, 2)
      // Another user does not wait for them.
      expect((await ask(pages.url, await newAccount(app))).status).toBe(200)
      expect(pages.held).toHaveLength(2)
      release(pages)
    }
    expect((await asked).map(({ status }) => status).sort()).toEqual([200, 200, 200, 200, 429])
  })

  it('are read twenty-four at a time in total', async ({ app, ask, pages }) => {
    const people = []
    for (let count = 0; count < 13; count += 1) people.push(await newAccount(app))
    const asked = Promise.all(
      people.flatMap((who) => [ask(`${pages.url}/held`, who), ask(`${pages.url}/held`, who)]),
    )
    await wait(pages, 24)
    await app.send('GET', '/readyz')
    expect(pages.held).toHaveLength(24)
    release(pages)
    await wait(pages, 2)
    release(pages)
    expect((await asked).map(({ status }) => status)).toEqual(Array(26).fill(200))
  })
})

it('a user may read thirty pages a minute', async ({ startApp }) => {
  const limited = await startApp({ settings: { RATE_LIMIT: 'on' } })
  const { auth } = await newAccount(limited)
  const statuses = []
  for (let turn = 0; turn < 31; turn += 1) {
    const reply = await limited.request(metadata.extract, { body: { url: 'ftp://example.org/' } }, auth)
    statuses.push(reply.status)
  }
  expect(statuses).toEqual([...Array(30).fill(400), 429])
})

it('the server closes while a page is being read, without leaving connections open', async ({
  pages,
  startApp,
}) => {
  const closing = await startApp({ settings: { FETCH_ALLOW: '127.0.0.1' } })
  const { auth } = await newAccount(closing)
  const asked = closing.request(metadata.extract, { body: { url: `${pages.url}/held` } }, auth)
  await vi.waitFor(() => expect(pages.held).toHaveLength(1))
  const closed = closing.close()
  for (const respond of pages.held.splice(0)) respond()
  expect((await asked).status).toBe(200)
  await closed
  await vi.waitFor(() => expect(pages.open()).toBe(0))
})
