import { QueryClient } from '@tanstack/react-query'
import { expect, test, vi } from 'vitest'
import { keepChangedProfile } from '../accounts/changed-profile.ts'
import { readCopySession } from '../api/copy-session.ts'
import { readStoredProfile } from '../api/profile.ts'
import { meQuery } from '../api/queries.ts'
import { markSignIn, storeProfile, storeTokens } from '../api/tokens.ts'
import type { AppRouter } from './router.tsx'
import { startOffline } from './start-offline.ts'

// What a browser has for a page, but for a database: the copy only begins.
vi.hoisted(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('window', new EventTarget())
  vi.stubGlobal('BroadcastChannel', EventTarget)
  vi.stubGlobal('navigator', { serviceWorker: { ready: Promise.resolve() }, locks: {} })
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
  vi.stubEnv('PROD', true)
})

const userOf = (number: number) => ({
  id: `0190a000-0000-7000-8000-00000000000${number}`,
  ...{ email: `${number}@example.org`, first_name: 'Анна', last_name: 'Каренина' },
})
const [ONE, OTHER] = [userOf(1), userOf(2)]

const keepAs = (signIn: string | null, user: unknown) => storeProfile(JSON.stringify({ signIn, user }))

/** Signs in as another tab does; returns what the sign-in is called. */
const signIn = (): string | null => {
  markSignIn()
  storeTokens({ access_token: 'access', refresh_token: 'refresh' })
  return localStorage.getItem('signed_in_at')
}

test('a copy begins for the user of the present sign-in alone', async () => {
  const queryClient = new QueryClient()
  const show = (user: unknown) => queryClient.setQueryData<unknown>(meQuery.queryKey, user)
  show(ONE)
  keepAs('earlier', ONE)
  // This page has not heard of it: it shows the user of before.
  const signedIn = signIn()
  // It looks at no router until something has changed.
  startOffline({} as AppRouter, queryClient, 0)
  show({ ...ONE })
  await vi.dynamicImportSettled()
  expect(readCopySession()).toBeUndefined()

  keepAs(signedIn, OTHER)
  show(OTHER)
  await expect.poll(readCopySession).toEqual({ signIn: signedIn })
})

test('what one user has changed of their profile is not kept as that of another', () => {
  const signedIn = signIn()
  keepAs(signedIn, OTHER)
  keepChangedProfile(ONE)
  expect(readStoredProfile()).toEqual({ signIn: signedIn, user: OTHER })
  const changed = { ...OTHER, first_name: 'Вера' }
  keepChangedProfile(changed)
  expect(readStoredProfile()).toEqual({ signIn: signedIn, user: changed })
})
