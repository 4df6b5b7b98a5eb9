import { connect } from 'node:net'
import { accounts } from '@kopilka/contract/accounts.ts'
import { everyCall } from '@kopilka/contract/calls.ts'
import { changes } from '@kopilka/contract/changes.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { RATE_LIMITS, type Rate, type RateLimitName } from '@kopilka/contract/rate-limits.ts'
import { tokens } from '@kopilka/contract/tokens.ts'
import { describe, expect, vi } from 'vitest'
import { buildApp } from '../../app.ts'
import { readConfig } from '../../config.ts'
import { openDb } from '../../db/open.ts'
import { AppError, DatabaseUnavailable } from '../../errors.ts'
import { databaseWith } from '../../testing/database-with.ts'
import { test } from '../../testing/fixtures.ts'
import { type Account, newAccount } from '../../testing/new-account.ts'
import { keepPicture, largePng, readPicture } from '../../testing/pictures.ts'
import { createRateLimits, createWindows } from './rate-limits.ts'

const it = test
  .extend('options', { scope: 'file' }, () => ({ settings: SETTINGS }))
  .extend(
    'signIn',
    ({ app }) =>
      (email: string, password: string, headers: Record<string, string> = newAddress()) =>
        app.request(accounts.login, { body: { email, password } }, { headers }),
  )
  .extend(
    'arrive',
    ({ app }) =>
      async (): Promise<Account> =>
        newAccount(app, newAddress()),
  )
  /** Starts another server on the same database, with its own counts in memory. */
  .extend(
    'anotherServer',
    ({ app }) =>
      async (): Promise<{ address: string; close: () => Promise<void> }> => {
        const server = await buildApp({
          config: readConfig({ LOG_LEVEL: 'silent', ...SETTINGS }),
          db: app.db,
          clock: app.now,
          resolve: async () => [],
        })
        const address = await server.listen({ port: 0, host: '127.0.0.1' })
        return { address, close: () => server.close() }
      },
  )
  .extend(
    'ask',
    ({ app }) =>
      (email: string, headers: Record<string, string>) =>
        app.request(accounts.passwordReset, { body: { email } }, { headers }),
  )

