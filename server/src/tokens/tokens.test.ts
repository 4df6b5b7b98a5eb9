import { accounts } from '@kopilka/contract/accounts.ts'
import { everyCall } from '@kopilka/contract/calls.ts'
import type { RequestOf } from '@kopilka/contract/endpoint.ts'
import { exports } from '@kopilka/contract/exports.ts'
import { MAX_TOKENS } from '@kopilka/contract/limits.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { type ApiToken, TOKEN_SCOPES, tokens } from '@kopilka/contract/tokens.ts'
import { describe, expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

const it = test.extend('options', { scope: 'file' }, ({ mail }) => ({
  settings: { SMTP_URL: mail.url, TRUST_PROXY: '127.0.0.1' },
}))

const MINUTE = 60_000
const MISSING = '01a1fa45-9743-7383-8dfc-4ee65ccd69d0'

const create = (
  app: TestApp,
  { auth }: Account,
  body: Partial<RequestOf<typeof tokens.create>['body']> = {},
) => app.call(tokens.create, { body: { name: 'Телефон', scope: 'write', ...body } }, auth)

const listed = async (app: TestApp, { auth }: Account): Promise<ApiToken[]> =>
  (await app.call(tokens.list, {}, auth)).results

const statusWith = async (app: TestApp, token: string, ip = '192.0.2.1'): Promise<number> =>
  (await app.request(notes.list, {}, { token, headers: { 'x-forwarded-for': ip } })).status

describe('an API token', () => {
  it('is shown once, and stored as a hash', async ({ app, account }) => {
    const { token, ...rest } = await create(app, account, { name: ' Телефон ', scope: 'read' })
    expect(token).toMatch(/^kop_[\w-]{86}$/)
    expect(rest).toMatchObject({ name: 'Телефон', scope: 'read', expires_at: null, last_used_at: null })
    expect(await listed(app, account)).toEqual([rest])
    const rows = await app.db
      .selectFrom('api_tokens')
      .selectAll()
      .where('owner_id', '=', account.id)
      .execute()
    expect(rows).toHaveLength(1)
    expect(JSON.stringify(rows)).not.toContain(token.slice(-43))
  })

  it('works until it expires', async ({ app, account }) => {
    const expires_at = new Date(app.now() + 5 * MINUTE).toISOString()
    const { token } = await create(app, account, { expires_at })
    expect(await statusWith(app, token)).toBe(200)
    app.advance(5 * MINUTE)
    expect(await statusWith(app, token)).toBe(401)
    expect(await listed(app, account)).toMatchObject([{ expires_at }])
  })

  it('takes an expiry in any time zone, but none that has passed or is no time', async ({ app, account }) => {
    const made = await create(app, account, { expires_at: '2999-12-31T03:00:00+03:00' })
    expect(made.expires_at).toBe('2999-12-31T00:00:00.000Z')
    // In UTC the year has five digits, which no time of a response has.
    const latest = await create(app, account, { expires_at: '9999-12-31T23:59:59-05:00' })
    expect(latest.expires_at).toBe('9999-12-31T23:59:59.999Z')
    for (const [expires_at, message] of [
      ['2020-01-01T00:00:00Z', 'Этот срок уже прошёл'],
      ['2999-02-30T00:00:00Z', 'Значение неподходящего вида'],
      ['завтра', 'Значение неподходящего вида'],
      [1, 'Значение неподходящего вида'],
    ]) {
      const body = { name: 'x', scope: 'read', expires_at }
      const reply = await app.request(tokens.create, { body }, account.auth)
      expect([reply.status, reply.body.expires_at]).toEqual([400, [message]])
    }
  })

  it('is revoked at once', async ({ app, account }) => {
    const { token, id } = await create(app, account)
    expect(await statusWith(app, token)).toBe(200)
    expect((await app.request(tokens.remove, { params: { id } }, account.auth)).status).toBe(204)
    expect(await statusWith(app, token)).toBe(401)
    expect(await listed(app, account)).toEqual([])
    expect((await app.request(tokens.remove, { params: { id } }, account.auth)).status).toBe(404)
  })

  it('ends with the account, stays when the password is changed, and ends when it is reset', async ({
    app,
    account,
    mail,
  }) => {
    const { token } = await create(app, account)
    const { email, password, auth } = account
    const change = { current_password: password, new_password: 'another horse' }
    await app.call(accounts.changePassword, { body: change }, auth)
    expect(await statusWith(app, token)).toBe(200)
    await app.call(accounts.passwordReset, { body: { email } })
    const link = () => mail.received.find(({ headers }) => headers.get('to') === email)
    await expect.poll(link).toBeDefined()
    const { uid = '', token: secret = '' } = link() ?? {}
    await app.call(accounts.passwordResetConfirm, {
      body: { uid, token: secret, new_password: 'third horse' },
    })
    expect(await statusWith(app, token)).toBe(401)

    const other = await newAccount(app)
    const ends = await create(app, other)
    await app.request(accounts.remove, { body: { password: other.password } }, other.auth)
    expect(await statusWith(app, ends.token)).toBe(401)
  })

  it('shows when and from where it was last used, stored at most once a minute', async ({ app, account }) => {
    const { token } = await create(app, account)
    const use = async (ip: string) => {
      expect(await statusWith(app, token, ip)).toBe(200)
      return listed(app, account)
    }
    await use('192.0.2.7')
    await expect.poll(() => listed(app, account)).toMatchObject([{ last_used_from: '192.0.2.7' }])
    const [first] = await listed(app, account)
    expect(Math.abs(Date.parse(first?.last_used_at ?? '') - app.now())).toBeLessThan(MINUTE)
    for (let use = 0; use < 5; use += 1) expect(await statusWith(app, token, '192.0.2.8')).toBe(200)
    app.advance(MINUTE)
    await use('2001:db8::1')
    await expect.poll(() => listed(app, account)).toMatchObject([{ last_used_from: '2001:db8::1' }])
    app.advance(MINUTE)
    // As some proxies name it.
    await use('192.0.2.9:40123')
    await expect.poll(() => listed(app, account)).toMatchObject([{ last_used_from: '192.0.2.9' }])
  })

  it('is one of a hundred at most, also when many are made at a time', async ({ app, account }) => {
    const make = (count: number) =>
      Promise.all(
        Array.from({ length: count }, () =>
          app.request(tokens.create, { body: { name: 'x', scope: 'read' } }, account.auth),
        ),
      )
    await make(MAX_TOKENS - 2)
    const replies = await make(5)
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 201, 403, 403, 403])
    expect(replies.find(({ status }) => status === 403)?.body.detail).toMatch(/Отзовите ненужные/)
    expect(await listed(app, account)).toHaveLength(MAX_TOKENS)
  })

  it('gives a link to a download, which ends with it', async ({ app, account }) => {
    const { token, id } = await create(app, account, { scope: 'read' })
    const link = async () => (await app.call(exports.create, { body: { format: 'json' } }, { token })).url
    expect((await app.send('GET', await link())).status).toBe(200)
    const url = await link()
    await app.request(tokens.remove, { params: { id } }, account.auth)
    expect((await app.send('GET', url)).status).toBe(404)
  })

  it.for([
    ['kop_'],
    ['kop_x'],
    [`kop_${'A'.repeat(86)}`],
    [`kop_${'я'.repeat(86)}`.slice(0, 20)],
    [`kop_${'-_'.repeat(43)}`],
  ])('that is %s is unknown', async ([token = ''], { app }) => {
    const authorization = Buffer.from(`Bearer ${token}`).toString('latin1')
    const reply = await app.request(notes.list, {}, { headers: { authorization } })
    expect([reply.status, reply.body.detail]).toEqual([401, 'Необходимо авторизоваться.'])
  })

  it('of another account or with another secret is unknown', async ({ app, account, owner }) => {
    const [mine, theirs] = [await create(app, account), await create(app, owner)]
    expect(await statusWith(app, `${theirs.token.slice(0, 47)}${mine.token.slice(47)}`)).toBe(401)
    expect(await statusWith(app, `${mine.token.slice(0, 26)}${theirs.token.slice(26)}`)).toBe(401)
  })
})

