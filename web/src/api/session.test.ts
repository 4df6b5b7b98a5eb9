import { beforeEach, expect, test, vi } from 'vitest'

/** What a browser has for a page, as far as a session needs it. */
const stored = new Map<string, string>()
const page = new EventTarget()

beforeEach(() => {
  stored.clear()
  vi.resetModules()
  vi.stubGlobal('window', page)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  })
})

/** Lets another tab store a sign-in, or drop it. */
const changeElsewhere = (signIn: string | undefined): void => {
  if (signIn === undefined) stored.clear()
  else stored.set('access_token', 'token').set('signed_in_at', signIn)
  page.dispatchEvent(Object.assign(new Event('storage'), { key: 'access_token' }))
}

test('why a sign-in ended is noted before other tabs can see that it has', async () => {
  for (const why of ['expired', 'no-profile', 'password-reset', 'left'] as const) {
    vi.resetModules()
    stored.set('access_token', 'token').set('signed_in_at', '1').set('offline', '{"signIn":"1"}')
    let noted: unknown
    vi.stubGlobal('localStorage', {
      ...localStorage,
      removeItem: (key: string) => {
        if (key === 'access_token') noted = JSON.parse(stored.get('offline') ?? '')
        stored.delete(key)
      },
    })
    const { endSession } = await import('./session.ts')
    endSession(why)
    expect(noted, why).toEqual({ signIn: '1', left: why === 'left' })
    expect(stored.has('access_token')).toBe(false)
  }
})

test('every listener learns what another tab has changed, once', async () => {
  stored.set('access_token', 'token').set('signed_in_at', '1')
  const { watchSession } = await import('./session.ts')
  const said: string[] = []
  const listen = (name: string) =>
    watchSession({
      renewed: () => said.push(`${name} renewed`),
      replaced: () => said.push(`${name} replaced`),
      ended: (why) => said.push(`${name} ${why}`),
    })
  listen('first')
  const stop = listen('second')
  const happens = (signIn: string | undefined): string[] => {
    changeElsewhere(signIn)
    return said.splice(0)
  }
  expect(happens('1')).toEqual(['first renewed', 'second renewed'])
  expect(happens('2')).toEqual(['first replaced', 'second replaced'])
  expect(happens(undefined)).toEqual(['first left', 'second left'])
  stop()
  expect(happens('3')).toEqual(['first renewed'])
})
