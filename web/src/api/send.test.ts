import { notes } from '@kopilka/contract/notes.ts'
import { expect, onTestFinished, test, vi } from 'vitest'

// What a browser has besides Node, as far as a call needs it.
vi.stubGlobal('window', new EventTarget())
vi.stubGlobal('localStorage', { getItem: () => null })

test.for([
  ['text/html', '<!doctype html><title>Sign in</title>'],
  ['application/json', '{"sign_in":"https://example.org"}'],
] as const)('nothing is deleted or created by a page of a proxy, %s', async ([type, page]) => {
  vi.stubGlobal('fetch', async () => new Response(page, { headers: { 'Content-Type': type } }))
  const { send } = await import('./send.ts')
  const params = { id: '0190a000-0000-7000-8000-000000000001' }
  const unreachable = { name: 'CallFailure', isUnreachable: true }
  await expect(send(notes.remove, { params }, 'token')).rejects.toMatchObject(unreachable)
  const body = { title: 'Новая', content: '<p>а</p>' }
  await expect(send(notes.create, { body }, 'token')).rejects.toMatchObject(unreachable)
})

test.for([
  ['"5"', '"5"'],
  ['W/"5"', '"5"'],
  ['"5-zstd"', '"5"'],
  ['"other"', '"other"'],
] as const)(
  'the version of a response is read through proxies that compress it: %s',
  async ([sent, version]) => {
    vi.stubGlobal('fetch', async () => Response.json({}, { headers: { ETag: sent } }))
    const { send } = await import('./send.ts')
    const params = { id: '0190a000-0000-7000-8000-000000000001' }
    expect((await send(notes.read, { params }, 'token')).etag).toBe(version)
  },
)

/** A response whose parts arrive when the test says so. */
const partByPart = (type: string) => {
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
  const writer = writable.getWriter()
  vi.stubGlobal('fetch', async (_: string, { signal }: RequestInit) => {
    signal?.addEventListener('abort', () => void writer.abort(signal.reason))
    return new Response(readable, { headers: { 'Content-Type': type } })
  })
  return {
    /** Resolves once the page has read it. */
    arrive: async (part: string) => {
      await writer.write(new TextEncoder().encode(part))
      await new Promise((resolve) => queueMicrotask(() => queueMicrotask(() => resolve(undefined))))
    },
    end: () => writer.close(),
  }
}

test('a response that goes on arriving is waited for, however long it takes; one that stops is not', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  vi.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
    const controller = new AbortController()
    setTimeout(() => controller.abort(), milliseconds)
    return controller.signal
  })
  const { send } = await import('./send.ts')
  const params = { id: '0190a000-0000-7000-8000-000000000001' }
  const whole = partByPart('application/json')
  const sent = send(notes.read, { params }, 'token')
  for (const part of ['{"title":', '"Длинная",', '"content":"<p>Текст</p>"}']) {
    await whole.arrive(part)
    await vi.advanceTimersByTimeAsync(50_000)
  }
  await whole.end()
  expect((await sent).value).toEqual({ title: 'Длинная', content: '<p>Текст</p>' })

  const stopping = partByPart('application/json')
  const cut = expect(send(notes.read, { params }, 'token')).rejects.toMatchObject({ status: 'no-response' })
  await stopping.arrive('{"title":')
  await vi.advanceTimersByTimeAsync(70_000)
  await cut
})

test('a server is not lost whose response is on its way, though it says nothing else; behind a proxy that speaks it is', async () => {
  const { send } = await import('./send.ts')
  const { isLost } = await import('../lib/network.ts')
  const params = { id: '0190a000-0000-7000-8000-000000000001' }
  for (const [type, isThere] of [
    ['application/json', true],
    ['text/html', false],
  ] as const) {
    const response = partByPart(type)
    const sent = send(notes.read, { params }, 'token').catch(() => undefined)
    await response.arrive('{"title":')
    // The line is full: whether the server is there gets no response.
    const tried = Promise.withResolvers<Response>()
    vi.stubGlobal('fetch', () => tried.promise)
    const lost = isLost()
    await response.arrive('"Длинная"')
    tried.reject(new TypeError('timed out'))
    expect(await lost, type).toBe(!isThere)
    await response.arrive('}')
    await response.end()
    await sent
  }
})