const SETTINGS = { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' }
const MINUTE = 60_000
const bearer = ({ session }: Account) => ({ authorization: `Bearer ${session.access_token}` })
const MISSING = '01a1fa45-9743-7383-8dfc-4ee65ccd69d0'
const LIMITED = 'Вы превысили лимит запросов. Пожалуйста, попробуйте позже.'

let addresses = 0
/** An unused client address, as a trusted proxy forwards it. */
const newAddress = () => {
  addresses += 1
  return { 'x-forwarded-for': `10.0.${addresses >> 8}.${addresses & 255}` }
}

const statuses = async (times: number, act: () => Promise<{ status: number }>): Promise<number[]> => {
  const found: number[] = []
  for (let turn = 0; turn < times; turn += 1) found.push((await act()).status)
  return found
}
/** Sends many requests concurrently; resolves to the number of each status. */
async function rush(times: number, act: () => Promise<{ status: number }>): Promise<Record<number, number>> {
  const found: Record<number, number> = {}
  for (let sent = 0; sent < times; sent += 40) {
    const replies = await Promise.all(Array.from({ length: Math.min(40, times - sent) }, act))
    for (const { status } of replies) found[status] = (found[status] ?? 0) + 1
  }
  return found
}
const repeat = (status: number, times: number): number[] => Array.from({ length: times }, () => status)

describe('sign-in', () => {
  it('refuses an account after 10 failures from any addresses, until 15 minutes are over', async ({
    app,
    signIn,
    arrive,
  }) => {
    const { email, password } = await arrive()
    expect(await statuses(12, () => signIn(email, 'wrong!'))).toEqual([...repeat(400, 10), 429, 429])
    const refused = await signIn(email.toUpperCase(), password)
    expect([refused.status, refused.body]).toEqual([429, { detail: LIMITED }])
    const seconds = Number(refused.headers.get('retry-after'))
    expect(seconds).toBeGreaterThan(14 * 60)
    expect(seconds).toBeLessThanOrEqual(15 * 60)
    app.advance(seconds * 1000)
    expect((await signIn(email, password)).status).toBe(200)
  })

  it('treats an unknown email the same', async ({ signIn }) => {
    expect(await statuses(11, () => signIn('nobody@example.org', 'wrong!'))).toEqual([
      ...repeat(400, 10),
      429,
    ])
  })

  it('counts failures only', async ({ signIn, arrive }) => {
    const { email, password } = await arrive()
    expect(await statuses(12, () => signIn(email, password))).toEqual(repeat(200, 12))
    expect(await statuses(10, () => signIn(email, 'wrong!'))).toEqual(repeat(400, 10))
  })

  it('checks the password of no more than 10 of many concurrent attempts', async ({ signIn, arrive }) => {
    const { email } = await arrive()
    const replies = await Promise.all(Array.from({ length: 40 }, () => signIn(email, 'wrong!')))
    expect(replies.filter(({ status }) => status === 400)).toHaveLength(10)
    expect(replies.filter(({ status }) => status === 429)).toHaveLength(30)
  })

  it('looks into the database for no attempt that those under way suffice to refuse', async ({ app }) => {
    const asked: string[] = []
    const db = await openDb(app.database.settings, ({ sql }) => asked.push(sql))
    const { attempt } = createRateLimits(db, app.now, { RATE_LIMIT: 'on' })
    const counters = [{ limit: 'signInToAccount', key: 'burst@example.org' }] as const
    const checked = Promise.withResolvers<void>()
    const running = Array.from({ length: 10 }, () => attempt(counters, () => checked.promise))
    await expect.poll(() => asked.filter((sql) => sql.includes('rate_limits'))).toHaveLength(10)
    await new Promise(setImmediate)
    asked.length = 0
    await expect(attempt(counters, () => checked.promise)).rejects.toThrow(AppError)
    expect(asked).toEqual([])
    checked.resolve()
    await Promise.all(running)
    await db.destroy()
  })

  it('refuses an address after 50 failures, whatever the account, and no other address', async ({
    signIn,
    arrive,
  }) => {
    const { email, password } = await arrive()
    const headers = newAddress()
    let turn = 0
    const attempt = () => {
      turn += 1
      return signIn(`stranger-${turn}@example.org`, 'wrong!', headers)
    }
    expect(await statuses(51, attempt)).toEqual([...repeat(400, 50), 429])
    expect((await signIn(email, password, headers)).status).toBe(429)
    expect((await signIn(email, password)).status).toBe(200)
  })

  it('counts an IPv6 /64 network as one address', async ({ signIn }) => {
    let turn = 0
    const attempt = () => {
      turn += 1
      return signIn(`six-${turn}@example.org`, 'wrong!', {
        'x-forwarded-for': `2001:db8:1:2:${turn.toString(16)}::1`,
      })
    }
    expect(await statuses(51, attempt)).toEqual([...repeat(400, 50), 429])
  })

  it('accepts the right password from a known device, however many attempts elsewhere failed', async ({
    signIn,
    arrive,
  }) => {
    const { email, password } = await arrive()
    const first = await signIn(email, password)
    const cookie = first.headers.get('set-cookie')?.split(';')[0] ?? ''
    const headers = newAddress()
    await statuses(11, () => signIn(email, 'wrong!', headers))
    expect((await signIn(email, password, headers)).status).toBe(429)
    expect((await signIn(email, password, { ...headers, cookie })).status).toBe(200)

    const other = await arrive()
    await statuses(11, () => signIn(other.email, 'wrong!'))
    expect((await signIn(other.email, other.password, { cookie })).status).toBe(429)
    expect(await statuses(11, () => signIn(email, 'wrong!', { cookie }))).toEqual([...repeat(400, 10), 429])
    expect((await signIn(email, password, { cookie })).status).toBe(429)
  })

  it('gives devices a secret that scripts, other sites and other calls never see, and stores its hash', async ({
    app,
    signIn,
    arrive,
  }) => {
    const { id, email, password } = await arrive()
    const cookieOf = async (headers: Record<string, string>) =>
      (await signIn(email, password, headers)).headers.get('set-cookie') ?? ''
    const plain = await cookieOf(newAddress())
    expect(plain).toMatch(
      /^kopilka_browser=[\w-]{43}; Path=\/api\/v1\/auth\/login; Max-Age=\d+; HttpOnly; SameSite=Strict$/,
    )
    expect(await cookieOf({ ...newAddress(), 'x-forwarded-proto': 'https' })).toMatch(/; Secure$/)
    const [pair = ''] = plain.split(';')
    expect((await cookieOf({ ...newAddress(), cookie: `a=b; ${pair}; c=d` })).split(';')[0]).toBe(pair)
    const kept = await app.db.selectFrom('known_devices').selectAll().where('owner_id', '=', id).execute()
    expect(kept).toHaveLength(3)
    expect(JSON.stringify(kept)).not.toContain(pair.split('=')[1])
    expect((await signIn(email, 'wrong!', { cookie: pair })).headers.get('set-cookie')).toBeNull()
  })

  it('never takes a secret that a browser brings, also one issued for another account, for a device of an account', async ({
    signIn,
    arrive,
  }) => {
    const cookieOf = async ({ email, password }: Account, cookie = '') =>
      (await signIn(email, password, { ...newAddress(), cookie })).headers.get('set-cookie')?.split(';')[0]
    for (const planted of [`kopilka_browser=${'x'.repeat(43)}`, (await cookieOf(await arrive())) ?? '']) {
      const victim = await arrive()
      expect(await cookieOf(victim, planted)).toMatch(/^kopilka_browser=[\w-]{43}\b/)
      await statuses(11, () => signIn(victim.email, 'wrong!'))
      expect((await signIn(victim.email, victim.password, { cookie: planted })).status).toBe(429)
    }
  })

  it('knows a browser for each of the accounts that sign in with it in turn', async ({ signIn, arrive }) => {
    const family = [await arrive(), await arrive(), await arrive()]
    let cookie = ''
    const enter = async ({ email, password }: Account) => {
      const { status, headers } = await signIn(email, password, { ...newAddress(), cookie })
      cookie = headers.get('set-cookie')?.split(';')[0] ?? cookie
      return status
    }
    for (const one of family) await enter(one)
    for (const { email } of family) await statuses(11, () => signIn(email, 'wrong!'))
    for (const one of [...family, ...family]) expect(await enter(one)).toBe(200)
    const [, secrets = ''] = cookie.split('=')
    expect(secrets.split('.')).toHaveLength(3)
  })

  it('gives a browser no more than 10 secrets', async ({ signIn, arrive }) => {
    const { email, password } = await arrive()
    const cookie = `kopilka_browser=${Array.from({ length: 60 }, (_, at) => String(at).padEnd(43, 'x')).join('.')}`
    const given = (await signIn(email, password, { cookie })).headers.get('set-cookie')?.split(';')[0]
    expect(given?.split('.')).toHaveLength(10)
  })

  it('knows the latest 20 devices of an account', async ({ app, signIn, arrive }) => {
    const { id, email, password } = await arrive()
    await statuses(22, () => signIn(email, password))
    const kept = await app.db
      .selectFrom('known_devices')
      .select('secret_hash')
      .where('owner_id', '=', id)
      .execute()
    expect(kept).toHaveLength(20)
  })
})

describe('registration', () => {
  it('accepts 10 an hour from an address, not counting invalid forms', async ({ app }) => {
    const headers = newAddress()
    let turn = 0
    const attempt = (password: string) => () => {
      turn += 1
      const body = { first_name: 'Анна', last_name: 'К', email: `new-${turn}@example.org`, password }
      return app.request(accounts.register, { body }, { headers })
    }
    expect(await statuses(3, attempt('short'))).toEqual(repeat(400, 3))
    expect(await statuses(11, attempt('long enough'))).toEqual([...repeat(201, 10), 429])
    app.advance(60 * MINUTE)
    expect((await attempt('long enough')()).status).toBe(201)
  })
})

describe('a forgotten password', () => {
  it('is 5 messages an hour for an account, and the same number of requests for an unknown email', async ({
    app,
    arrive,
  }) => {
    const { email } = await arrive()
    for (const asked of [email, 'nobody-there@example.org']) {
      const ask = (text: string) =>
        app.request(accounts.passwordReset, { body: { email: text } }, { headers: newAddress() })
      expect(await statuses(5, () => ask(asked))).toEqual(repeat(200, 5))
      expect((await ask(asked.toUpperCase())).status).toBe(429)
    }
  })
})

describe('password resets', () => {
  it('are 20 an hour for an address, whatever the email', async ({ ask }) => {
    const headers = newAddress()
    let turn = 0
    const attempt = () => {
      turn += 1
      return ask(`many-${turn}@example.org`, headers)
    }
    expect(await statuses(21, attempt)).toEqual([...repeat(200, 20), 429])
    expect((await ask('many-1@example.org', newAddress())).status).toBe(200)
  })

  it('are counted for a mailbox in any spelling of its email', async ({ ask }) => {
    const spellings = [
      'bombed@example.org',
      'bombed@exa\u00ADmple.org',
      '"bombed"@example.org',
      'ｂombed@example.org',
    ]
    for (const email of [...spellings, 'Bombed@ＥXAMPLE.org'])
      expect((await ask(email, newAddress())).status).toBe(200)
    for (const email of spellings) expect((await ask(email, newAddress())).status).toBe(429)
  })
})

describe('a clock that was a year ahead and is right again', () => {
  it('leaves nobody locked out', async ({ app, signIn, arrive }) => {
    const YEAR = 365 * 24 * 60 * MINUTE
    const { email, password, auth } = await arrive()
    app.advance(YEAR)
    await statuses(11, () => signIn(email, 'wrong!'))
    expect((await signIn(email, password)).status).toBe(429)
    const headers = newAddress()
    await rush(640, () => app.request(accounts.refresh, { body: {} }, { headers }))
    expect((await app.request(accounts.refresh, { body: {} }, { headers })).status).toBe(429)
    app.advance(-YEAR)
    expect((await signIn(email, password)).status).toBe(200)
    expect((await app.request(accounts.refresh, { body: {} }, { headers })).status).toBe(400)
    expect((await app.request(accounts.me, {}, auth)).status).toBe(200)
  })
})

describe('the windows in memory', () => {
  it('are never scanned, however many there are', () => {
    const windows = createWindows()
    for (let turn = 0; turn < 10_001; turn += 1) windows.find({ limit: 'signedOut', key: `${turn}` }, turn)
    const iteration = vi.spyOn(Map.prototype, Symbol.iterator)
    for (let turn = 0; turn < 1000; turn += 1)
      windows.find({ limit: 'signedOut', key: `new ${turn}` }, 10_001)
    expect(iteration).not.toHaveBeenCalled()
    iteration.mockRestore()
  })

  it('keep the count of an active client, and forget an inactive one', () => {
    const windows = createWindows(100)
    const busy = { limit: 'signedOut', key: 'busy' } as const
    const once = { limit: 'signedOut', key: 'once' } as const
    windows.find(busy, 0).unshared = 5
    windows.find(once, 0).unshared = 5
    for (let turn = 0; turn < 1000; turn += 1) {
      windows.find({ limit: 'signedOut', key: `${turn}` }, 1)
      expect(windows.find(busy, 1).unshared).toBe(5)
    }
    expect(windows.find(once, 1).unshared).toBe(0)
  })

  it('expire', () => {
    const windows = createWindows()
    const counter = { limit: 'signedOut', key: 'one' } as const
    windows.find(counter, 0).unshared = 5
    expect(windows.find(counter, MINUTE - 1).unshared).toBe(5)
    expect(windows.find(counter, MINUTE).unshared).toBe(0)
  })
})

describe('a change of password', () => {
  it('is tried 10 times in 15 minutes', async ({ app, arrive }) => {
    const { auth } = await arrive()
    const body = { current_password: 'wrong!', new_password: 'long enough' }
    const attempt = () => app.request(accounts.changePassword, { body }, auth)
    expect(await statuses(11, attempt)).toEqual([...repeat(400, 10), 429])
  })
})

describe('everything', () => {
  const me = (address: string, token: string) =>
    fetch(`${address}/api/v1/users/me/`, { headers: { authorization: `Bearer ${token}` } })

  it('is 600 a minute for each user', async ({ app, arrive }) => {
    const { auth } = await arrive()
    const other = await arrive()
    const ask = () => app.request(accounts.me, {}, auth)
    expect(await rush(640, ask)).toEqual({ 200: 600, 429: 40 })
    expect(Number((await ask()).headers.get('retry-after'))).toBeLessThanOrEqual(60)
    expect((await app.request(accounts.me, {}, other.auth)).status).toBe(200)
    app.advance(MINUTE)
    expect((await ask()).status).toBe(200)
  })

  it('leaves the rest to a user whose copy has reached its own limit, by its bytes too', async ({
    app,
    arrive,
  }) => {
    const { auth } = await arrive()
    const content = `<p>${'x'.repeat(400_000)}</p>`
    await app.call(notes.create, { body: { title: 'Длинная', content } }, auth)
    // Each response counts five times.
    const follow = () => app.request(changes.follow, {}, auth)
    expect(await statuses(121, follow)).toEqual([...repeat(200, 120), 429])
    expect((await app.request(accounts.me, {}, auth)).status).toBe(200)
    app.advance(MINUTE)
    expect((await follow()).status).toBe(200)
  })

  it('counts the servers of a database together, within a tenth each', async ({ arrive, anotherServer }) => {
    const { auth } = await arrive()
    const [one, two] = [await anotherServer(), await anotherServer()]
    let turn = 0
    const found = await rush(720, () => {
      turn += 1
      return me(turn % 2 ? one.address : two.address, auth.token)
    })
    expect(found[200]).toBeGreaterThanOrEqual(600)
    expect(found[200]).toBeLessThanOrEqual(660)
    expect(found[429]).toBe(720 - (found[200] ?? 0))
    await Promise.all([one.close(), two.close()])
  })

  it('writes to the database ten times a minute at most', async ({ app, arrive }) => {
    const { auth, id } = await arrive()
    const rows = () => app.db.selectFrom('rate_limits').select('key').execute()
    const before = (await rows()).length
    await statuses(59, () => app.request(accounts.me, {}, auth))
    expect((await rows()).length).toBe(before)
    await app.request(accounts.me, {}, auth)
    await expect.poll(async () => (await rows()).length).toBe(before + 1)
    expect(JSON.stringify(await rows())).not.toContain(id)
  })

  it('makes nobody wait for the database until the limit is near', async ({ app }) => {
    const busy = Promise.withResolvers<never>()
    const db = databaseWith(app, () => busy.promise)
    const limits = createRateLimits(db, app.now, { RATE_LIMIT: 'on' })
    const counter = { limit: 'signedIn', key: 'somebody' } as const
    const portion = RATE_LIMITS.signedIn.times / 10
    for (let turn = 0; turn < 9 * portion - 1; turn += 1) await limits.request(counter)
    let isThrough = false
    const last = limits.request(counter).then(() => {
      isThrough = true
    })
    await new Promise(setImmediate)
    expect(isThrough).toBe(false)
    busy.reject(new DatabaseUnavailable('busy'))
    await last
    for (let turn = 0; turn < portion; turn += 1) await limits.request(counter)
    await expect(limits.request(counter)).rejects.toThrow(AppError)
  })

  it('counts exact limits for all servers at once', async ({ app, arrive, anotherServer }) => {
    const { email } = await arrive()
    const other = await anotherServer()
    const attempt = (address: string) =>
      fetch(`${address}/api/v1/auth/login/`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...newAddress() },
        body: JSON.stringify({ email, password: 'wrong!' }),
      })
    const both = Array.from({ length: 20 }, (_, turn) => attempt(turn % 2 ? app.address : other.address))
    const found = (await Promise.all(both)).map(({ status }) => status)
    expect(found.filter((status) => status === 400)).toHaveLength(10)
    await other.close()
  })
})

