import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'

let app: TestApp
let webRoot: string
beforeAll(async () => {
  webRoot = await mkdtemp(join(tmpdir(), 'kopilka-web-'))
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Копилка</title>')
  await writeFile(join(webRoot, 'assets', 'start-abc.js'), '1')
  app = await createTestApp({
    webRoot,
    settings: { TRUST_PROXY: '127.0.0.1', SUPPORT_EMAIL: 'помощь@example.org' },
  })
})
afterAll(async () => {
  await app.close()
  await rm(webRoot, { recursive: true })
})

const HTTPS = { 'x-forwarded-proto': 'https' }
const get = (path: string, headers: Record<string, string> = {}) =>
  app.send('GET', path, undefined, { headers })

describe.each([
  ['a page', 'GET', '/', 200],
  ['a screen', 'GET', '/notes/add', 200],
  ['an asset', 'GET', '/assets/start-abc.js', 200],
  ['a missing asset', 'GET', '/assets/start-old.js', 404],
  ['the API', 'GET', '/api/v1/site/', 200],
  ['a refusal', 'GET', '/api/v1/users/me/', 401],
  ['an error in the form', 'POST', '/api/v1/auth/login/', 400],
  ['an unknown call', 'GET', '/api/v1/none/', 404],
  ['another method', 'DELETE', '/api/v1/users/me/', 405],
  ['an address that cannot be decoded', 'GET', '/api/v1/notes/%E0%A4%A/', 404],
  ['health', 'GET', '/healthz', 200],
  ['readiness', 'GET', '/readyz', 200],
  ['the description of the API', 'GET', '/api/v1/openapi.json', 200],
  ['the page about it', 'GET', '/api/docs', 200],
  ['security.txt', 'GET', '/.well-known/security.txt', 200],
])('%s', (_, method, path, status) => {
  const ask = (headers: Record<string, string> = {}) =>
    app.send(method, path, method === 'POST' ? {} : undefined, { headers })

  it('runs no script but ours, and stands in no frame', async () => {
    const reply = await ask()
    expect(reply.status).toBe(status)
    const policy = reply.headers.get('content-security-policy') ?? ''
    for (const directive of ["object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"]) {
      expect(policy).toContain(directive)
    }
    const isScreen = reply.headers.get('content-type')?.startsWith('text/html') && !path.startsWith('/api/')
    expect(policy).toContain(isScreen ? "script-src 'self';" : "script-src 'none';")
    expect(policy.replace(isScreen ? "style-src 'self' 'unsafe-inline'" : '', '')).not.toContain('unsafe')
  })

  it('keeps knownDevices from guessing, telling and asking', async () => {
    const { headers } = await ask({ origin: 'https://example.org' })
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('permissions-policy')).toContain('camera=()')
    expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
    const shared = [...headers.keys()].filter((name) => name.startsWith('access-control-'))
    expect(shared).toEqual([])
    expect(headers.get('x-powered-by') ?? headers.get('server')).toBeNull()
  })

  it('asks for https where it came over https, and only there', async () => {
    // Fastify answers what it cannot decode without asking whom its proxies speak for.
    const expected = path.includes('%E0') ? null : 'max-age=31536000'
    expect((await ask(HTTPS)).headers.get('strict-transport-security')).toBe(expected)
    expect((await ask()).headers.get('strict-transport-security')).toBeNull()
  })

  it('is kept by caches only where it is part of the page', async () => {
    const isPart = status === 200 && !/^\/(?:api|healthz|readyz|\.well-known)/.test(path)
    const kept = (await ask()).headers.get('cache-control')
    if (isPart) expect(kept).toMatch(/^(?:no-cache|public, max-age=31536000, immutable)$/)
    else expect(kept).toBe('no-store')
  })
})

it('X-Forwarded-Proto from whom nobody named changes nothing', async () => {
  const other = await createTestApp()
  const reply = await other.send('GET', '/api/v1/site/', undefined, { headers: HTTPS })
  expect(reply.headers.get('strict-transport-security')).toBeNull()
  await other.close()
})

it('security.txt names whom to write to, and until when that holds', async () => {
  const { headers, body } = await get('/.well-known/security.txt')
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8')
  const fields = new Map(
    String(body.text)
      .trim()
      .split('\n')
      .map((line) => line.split(': ') as [string, string]),
  )
  expect(fields.get('Contact')).toBe(`mailto:${encodeURI('помощь')}@example.org`)
  const days = (Date.parse(fields.get('Expires') ?? '') - Date.now()) / 86_400_000
  expect(days).toBeGreaterThan(30)
  expect(days).toBeLessThan(365)
  expect(fields.get('Preferred-Languages')).toBe('ru, en')
})
