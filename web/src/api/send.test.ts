import { notes } from '@kopilka/contract/notes.ts'
import { expect, test, vi } from 'vitest'

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