describe('pages, files and everything that is not a call', () => {
  it('are 3,000 a minute for an address, except /healthz', async ({ app }) => {
    const headers = newAddress()
    const ask = (path: string) => app.send('GET', path, undefined, { headers })
    expect(await rush(3_000, () => ask('/api/v1/nothing/'))).toEqual({ 404: 3_000 })
    for (const path of ['/', '/readyz', '/api/docs', '/.well-known/security.txt', '/api/v1/nothing/'])
      expect([path, (await ask(path)).status]).toEqual([path, 429])
    expect((await ask('/healthz')).status).toBe(200)
    expect((await app.send('GET', '/readyz', undefined, { headers: newAddress() })).status).toBe(200)
  })
})

it('counts addresses that cannot be decoded by who connects', async ({ startApp }) => {
  const app = await startApp({ settings: SETTINGS })
  const ask = () => app.send('GET', '/api/v1/%', undefined, { headers: newAddress() })
  expect(await rush(3_010, ask)).toEqual({ 404: 3_000, 429: 10 })
})

describe('every call', () => {
  let tired: Account
  const headers = newAddress()

  it.beforeAll(async ({ app }) => {
    tired = await newAccount(app, newAddress())
    await rush(600, () => app.request(accounts.me, {}, tired.auth))
    await rush(600, () => app.request(changes.follow, {}, tired.auth))
    await rush(600, () => app.request(accounts.refresh, { body: {} }, { headers }))
  })

  it.for(everyCall)(
    '%s responds with 429 over the limit before reading the body',
    async ([_, call], { app }) => {
      const sending = call.access === 'signed-in' ? tired.auth : { headers }
      const reply = await app.request(
        call,
        { params: { id: MISSING }, ...(call.body && { body: '{' }) },
        sending,
      )
      expect([reply.status, reply.body.detail]).toEqual([429, LIMITED])
      expect(reply.body.error).toBe(call.repeatsDetailAsError && LIMITED)
      expect(Number(reply.headers.get('retry-after'))).toBeGreaterThan(0)
    },
  )

  it.for(everyCall.filter(([, { access }]) => access === 'signed-in'))(
    '%s responds with 429 after too many invalid tokens',
    async ([_, call], { app }) => {
      const reply = await app.request(call, { params: { id: MISSING } }, { headers, token: 'nonsense' })
      expect(reply.status).toBe(429)
    },
  )

  it.each(everyCall.filter(([, { access, method }]) => access === 'public' && method !== 'GET'))(
    '%s, a public call, has a limit of its own unless it takes a secret',
    (name, { rateLimits }) => {
      const takesSecret = ['accounts.refresh', 'accounts.passwordResetConfirm'].includes(name)
      expect((rateLimits ?? []).length === 0).toBe(takesSecret)
    },
  )

  it.each([
    'passwordReset',
    'passwordResetFromAddress',
    'passwordChange',
    'extraction',
    'registration',
  ] satisfies RateLimitName[])('%s limits only calls that have what it counts', (name) => {
    const rate: Rate = RATE_LIMITS[name]
    const calls = everyCall.flatMap(([, call]) => (call.rateLimits?.includes(name) ? [call] : []))
    const isCounted = ({ access, body }: Endpoint): boolean => {
      if (rate.per === 'owner') return access === 'signed-in'
      return rate.per !== 'account' || body?.safeParse({ email: 'a@example.org' }).success === true
    }
    expect(calls).not.toEqual([])
    expect(calls.filter((call) => !isCounted(call))).toEqual([])
  })
})