describe.each(TOKEN_SCOPES)('a token of the scope %s', (scope) => {
  it.for(everyCall.filter(([, { access }]) => access === 'signed-in'))(
    'opens %s only where the call says so',
    async ([, call], { app, owner }) => {
      const known = (await listed(app, owner)).find(({ name }) => name === scope)
      if (known) await app.request(tokens.remove, { params: { id: known.id } }, owner.auth)
      const { token } = await create(app, owner, { name: scope, scope })
      const isEnough = scope === call.scope || (scope === 'write' && call.scope === 'read')
      const request = { params: { id: MISSING, revision: '1' }, ...(call.body && { body: {} }) }
      const reply = await app.request(call, request, { token })
      if (isEnough) expect([401, 403]).not.toContain(reply.status)
      else {
        const detail = call.scope === 'account' ? /Ключ доступа не открывает/ : /нет права/
        expect([reply.status, reply.body.detail]).toEqual([403, expect.stringMatching(detail)])
      }
    },
  )
})

it('50 unknown tokens from an address are refused by 429, while valid ones from it work on', async ({
  startApp,
}) => {
  const app = await startApp({ settings: { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' } })
  const account = await newAccount(app)
  const { token } = await create(app, account)
  const unknown = `${token.slice(0, -5)}xxxxx`
  for (let attempt = 0; attempt < 50; attempt += 1) expect(await statusWith(app, unknown)).toBe(401)
  expect(await statusWith(app, unknown)).toBe(429)
  expect(await statusWith(app, token)).toBe(200)
  expect(await statusWith(app, unknown, '192.0.2.2')).toBe(401)
})
