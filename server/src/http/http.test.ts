import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'

const SCRIPT = 'console.log("Копилка")\n'.repeat(50)

let app: TestApp
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopilka-web-'))
  await writeFile(join(folder, 'package.json'), '{"version":"beside the page"}')
  const webRoot = join(folder, 'dist')
  await mkdir(join(webRoot, 'assets'), { recursive: true })
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Копилка</title>')
  await writeFile(join(webRoot, 'assets', 'start-abc.js'), SCRIPT)
  await writeFile(join(webRoot, 'assets', 'start-abc.js.gz'), gzipSync(SCRIPT))
  app = await createTestApp({ webRoot })
})
afterAll(async () => {
  await app.close()
  await rm(folder, { recursive: true })
})

const raw = (text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(app.address)
    const socket = connect(Number(port), hostname, () => socket.write(text))
    let answer = ''
    socket.setEncoding('utf8').on('data', (part) => {
      answer += part
    })
    socket.on('close', () => resolve(answer)).on('error', reject)
  })

describe('pages', () => {
  it.each(['/', '/home', '/notes/add', '/auth/login?redirect=%2Fnotes', '/unknown/deep/path'])(
    '%s gets index.html, asked for anew each time',
    async (path) => {
      const reply = await app.send('GET', path)
      expect([reply.status, reply.body.text]).toEqual([200, '<!doctype html><title>Копилка</title>'])
      expect(reply.headers.get('cache-control')).toBe('no-cache')
    },
  )

  it.each(['//x', '/notes//edit', '/notes/%5c', '/notes/%00', '/a/../b', '/.env'])(
    'takes %s, as it comes over the wire, for a screen',
    async (path) => {
      const answer = await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
      expect(answer).toMatch(/^HTTP\/1\.1 200 /)
      expect(answer).toContain('<title>Копилка</title>')
    },
  )

  it('leads to the root from an address that cannot be decoded', async () => {
    const answer = await raw('GET /%ff HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 302 /)
    expect(answer).toMatch(/\r\nlocation: \/\r\n/i)
  })

  it('serves assets compressed and for ever', async () => {
    const reply = await app.send('GET', '/assets/start-abc.js')
    expect([reply.status, reply.body.text]).toEqual([200, SCRIPT])
    expect(reply.headers.get('content-encoding')).toBe('gzip')
    expect(reply.headers.get('cache-control')).toBe('public, max-age=31536000, immutable')
  })

  it('answers 404 to an asset that is gone, so that the page can reload itself', async () => {
    expect((await app.send('GET', '/assets/start-old.js')).status).toBe(404)
  })

  it.each([
    '/../package.json',
    '/..%2fpackage.json',
    '/%2e%2e/package.json',
    '/assets/..%5c..%5cpackage.json',
  ])('never leaves its folder: %s', async (path) => {
    const answer = await raw(`GET ${path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`)
    expect(answer).toMatch(/^HTTP\/1\.1 (?:200|400|403|404) /)
    expect(answer).not.toContain('beside the page')
  })

  it('refuses other methods where there is only a page', async () => {
    expect((await app.send('POST', '/home', {})).status).toBe(404)
  })
})

describe('what is no HTTP', () => {
  it('is answered with JSON and a sentence, too', async () => {
    const answer = await raw('GET /api/v1/search/?search=ёлка HTTP/1.1\r\nhost: x\r\n\r\n')
    expect(answer).toMatch(/^HTTP\/1\.1 400 /)
    expect(answer).toContain('{"detail":"Неправильный запрос"}')
    expect(answer).toMatch(/\r\nx-content-type-options: nosniff\r\n/i)
    expect(await raw(`GET / HTTP/1.1\r\nx: ${'x'.repeat(20_000)}\r\n\r\n`)).toMatch(/^HTTP\/1\.1 431 /)
  })
})

describe('health', () => {
  it('lives, and is ready while the database answers', async () => {
    expect((await app.send('GET', '/healthz')).status).toBe(200)
    expect((await app.send('GET', '/readyz')).status).toBe(200)
    const other = await createTestApp()
    await other.closeDatabase()
    expect((await other.send('GET', '/healthz')).status).toBe(200)
    expect((await other.send('GET', '/readyz')).status).toBe(503)
    await other.close()
  })
})
