import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { site } from '@kopilka/contract/site.ts'
import { afterEach, expect, test, vi } from 'vitest'
import { isReachable } from '../lib/network.ts'
import { call } from './call.ts'
import { provideOffline } from './offline.ts'

// What a browser has for a page with a copy of the account, as far as a call needs it.
const { stored } = vi.hoisted(() => {
  const stored = new Map([
    ['access_token', 'token'],
    ['signed_in_at', '1'],
    ['offline', '{"signIn":"1"}'],
  ])
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('localStorage', { getItem: (key: string) => stored.get(key) ?? null })
  return { stored }
})

afterEach(() => void vi.useRealTimers())

test('a server that was lost before a call is tried before the call is given up', async () => {
  vi.useFakeTimers()
  vi.stubGlobal('fetch', () => Promise.reject(new TypeError('no network')))
  await expect(call(accounts.me, {})).rejects.toMatchObject({ status: 'no-response' })
  expect(isReachable()).toBe(false)

  // The server is back, and takes its time for both.
  const tried = Promise.withResolvers<Response>()
  const done = Promise.withResolvers<Response>()
  const json = (body: unknown) =>
    new Response(JSON.stringify(body), { headers: { 'Content-Type': 'application/json' } })
  vi.stubGlobal('fetch', (address: string) =>
    address === API_PREFIX + site.read.path ? tried.promise : done.promise,
  )
  const outcome = call(operations.undo, { params: { id: '0190a000-0000-7000-8000-000000000001' } }).catch(
    (failure: unknown) => failure,
  )
  await vi.advanceTimersByTimeAsync(4_000)
  tried.resolve(json({}))
  await vi.advanceTimersByTimeAsync(4_000)
  const undone = { restored: 1, skipped: [], skipped_count: 0 }
  done.resolve(json(undone))
  expect(await outcome).toEqual(undone)
})

test('what is asked for while what waits is looked at is not sent as somebody else who signs in meanwhile', async () => {
  stored.set('waiting', '1 0 1')
  const fetched = vi.fn()
  vi.stubGlobal('fetch', fetched)
  provideOffline(async () => ({
    respond: async () => {
      stored.set('signed_in_at', '2')
      return undefined
    },
    picture: async () => undefined,
    resolved: async () => new Map(),
    keepPicture: async () => undefined,
    unsent: async () => undefined,
    noteSignOut: async () => {},
    keepWritten: async () => {},
  }))
  const body = { title: 'Заметка', content: '<p>текст</p>' }
  await expect(call(notes.create, { body })).rejects.toMatchObject({ status: 401 })
  expect(fetched).not.toHaveBeenCalled()
})