describe('RATE_LIMIT=off', () => {
  it('turns all limits off', async ({ startApp }) => {
    const free = await startApp({ settings: { RATE_LIMIT: 'off' } })
    const attempt = () =>
      free.request(accounts.login, { body: { email: 'nobody@example.org', password: 'wrong!' } })
    expect(await statuses(12, attempt)).toEqual(repeat(400, 12))
  })
})

describe('large bodies', () => {
  it('count more often, by their bytes', async ({ app, arrive }) => {
    const account = await arrive()
    // 61 counts each: ten of them are more than the 600 of a minute.
    const body = `{"title":"${'x'.repeat(6_000_000)}"}`
    const save = () => app.send('POST', '/api/v1/notes/', body, account.auth)
    expect(await statuses(10, save)).toEqual(repeat(400, 10))
    const { status } = await app.request(accounts.me, {}, account.auth)
    expect(status).toBe(429)
    const other = await arrive()
    expect((await app.request(accounts.me, {}, other.auth)).status).toBe(200)
  })

  it('count when they are received, if their length is not announced', async ({ app, arrive }) => {
    const account = await arrive()
    const body = Buffer.from(`{"title":"${'x'.repeat(6_000_000)}"}`)
    const save = () =>
      fetch(`${app.address}/api/v1/notes/`, {
        method: 'POST',
        headers: { ...bearer(account), 'content-type': 'application/json' },
        body: new Blob([body]).stream(),
        duplex: 'half',
      })
    expect(await statuses(10, save)).toEqual(repeat(400, 10))
    await expect.poll(async () => (await app.request(accounts.me, {}, account.auth)).status).toBe(429)
  })

  it('count at a call that is turned off', async ({ startApp }) => {
    const closed = await startApp({ settings: { ...SETTINGS, REGISTRATION: 'closed' } })
    const body = `{"first_name":"${'x'.repeat(500_000)}"}`
    const responses = await rush(110, () => closed.send('POST', '/api/v1/auth/register/', body))
    expect(Object.keys(responses)).toEqual(['403', '429'])
  })

  it("count in linkding's API as well", async ({ app, arrive }) => {
    const account = await arrive()
    const body = JSON.stringify({ title: 'x'.repeat(500_000) })
    const save = () => app.send('POST', '/linkding/api/bookmarks/', body, { headers: bearer(account) })
    // Six counts each.
    expect(await rush(110, save)).toEqual({ 400: 100, 429: 10 })
  })

  it("are accepted in linkding's API only of bookmarks", async ({ app, arrive }) => {
    const options = { headers: bearer(await arrive()) }
    const body = { name: 'x'.repeat(70_000) }
    expect((await app.send('POST', '/linkding/api/tags/', body, options)).status).toBe(413)
    const saved = { url: 'https://example.org/', notes: 'x'.repeat(70_000) }
    const reply = await app.send('POST', '/linkding/api/bookmarks/?disable_scraping', saved, options)
    expect(reply.status).toBe(201)
  })

  it('that are refused are not received', async ({ app, arrive }) => {
    const account = await arrive()
    await rush(600, () => app.request(accounts.me, {}, account.auth))
    const { address } = app
    const { port } = new URL(address)
    const socket = connect(Number(port), '127.0.0.1')
    const head = `authorization: Bearer ${account.session.access_token}\r\ncontent-type: application/json`
    socket.write(`POST /api/v1/notes/ HTTP/1.1\r\nhost: x\r\n${head}\r\ncontent-length: 8000000\r\n\r\nx`)
    const parts: Buffer[] = []
    for await (const part of socket) parts.push(part)
    expect(Buffer.concat(parts).toString()).toMatch(/^HTTP\/1.1 429 .*\r\nconnection: close\r\n/is)
  })
})

