import type { RequestListener } from 'node:http'
import { afterEach, expect, it, vi } from 'vitest'
import { type PageServer, startPageServer } from '../testing/page-server.ts'
import type { Resolve } from './connection.ts'
import { createExtraction } from './extraction.ts'

/** Milliseconds, instead of ten seconds. */
const DEADLINE = 200

let server: PageServer | undefined
let extraction: ReturnType<typeof createExtraction> | undefined
afterEach(async () => {
  await extraction?.close()
  await server?.close()
})

async function extract(respond: RequestListener, resolve: Resolve, host = '127.0.0.1') {
  server = await startPageServer(respond)
  extraction = createExtraction({ FETCH_ALLOW: ['127.0.0.1'], FILE_LIMIT: 1_000_000 }, resolve, {
    deadline: DEADLINE,
  })
  return extraction.extract({ owner_id: 'x', url: `http://${host}:${server.port}/`, locale: 'ru' })
}

it.each([
  ['who does not respond', () => {}],
  ['who sends one byte after the other', (_, response) => void response.writeHead(200).write('<')],
  [
    'who redirects and then is silent',
    ({ url }, response) => void (url === '/' && response.writeHead(302, { location: '/x' }).end()),
  ],
] satisfies [string, RequestListener][])(
  'all has to be done in time, whoever it is: %s',
  async (_, respond) => {
    await expect(extract(respond, async () => [])).rejects.toThrow('fetchTooSlow')
    await vi.waitFor(() => expect(server?.open()).toBe(0))
  },
)

it('a page that nobody waits for any more is given up, and its connection closed', async () => {
  const pages = await startPageServer(() => {})
  server = pages
  extraction = createExtraction({ FETCH_ALLOW: ['127.0.0.1'], FILE_LIMIT: 1_000_000 }, async () => [], {
    deadline: 60_000,
  })
  const gone = new AbortController()
  const asked = { owner_id: 'x', url: pages.url, locale: 'ru', signal: gone.signal } as const
  const reading = extraction.extract(asked)
  await vi.waitFor(() => expect(pages.open()).toBe(1))
  gone.abort(new Error('gone'))
  await expect(reading).rejects.toThrow()
  await vi.waitFor(() => expect(pages.open()).toBe(0))
})

it('a name server that does not respond takes no longer', async () => {
  const silent: Resolve = () => new Promise(() => {})
  await expect(extract(() => {}, silent, 'silent.test')).rejects.toThrow('fetchTooSlow')
  expect(server?.connections()).toBe(0)
})

it('six pages that are slow to parse do not delay another', async () => {
  const held: (() => void)[] = []
  const pages = await startPageServer(({ url }, response) => {
    response.writeHead(200, { 'content-type': 'text/html' })
    if (url === '/hard') response.end('<p>'.repeat(700_000))
    else held.push(() => response.end('<title>x</title>'))
  })
  server = pages
  const reading = createExtraction({ FETCH_ALLOW: ['127.0.0.1'], FILE_LIMIT: 1_000_000 }, async () => [], {
    deadline: 25_000,
    share: 1,
  })
  extraction = reading
  const ask = (owner_id: string, path: string) =>
    reading.extract({ owner_id, url: `${pages.url}${path}`, locale: 'ru' })
  let ended = 0
  const hard = ['a', 'a', 'b', 'b', 'c', 'c'].map((owner) =>
    ask(owner, '/hard').finally(() => {
      ended += 1
    }),
  )
  const outcomes = Promise.allSettled(hard)
  const easy = ask('d', '/')
  // The last two are being parsed, and nothing waits behind the fast one.
  await vi.waitFor(() => expect(ended).toBeGreaterThanOrEqual(4), { timeout: 20_000 })
  for (const respond of held) respond()
  expect(await easy).toMatchObject({ title: 'x' })
  // Any of them may have been first.
  expect(await outcomes).toContainEqual(
    expect.objectContaining({ reason: expect.objectContaining({ message: 'fetchTooComplex' }) }),
  )
})
