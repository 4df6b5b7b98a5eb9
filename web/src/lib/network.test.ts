import { expect, test, vi } from 'vitest'
import { isReachable, noteNoResponse, noteResponse } from './network.ts'

test('the server is not lost where another call has got through while it was tried', async () => {
  const tried = Promise.withResolvers<Response>()
  vi.stubGlobal('fetch', () => tried.promise)
  noteNoResponse()
  noteResponse()
  tried.reject(new TypeError('timed out'))
  await new Promise((resolve) => setTimeout(resolve))
  expect(isReachable()).toBe(true)
})

test('the server is lost where it does not respond either when it is tried, and back with the next response', async () => {
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  noteNoResponse()
  await vi.waitFor(() => expect(isReachable()).toBe(false))
  noteResponse()
  expect(isReachable()).toBe(true)
})