describe('files', () => {
  it('count once more for each megabyte, whether or not their length is announced', async ({
    app,
    arrive,
  }) => {
    const account = await arrive()
    const bytes = new Uint8Array(3_500_000)
    const send = () =>
      fetch(`${app.address}/api/v1/files/`, {
        method: 'POST',
        headers: { ...bearer(account), 'content-type': 'image/png' },
        body: bytes,
      })
    // Four counts each; the bytes are no picture.
    expect(await rush(20, send)).toEqual({ 415: 20 })
    const left = () => rush(600, () => app.request(accounts.me, {}, account.auth))
    expect(await left()).toEqual({ 200: 520, 429: 80 })
    app.advance(MINUTE)
    const stream = () =>
      fetch(`${app.address}/api/v1/files/`, {
        method: 'POST',
        headers: { ...bearer(account), 'content-type': 'image/png' },
        body: new Blob([bytes]).stream(),
        duplex: 'half',
      })
    expect(await rush(20, stream)).toEqual({ 415: 20 })
    // These are counted once the server has closed the response, which it may not yet have of the last ones.
    const { 429: refused } = await left()
    expect(refused).toBeGreaterThan(60)
    expect(refused).toBeLessThanOrEqual(80)
  })

  it('that are shown count by the megabyte, too, but not where the browser has them', async ({
    app,
    arrive,
  }) => {
    const account = await arrive()
    const { id } = await keepPicture(app, account, largePng(3_500_000))
    const left = () => rush(600, () => app.request(accounts.me, {}, account.auth))
    app.advance(MINUTE)
    // Four counts each.
    expect(await rush(20, () => readPicture(app, account, id))).toEqual({ 200: 20 })
    expect(await left()).toEqual({ 200: 520, 429: 80 })
    app.advance(MINUTE)
    const known = { 'if-none-match': `"${id}"` }
    expect(await rush(20, () => readPicture(app, account, id, known))).toEqual({ 304: 20 })
    expect(await left()).toEqual({ 200: 580, 429: 20 })
  })
})

