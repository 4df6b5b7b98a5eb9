import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text as readAll } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { test } from '../testing/fixtures.ts'

const SCRIPT = 'console.log("Копилка")\n'.repeat(50)

const it = test
  .extend('options', { scope: 'file' }, async ({ folder }) => {
    await writeFile(join(folder, 'package.json'), '{"version":"beside the page"}')
    const webRoot = join(folder, 'dist')
    await mkdir(join(webRoot, 'assets'), { recursive: true })
    await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Копилка</title>')
    await writeFile(join(webRoot, 'assets', 'start-abc.js'), SCRIPT)
    await writeFile(join(webRoot, 'assets', 'start-abc.js.gz'), gzipSync(SCRIPT))
    return { webRoot }
  })
  /** Sends text to the server as it is, and resolves to all that comes back until the connection closes. */
  .extend('raw', ({ app }) => async (text: string) => {
    const { hostname, port } = new URL(app.address)
    const socket = connect(Number(port), hostname, () => socket.write(text))
    return await readAll(socket)
  })

describe('pages', () => {
  it.for(['/', '/home', '/notes/add', '/auth/login?redirect=%2Fnotes', '/unknown/deep/path'])(
    '%s gets index.html, revalidated each time',
    async (path, { app }) => {
      const reply = await app.send('GET', path)
      expect([reply.status, reply.body.text]).toEqual([200, '<!doctype html><title>Копилка</title>'])
      expect(reply.headers.get('cache-control')).toBe('no-cache')
    },
  )

  it.for(['//x', '/notes//edit', '/notes/%5c', '/notes/%00', '/a/../b', '/.env'])(
    'serves a screen at the raw path %s',
    async (path, { raw }) => {
      const response = await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      expect(response).toMatch(/^HTTP\/1\.1 200 /)
      expect(response).toContain('<title>Копилка</title>')
    },
  )

  it.for(['/%', '/%ff'])(
    'redirects from an address that cannot be decoded to the root, with the security headers: %s',
    async (path, { raw }) => {
      const response = await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      expect(response).toMatch(/^HTTP\/1\.1 302 /)
      expect(response).toMatch(/\r\nlocation: \/\r\n/i)
      expect(response).toMatch(/\r\ncontent-security-policy: default-src 'none'/i)
      expect(response).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
    },
  )

  it('serves assets compressed and cacheable for ever', async ({ app }) => {
    const reply = await app.send('GET', '/assets/start-abc.js')
    expect([reply.status, reply.body.text]).toEqual([200, SCRIPT])
    expect(reply.headers.get('content-encoding')).toBe('gzip')
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  it('responds with 404 to a missing asset, so that the page can reload itself', async ({ app }) => {
    expect((await app.send('GET', '/assets/start-old.js')).status).toBe(404)
  })

  it.for([
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
  ])('never leaves its folder: %s', async (path, { raw }) => {
    const response = await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect(response).toMatch(/^HTTP\/1\.1 (?:200|400|403|404) /)
    expect(response).not.toContain('beside the page')
  })

  it('refuses other methods at pages', async ({ app }) => {
    expect((await app.send('POST', '/home', {})).status).toBe(404)
  })

  it.for(['/home', '/assets/none.js', '/linkding/none/', '/linkding/api/none/', '/api/v1/none/'])(
    'refuses a body that nothing takes before it has come: %s',
    async (path, { raw }) => {
      for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
        const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: application/json`
        expect(await raw(`${head}\r\ncontent-length: 1000000\r\n\r\n{`)).toMatch(/^HTTP\/1\.1 404 /)
      }
    },
  )

  it.for([
    ['POST', '/home', 404],
    ['POST', '/healthz', 405],
    ['POST', '/feed.xml', 405],
    ['POST', '/api/v1/none/', 404],
    ['POST', '/api/v1/notes/', 401],
    ['POST', '/api/v1/auth/login/', 415],
    ['POST', '/api/v1/imports/', 401],
    ['POST', '/linkding/api/none/', 404],
    ['POST', '/linkding/api/bookmarks/', 401],
    ['POST', '/linkding/api/bookmarks/singlefile/', 401],
    ['GET', '/', 200],
    ['GET', '/healthz', 200],
    ['HEAD', '/api/v1/site/', 200],
    ['GET', '/api/v1/notes/', 401],
  ] as const)(
    'receives no body that never ends and that it does not want: %s %s',
    async ([method, path, status], { raw }) => {
      const encoding = status === 415 ? '\r\ncontent-encoding: gzip' : ''
      const head = `${method} ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked`
      expect(await raw(`${head}${encoding}\r\n\r\n1\r\n{\r\n`)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    },
  )

  it.for(['/feed.xml', '/opensearch.xml', '/.well-known/security.txt', '/healthz', '/readyz', '/api/docs'])(
    'responds 405 to other methods and names the allowed ones: %s',
    async (path, { app }) => {
      for (const method of ['POST', 'DELETE', 'PATCH']) {
        const { status, headers, body } = await app.send(method, path, method === 'POST' ? {} : undefined)
        expect([method, status, headers.get('allow')]).toEqual([method, 405, 'GET, HEAD'])
        expect(body.detail).toBeTruthy()
      }
    },
  )

  it.for(['/:(', '/:([)', '/*x', '/*', '/a/*', '/api/v1/:(', '/api/v1/*'])(
    'takes a path for no pattern of routes: %s',
    async (path, { raw }) => {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const response = await raw(`${method} ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
        const isShown = method === 'GET' && !path.startsWith('/api/')
        expect(response).toMatch(isShown ? /^HTTP\/1\.1 (?:200|404) / : /^HTTP\/1\.1 404 /)
      }
    },
  )
})

describe('a request that is not HTTP', () => {
  it('gets a JSON response with a message', async ({ raw }) => {
    const response = await raw('GET /api/v1/search/?search=ёлка HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response).toContain('{"detail":"Неправильный запрос"}')
    expect(response).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
  })

  it('gets a sentence where its head is too long; text as long as a phone may share passes', async ({
    raw,
  }) => {
    const shared = (letters: number) =>
      raw(`GET /healthz?text=${'%D1%8F'.repeat(letters)} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect(await shared(20_000)).toMatch(/^HTTP\/1\.1 200 /)
    const refused = await shared(30_000)
    expect(refused).toMatch(/^HTTP\/1\.1 431 /)
    expect(refused).toContain('"detail":"В адрес запроса столько текста не помещается')
  })
})

it('refuses a call whose query has hundreds of parts, and parses few of them', async ({ app, owner }) => {
  const path = (count: number) => `/api/v1/notes/?page=1${'&a=1'.repeat(count)}`
  expect((await app.send('GET', path(99), undefined, owner.auth)).status).toBe(200)
  expect((await app.send('GET', path(20_000), undefined, owner.auth)).status).toBe(400)
  expect((await app.send('GET', `/healthz?${'a&'.repeat(20_000)}`)).status).toBe(200)
})

describe('health', () => {
  it('is alive, and ready only while the database is available', async ({ app, startApp }) => {
    expect((await app.send('GET', '/healthz')).status).toBe(200)
    const { status, body } = await app.send('GET', '/readyz')
    expect([status, body]).toEqual([200, { status: 'ok' }])
    const other = await startApp()
    await other.closeDatabase()
    expect((await other.send('GET', '/healthz')).status).toBe(200)
    expect((await other.send('GET', '/readyz')).status).toBe(503)
  })
})
