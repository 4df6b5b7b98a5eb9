import type { RequestListener } from 'node:http'
import { afterEach, expect, it, vi } from 'vitest'
import { type PageServer, startPageServer } from '../testing/page-server.ts'
import type { Resolve } from './connection.ts'
import { createExtraction } from './extraction.ts'

/** Milliseconds in place of ten seconds. */
const DEADLINE = 200

let server: PageServer | undefined
let extraction: ReturnType<typeof createExtraction> | undefined
afterEach(async () => {
  await extraction?.close()
  await server?.close()
})

async function extract(answer: RequestListener, resolve: Resolve, host = '127.0.0.1') {
  server = await startPageServer(answer)
  extraction = createExtraction({ FETCH_ALLOW: ['127.0.0.1'] }, resolve, DEADLINE)
  return extraction.extract({ owner_id: 'x', url: `http://${host}:${server.port}/`, locale: 'ru' })
}

it.each([
  ['who does not answer', () => {}],
  ['who sends one byte after the other', (_, response) => void response.writeHead(200).write('<')],
  [
    'who redirects and then is silent',
    ({ url }, response) => void (url === '/' && response.writeHead(302, { location: '/x' }).end()),
  ],
] satisfies [string, RequestListener][])(
  'all has to be done in time, whoever it is: %s',
  async (_, answer) => {
    await expect(extract(answer, async () => [])).rejects.toThrow('fetchTooSlow')
    await vi.waitFor(() => expect(server?.open()).toBe(0))
  },
)

it('a name server that does not answer takes no longer', async () => {
  const silent: Resolve = () => new Promise(() => {})
  await expect(extract(() => {}, silent, 'silent.test')).rejects.toThrow('fetchTooSlow')
  expect(server?.connections()).toBe(0)
})