describe('long responses', () => {
  it('count more often, by their bytes, whatever they are', async ({ app, arrive }) => {
    const { auth, ...account } = await arrive()
    const text = 'ёж '.repeat(101_000)
    const { id } = await app.call(notes.create, { body: { title: 'Ёж', content: text } }, auth)
    // Six counts each: the fourth forty are over the limit.
    const read = await rush(160, () => app.request(notes.read, { params: { id } }, auth))
    expect(read[429]).toBeGreaterThanOrEqual(40)
    app.advance(MINUTE)
    const options = { headers: bearer({ ...account, auth }) }
    const link = { url: 'https://example.org/', notes: text }
    await app.send('POST', '/linkding/api/bookmarks/?disable_scraping', link, options)
    const listed = await rush(160, () => app.send('GET', '/linkding/api/bookmarks/', undefined, options))
    expect(listed[429]).toBeGreaterThanOrEqual(40)
    expect([read[200], listed[200]]).toEqual([160 - (read[429] ?? 0), 160 - (listed[429] ?? 0)])
  })

  it('count by their bytes as a feed, too', async ({ app, arrive }) => {
    const { auth } = await arrive()
    const link = { url: 'https://example.org/', title: 'Ёж', description: 'ёж '.repeat(166_000) }
    await app.call(links.create, { body: link }, auth)
    const { token } = await app.call(tokens.create, { body: { name: 'лента', scope: 'feed' } }, auth)
    // Nine counts each, after the two calls before.
    const fed = await statuses(75, () => app.send('GET', `/feed.xml?token=${token}`))
    expect(fed.filter((status) => status === 429).length).toBeGreaterThanOrEqual(5)
    expect(fed[0]).toBe(200)
  })
})
