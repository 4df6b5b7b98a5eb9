import { accounts, type Session } from '@kopilka/contract/accounts.ts'
import { describe, expect, inject } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'

const it = test
  .extend(
    'renew',
    ({ app }) =>
      (refresh_token: string, on = app) =>
        on.request(accounts.refresh, { body: { refresh_token } }),
  )
  .extend(
    'me',
    ({ app }) =>
      (token: unknown, on = app) =>
        on.request(accounts.me, {}, { token: String(token) }),
  )
  /** Renews a pair this many times. */
  .extend('renewed', ({ app }) => async (session: Session, times: number): Promise<Session> => {
    let pair = session
    for (let count = 0; count < times; count += 1)
      pair = await app.call(accounts.refresh, { body: { refresh_token: pair.refresh_token } })
    return pair
  })

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const YEAR = 365 * DAY

/** The token with another secret. */
const withSecret = (token: string, secret: Buffer): string =>
  Buffer.concat([Buffer.from(token, 'base64url').subarray(0, 32), secret]).toString('base64url')
const secretOf = (token: string): Buffer => Buffer.from(token, 'base64url').subarray(32)

describe('a session', () => {
  it('begins in one transaction, together with the known device and the check of the counters', async ({
    startApp,
  }) => {
    const said: string[] = []
    const watched = await startApp({
      settings: { RATE_LIMIT: 'on' },
      onStatement: (sql) => said.push(sql),
    })
    const { email, password } = await newAccount(watched)
    said.length = 0
    await watched.call(accounts.login, { body: { email, password } })
    expect(said.filter((sql) => sql.startsWith('begin'))).toHaveLength(1)
    const writes = said.filter((sql) => /^(?:insert|update|delete)/.test(sql))
    expect(writes.filter((sql) => sql.includes('"sessions"'))).not.toEqual([])
    expect(writes.filter((sql) => sql.includes('"known_devices"'))).not.toEqual([])
  })

  it('stores neither password nor tokens', async ({ startApp }) => {
    const app = await startApp({ hashesFully: true })
    const { id, password, session } = await newAccount(app)
    const user = await app.db
      .selectFrom('users')
      .selectAll()
      .where('owner_id', '=', id)
      .executeTakeFirstOrThrow()
    expect(user.password_hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    const stored = JSON.stringify([user, await app.db.selectFrom('sessions').selectAll().execute()])
    expect(stored).not.toContain(password)
    for (const token of Object.values(session)) {
      expect(stored).not.toContain(token)
      expect(stored).not.toContain(Buffer.from(token, 'base64url').subarray(32).toString('base64url'))
    }
  })

  it('ends with sign-out: both its tokens, and no other session', async ({ app, renew, me }) => {
    const { email, password, session, auth } = await newAccount(app)
    const other = await app.call(accounts.login, { body: { email, password } })
    expect((await app.request(accounts.logout, {}, auth)).status).toBe(200)
    expect((await me(session.access_token)).status).toBe(401)
    expect((await renew(session.refresh_token)).status).toBe(401)
    expect((await me(other.access_token)).status).toBe(200)
  })

  it('is cached by its whole access token: a token with the id of another owner is refused', async ({
    me,
    startApp,
  }) => {
    const said: string[] = []
    const watched = await startApp({ onStatement: (sql) => said.push(sql) })
    const [one, other] = [await newAccount(watched), await newAccount(watched)]
    const bytesOf = ({ session }: typeof one) => Buffer.from(session.access_token, 'base64url')
    const mixed = Buffer.concat([bytesOf(other).subarray(0, 16), bytesOf(one).subarray(16)])
    said.length = 0
    for (let at = 0; at < 5; at += 1) {
      expect((await me(one.session.access_token, watched)).body).toMatchObject({ email: one.email })
    }
    const reads = said.filter((sql) => /^select.* from "sessions"/.test(sql))
    expect(reads).toHaveLength(inject('postgres') === undefined ? 1 : 5)
    expect((await me(mixed.toString('base64url'), watched)).status).toBe(401)
  })

  it('is one of at most 100 of an account; the one unused longest is ended', async ({ app, me, renewed }) => {
    const { id, email, password, session } = await newAccount(app)
    const login = () => app.call(accounts.login, { body: { email, password } })
    const [unused, used] = [session, await login()]
    const rows = Array.from({ length: 98 }, (_, at) => ({
      owner_id: id,
      id: `session ${at}`,
      access_hash: '',
      access_expires_at: 0,
      refresh_hash: '',
      refresh_expires_at: app.now() + 30 * DAY + at + 1,
      previous_refresh_hash: null,
      rotation_salt: null,
      rotated_at: null,
      retirement_key: null,
      created_at: 0,
    }))
    await app.db.insertInto('sessions').values(rows).execute()
    const { access_token } = await renewed(used, 1)
    const newest = await login()
    expect((await me(unused.access_token)).status).toBe(401)
    expect((await me(access_token)).status).toBe(200)
    expect((await me(newest.access_token)).status).toBe(200)
    const kept = await app.db.selectFrom('sessions').select('id').where('owner_id', '=', id).execute()
    expect(kept).toHaveLength(100)
  })
})

describe('a refresh token', () => {
  it.for([2, 3, 40])(
    'that was replaced %i renewals ago ends the session',
    async (times, { app, renew, me, renewed }) => {
      const { session } = await newAccount(app)
      const latest = await renewed(session, times)
      expect((await renew(session.refresh_token)).status).toBe(401)
      expect((await me(latest.access_token)).status).toBe(401)
      expect((await renew(latest.refresh_token)).status).toBe(401)
    },
  )

  it.for([
    ['with another secret', (refresh: string) => withSecret(refresh, Buffer.alloc(32, 7))],
    [
      'with half of its secret changed',
      (refresh: string) =>
        withSecret(refresh, Buffer.concat([secretOf(refresh).subarray(0, 16), Buffer.alloc(16)])),
    ],
    [
      'with the proof of another id',
      (refresh: string) =>
        withSecret(refresh, Buffer.concat([Buffer.alloc(16), secretOf(refresh).subarray(16)])),
    ],
    ['that is its access token', (_: string, access: string) => access],
    [
      'with the secret of another session of the owner',
      (refresh: string, _: string, other: string) => withSecret(refresh, secretOf(other)),
    ],
  ] as const)('%s is refused and ends nothing', async ([_, forge], { app, renew, me, renewed }) => {
    const { email, password, session } = await newAccount(app)
    const other = await app.call(accounts.login, { body: { email, password } })
    const { access_token, refresh_token } = await renewed(session, 1)
    for (const secret of [other.refresh_token, session.refresh_token]) {
      const forged = forge(refresh_token, access_token, other.refresh_token)
      expect(forged).not.toBe(secret)
      expect((await renew(forged)).status).toBe(401)
    }
    expect((await me(access_token)).status).toBe(200)
    expect((await renew(refresh_token)).status).toBe(200)
    expect((await me(other.access_token)).status).toBe(200)
  })

  it('is not accepted as an access token, nor an expired access token as a refresh token', async ({
    renew,
    me,
    startApp,
  }) => {
    const timed = await startApp()
    const { session } = await newAccount(timed)
    expect((await me(session.refresh_token, timed)).status).toBe(401)
    timed.advance(16 * MINUTE)
    expect((await renew(session.access_token, timed)).status).toBe(401)
    expect((await renew(session.refresh_token, timed)).status).toBe(200)
  })

  it('of a session that began before sessions had a key is renewed, and is recognised once it is retired', async ({
    app,
    renew,
    me,
    renewed,
  }) => {
    const { id, session } = await newAccount(app)
    await app.db.updateTable('sessions').set({ retirement_key: null }).where('owner_id', '=', id).execute()
    const latest = await renewed(session, 1)
    expect((await me(latest.access_token)).status).toBe(200)
    const after = await renewed(latest, 2)
    expect((await renew(latest.refresh_token)).status).toBe(401)
    expect((await me(after.access_token)).status).toBe(401)
  })
})

describe('a clock that was a year ahead and is right again', () => {
  it('keeps every session valid and renewable', async ({ renew, me, startApp }) => {
    const timed = await startApp()
    const { email, password, session } = await newAccount(timed)
    timed.advance(29 * DAY)
    const current = (await renew(session.refresh_token, timed)).body as unknown as Session
    timed.advance(YEAR)
    const login = () => timed.call(accounts.login, { body: { email, password } })
    const ahead = await login()
    const rotated = (await renew(ahead.refresh_token, timed)).body as unknown as Session
    timed.advance(-YEAR)
    // The time since it was replaced is unknown: it is refused and ends nothing.
    expect((await renew(ahead.refresh_token, timed)).status).toBe(401)
    const again = await renew(rotated.refresh_token, timed)
    expect(again.status).toBe(200)
    expect((await me(again.body.access_token, timed)).status).toBe(200)
    expect((await me((await login()).access_token, timed)).status).toBe(200)
    expect((await renew(current.refresh_token, timed)).status).toBe(200)
  })

  it('lets sessions and devices of that time go before those that begin later', async ({ me, startApp }) => {
    const timed = await startApp()
    const { id, email, password } = await newAccount(timed)
    const login = () => timed.call(accounts.login, { body: { email, password } })
    const devices = async () => {
      const known = timed.db.selectFrom('known_devices').where('owner_id', '=', id)
      return (await known.select('signed_in_at').execute()).filter(
        (device) => device.signed_in_at <= timed.now(),
      )
    }
    timed.advance(YEAR)
    for (let count = 0; count < 100; count += 1) await login()
    timed.advance(-YEAR)
    const later = [await login(), await login(), await login()]
    expect(await devices()).toHaveLength(3)
    for (const { access_token } of later) expect((await me(access_token, timed)).status).toBe(200)
  })

  it('leaves no access token valid for a year', async ({ renew, me, startApp }) => {
    const timed = await startApp()
    timed.advance(YEAR)
    const { session } = await newAccount(timed)
    expect((await me(session.access_token, timed)).status).toBe(200)
    timed.advance(-YEAR)
    expect((await me(session.access_token, timed)).status).toBe(401)
    const again = await renew(session.refresh_token, timed)
    expect((await me(again.body.access_token, timed)).status).toBe(200)
  })
})

describe('tokens', () => {
  it('live 15 minutes for access and 30 days for renewal', async ({ startApp }) => {
    const timed = await startApp()
    const { session } = await newAccount(timed)
    const access = () => timed.request(accounts.me, {}, { token: session.access_token })
    const renewal = (refresh_token: string) => timed.request(accounts.refresh, { body: { refresh_token } })
    timed.advance(15 * MINUTE - 5000)
    expect((await access()).status).toBe(200)
    timed.advance(10_000)
    expect((await access()).status).toBe(401)
    timed.advance(30 * DAY - 15 * MINUTE - 10_000)
    const renewed = await renewal(session.refresh_token)
    expect(renewed.status).toBe(200)
    timed.advance(30 * DAY + 1)
    expect((await renewal(String(renewed.body.refresh_token))).status).toBe(401)
  })

  it('are replaced by a new pair, which retires the old one', async ({ app, renew, me }) => {
    const { session } = await newAccount(app)
    const renewed = await renew(session.refresh_token)
    expect(renewed.status).toBe(200)
    expect((await me(session.access_token)).status).toBe(401)
    expect((await me(renewed.body.access_token)).status).toBe(200)
    expect((await renew(String(renewed.body.refresh_token))).status).toBe(200)
  })

  it('stay one chain if ten tabs renew concurrently', async ({ app, renew, me }) => {
    const { session } = await newAccount(app)
    const replies = await Promise.all(Array.from({ length: 10 }, () => renew(session.refresh_token)))
    const pairs = new Set(replies.map(({ status, body }) => `${status} ${JSON.stringify(body)}`))
    expect([...pairs]).toHaveLength(1)
    expect((await me(replies[0]?.body.access_token)).status).toBe(200)
  })

  it('end the session if a retired one is used after 10 seconds', async ({ app, renew, me }) => {
    const { session } = await newAccount(app)
    const renewed = await renew(session.refresh_token)
    app.advance(10_001)
    expect((await renew(session.refresh_token)).status).toBe(401)
    expect((await me(renewed.body.access_token)).status).toBe(401)
    expect((await renew(String(renewed.body.refresh_token))).status).toBe(401)
  })

  it('end the session if one retired two renewals ago is used, however soon', async ({ app, renew }) => {
    const { session } = await newAccount(app)
    const second = await renew(session.refresh_token)
    await renew(String(second.body.refresh_token))
    expect((await renew(session.refresh_token)).status).toBe(401)
    expect((await renew(String(second.body.refresh_token))).status).toBe(401)
  })

  it.for(['', 'x', 'x'.repeat(86), `${'A'.repeat(85)}=`, '00000000-0000-0000-0000-000000000000'])(
    'are refused when they never were ours: %j',
    async (text, { renew, me }) => {
      expect([400, 401]).toContain((await renew(text)).status)
      expect((await me(text)).status).toBe(401)
    },
  )
})
