import { mkdir, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, expect } from 'vitest'
import { test as base } from '../testing/fixtures.ts'

const test = base.extend('options', { scope: 'file' }, async ({ folder: webRoot }) => {
  await mkdir(join(webRoot, 'assets'))
  await writeFile(join(webRoot, 'index.html'), '<!doctype html><title>Копилка</title>')
  await writeFile(join(webRoot, 'assets', 'start-abc.js'), '1')
  await writeFile(join(webRoot, 'service-worker.js'), '1')
  return { webRoot, settings: { PUBLIC_URL: 'https://example.org', SUPPORT_EMAIL: 'помощь@example.org' } }
})

const HTTPS = { 'x-forwarded-proto': 'https' }

describe.each([
  ['a page', 'GET', '/', 200],
  ['a screen', 'GET', '/notes/add', 200],
  ['an asset', 'GET', '/assets/start-abc.js', 200],
  ['the service worker', 'GET', '/service-worker.js', 200],
  ['a missing asset', 'GET', '/assets/start-old.js', 404],
  ['the API', 'GET', '/api/v1/site/', 200],
  ['a refusal', 'GET', '/api/v1/users/me/', 401],
  ['an error in the form', 'POST', '/api/v1/auth/login/', 400],
  ['an unknown call', 'GET', '/api/v1/none/', 404],
  ['another method', 'PATCH', '/api/v1/users/me/', 405],
  ['an address that cannot be decoded', 'GET', '/api/v1/notes/%E0%A4%A/', 404],
  ['health', 'GET', '/healthz', 200],
  ['readiness', 'GET', '/readyz', 200],
  ['the description of the API', 'GET', '/api/v1/openapi.json', 200],
  ['the page about it', 'GET', '/api/docs', 200],
  ['security.txt', 'GET', '/.well-known/security.txt', 200],
])('%s', (_, method, path, status) => {
  const it = test.extend(
    'ask',
    ({ app }) =>
      (headers: Record<string, string> = {}) =>
        app.send(method, path, method === 'POST' ? {} : undefined, { headers }),
  )

  it('allows no other scripts and no frames', async ({ ask }) => {
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

  it('lets a page make HTML of strings by its own policies only, and load pictures from here only', async ({
    ask,
  }) => {
    const reply = await ask()
    if (!reply.headers.get('content-type')?.startsWith('text/html') || path.startsWith('/api/')) return
    const policy = reply.headers.get('content-security-policy') ?? ''
    expect(policy).toContain("require-trusted-types-for 'script'")
    expect(policy).toContain('trusted-types default inert dompurify ProseMirrorClipboard')
    expect(policy).toContain("img-src 'self' blob: data:;")
  })

  it('forbids sniffing, framing, referrers to other sites and device permissions', async ({ ask }) => {
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

  it('sends what holds for https alone where PUBLIC_URL is https', async ({ ask }) => {
    const { headers } = await ask()
    expect(headers.get('strict-transport-security')).toBe('max-age=31536000')
    expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
  })

  it('is cacheable only if it is part of the page', async ({ ask }) => {
    const isPart = status === 200 && !/^\/(?:api|healthz|readyz|\.well-known)/.test(path)
    const kept = (await ask()).headers.get('cache-control')
    expect(kept).toMatch(isPart ? /^(?:no-cache|public, max-age=31536000, immutable)$/ : /^no-store$/)
  })
})

test.for([
  ['is not HTTP', '\0\r\n\r\n'],
  ['names no host', 'GET / HTTP/1.1\r\n\r\n'],
] as const)('what %s is refused with the same headers', async ([, sent], { app }) => {
  const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
  socket.end(sent)
  const reply = (await text(socket)).toLowerCase()
  expect(reply).toMatch(/^http\/1\.1 400 /)
  expect(reply).toContain('\r\nstrict-transport-security: max-age=31536000\r\n')
  expect(reply).toContain('\r\ncross-origin-opener-policy: same-origin\r\n')
})

test('what holds for https alone is sent over https only where PUBLIC_URL is not', async ({ startApp }) => {
  const other = await startApp({ settings: { TRUST_PROXY: '127.0.0.1' } })
  const sent = async (headers: Record<string, string>) => {
    const reply = await other.send('GET', '/api/v1/site/', undefined, { headers })
    const names = ['strict-transport-security', 'cross-origin-opener-policy']
    return names.map((name) => reply.headers.get(name))
  }
  expect(await sent(HTTPS)).toEqual(['max-age=31536000', 'same-origin'])
  expect(await sent({})).toEqual([null, null])
})

test('the service worker may fetch the files of the page, and is requested again each time', async ({
  app,
}) => {
  const { headers } = await app.send('GET', '/service-worker.js')
  expect(headers.get('content-security-policy')).toContain("connect-src 'self'")
  expect(headers.get('content-type')).toMatch(/javascript/)
  expect(headers.get('cache-control')).toBe('no-cache')
})

test('X-Forwarded-Proto is ignored from an address that TRUST_PROXY does not name', async ({ startApp }) => {
  const other = await startApp()
  const reply = await other.send('GET', '/api/v1/site/', undefined, { headers: HTTPS })
  expect(reply.headers.get('strict-transport-security')).toBeNull()
})

test('security.txt has a contact and an expiry', async ({ app }) => {
  const { headers, body } = await app.send('GET', '/.well-known/security.txt')
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
