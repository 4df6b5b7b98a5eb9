import { accounts } from '@kopilka/contract/accounts.ts'
import { describe, expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import type { ReceivedMail } from '../testing/read-mail.ts'

const it = test
  .extend('options', { scope: 'file' }, ({ mail }) => ({ settings: { SMTP_URL: mail.url } }))
  .extend(
    'me',
    ({ app }) =>
      async (token: string) =>
        (await app.request(accounts.me, {}, { token })).status,
  )
  .extend(
    'login',
    ({ app }) =>
      (email: string, password: string) =>
        app.request(accounts.login, { body: { email, password } }),
  )
  /** Requests a reset and waits for its mail. */
  .extend('resetMailFor', ({ app, mail }) => async (email: string): Promise<ReceivedMail> => {
    const theirs = () => mail.received.filter(({ headers }) => headers.get('to') === email)
    const before = theirs().length
    await app.call(accounts.passwordReset, { body: { email } })
    await expect.poll(theirs).toHaveLength(before + 1)
    const message = theirs().at(-1)
    if (!message) throw new Error('no mail')
    return message
  })
  .extend(
    'confirm',
    ({ app }) =>
      ({ uid, token }: { uid: string; token: string }, new_password = 'новый пароль') =>
        app.request(accounts.passwordResetConfirm, { body: { uid, token, new_password } }),
  )
  .extend(
    'change',
    ({ app }) =>
      (auth: { token: string }, current_password: string, new_password = 'новый пароль') =>
        app.request(accounts.changePassword, { body: { current_password, new_password } }, auth),
  )
  .extend(
    'changeProfile',
    ({ app }) =>
      (auth: { token: string }, body: unknown) =>
        app.request(accounts.changeProfile, { body }, auth),
  )

const HOUR = 60 * 60_000
const DEAD = 'Ссылка для сброса пароля недействительна или устарела. Запросите новую.'

describe('a password change', () => {
  it('needs the current password', async ({ app, login, change }) => {
    const { auth, email, password } = await newAccount(app)
    const reply = await change(auth, 'не тот')
    expect([reply.status, reply.body]).toEqual([
      400,
      {
        detail: 'Пожалуйста, исправьте ошибки в форме.',
        current_password: ['Неверный текущий пароль.'],
      },
    ])
    expect((await login(email, password)).status).toBe(200)
  })

  it('ends every other session at once; the current one stays valid and renewable', async ({
    app,
    me,
    login,
    change,
  }) => {
    const { auth, email, password, session } = await newAccount(app)
    const other = (await login(email, password)).body
    expect((await change(auth, password)).body).toEqual({})
    expect(await me(auth.token)).toBe(200)
    expect(await me(String(other.access_token))).toBe(401)
    const renew = (refresh_token: unknown) => app.request(accounts.refresh, { body: { refresh_token } })
    expect((await renew(other.refresh_token)).status).toBe(401)
    expect((await renew(session.refresh_token)).status).toBe(200)
    expect((await login(email, password)).status).toBe(400)
    expect((await login(email, 'новый пароль')).status).toBe(200)
  })

  it('leaves no session with the old password, not even one begun concurrently', async ({
    app,
    me,
    login,
    change,
  }) => {
    const { auth, email, password } = await newAccount(app)
    const [changed, ...logins] = await Promise.all([
      change(auth, password),
      ...Array.from({ length: 6 }, () => login(email, password)),
    ])
    expect(changed?.status).toBe(200)
    for (const { status, body } of logins)
      expect(status === 400 || (await me(String(body.access_token))) === 401).toBe(true)
  })

  it('succeeds once for two concurrent requests', async ({ app, login, change }) => {
    const { auth, email, password } = await newAccount(app)
    const replies = await Promise.all([change(auth, password, 'первый'), change(auth, password, 'второй')])
    const winner = replies.findIndex(({ status }) => status === 200)
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await login(email, ['первый', 'второй'][winner] ?? '')).status).toBe(200)
  })

  it('invalidates the link of an earlier reset mail', async ({ app, resetMailFor, confirm, change }) => {
    const { auth, email, password } = await newAccount(app)
    const message = await resetMailFor(email)
    expect((await change(auth, password)).status).toBe(200)
    expect((await confirm(message)).status).toBe(400)
  })
})

describe('a reset', () => {
  it('responds the same for a known and an unknown email', async ({ app }) => {
    const { email } = await newAccount(app)
    for (const asked of [email, 'nobody@example.org', email.toUpperCase()]) {
      const reply = await app.request(accounts.passwordReset, { body: { email: asked } })
      expect([reply.status, reply.body]).toEqual([200, {}])
    }
  })

  it('sets the password and ends every session', async ({ app, me, login, resetMailFor, confirm }) => {
    const { auth, email, password } = await newAccount(app)
    const other = (await login(email, password)).body
    const reply = await confirm(await resetMailFor(email))
    expect([reply.status, reply.body]).toEqual([200, {}])
    expect(await me(auth.token)).toBe(401)
    expect(await me(String(other.access_token))).toBe(401)
    expect((await login(email, password)).status).toBe(400)
    expect((await login(email, 'новый пароль')).status).toBe(200)
  })

  it('works once, also if it is used many times concurrently', async ({
    app,
    login,
    resetMailFor,
    confirm,
  }) => {
    const { email } = await newAccount(app)
    const message = await resetMailFor(email)
    const replies = await Promise.all(Array.from({ length: 5 }, (_, at) => confirm(message, `пароль ${at}`)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
    const again = await confirm(message)
    expect([again.status, again.body]).toEqual([400, { detail: DEAD }])
    const winner = replies.findIndex(({ status }) => status === 200)
    expect((await login(email, `пароль ${winner}`)).status).toBe(200)
  })

  it('keeps the link valid if the new password is refused', async ({ app, resetMailFor, confirm }) => {
    const { email } = await newAccount(app)
    const message = await resetMailFor(email)
    expect((await confirm(message, '12345')).body.new_password).toEqual([
      'Пароль должен содержать минимум 6 символов',
    ])
    expect((await confirm(message)).status).toBe(200)
  })

  it('expires after an hour', async ({ startApp, mail }) => {
    const timed = await startApp({ settings: { SMTP_URL: mail.url } })
    const body = { new_password: 'новый пароль' }
    const { email } = await newAccount(timed)
    await timed.call(accounts.passwordReset, { body: { email } })
    const theirs = () => mail.received.filter(({ headers }) => headers.get('to') === email)
    await expect.poll(theirs).toHaveLength(1)
    const { uid = '', token = '' } = theirs()[0] ?? {}
    timed.advance(HOUR + 1)
    const late = await timed.request(accounts.passwordResetConfirm, { body: { uid, token, ...body } })
    expect([late.status, late.body.detail]).toEqual([400, DEAD])
    timed.advance(-60_000)
    const inTime = await timed.request(accounts.passwordResetConfirm, { body: { uid, token, ...body } })
    expect(inTime.status).toBe(200)
  })

  it('is invalidated by newer reset mail', async ({ app, resetMailFor, confirm }) => {
    const { email } = await newAccount(app)
    const [older, newer] = [await resetMailFor(email), await resetMailFor(email)]
    expect((await confirm(older)).status).toBe(400)
    expect((await confirm(newer)).status).toBe(200)
  })

  it('does not work for another user', async ({ app, login, resetMailFor, confirm }) => {
    const [one, other] = [await newAccount(app), await newAccount(app)]
    const { token } = await resetMailFor(one.email)
    await resetMailFor(other.email)
    expect((await confirm({ uid: other.id, token })).body).toEqual({ detail: DEAD })
    expect((await login(other.email, other.password)).status).toBe(200)
  })

  it.for([
    ['x', 'x'],
    ['00000000-0000-0000-0000-000000000000', 'x'.repeat(43)],
    ['\u0000', '\u0000'],
    ["' or 1=1 --", '%'],
    ['🦔'.repeat(500), '🦔'.repeat(500)],
  ] as const)('rejects an invalid link: uid %j, token %j', async ([uid, token], { confirm }) => {
    const reply = await confirm({ uid, token })
    expect([reply.status, reply.body]).toEqual([400, { detail: DEAD }])
  })
})

describe('the profile', () => {
  it('accepts names, blank ones too, and returns the user', async ({ app, changeProfile }) => {
    const { auth, id, email } = await newAccount(app)
    const reply = await changeProfile(auth, { first_name: ' Лев ', last_name: '' })
    expect([reply.status, reply.body]).toEqual([200, { id, email, first_name: 'Лев', last_name: '' }])
    expect((await app.request(accounts.me, {}, auth)).body).toEqual(reply.body)
  })

  it('changes only names that are sent, and never the email', async ({ app, changeProfile }) => {
    const { auth, email, last_name } = await newAccount(app)
    const reply = await changeProfile(auth, { first_name: 'Лев', email: 'other@example.org', id: 'x' })
    expect(reply.body).toMatchObject({ email, first_name: 'Лев', last_name })
    expect((await changeProfile(auth, {})).body).toEqual(reply.body)
  })

  it.for([
    ['x'.repeat(151), 'Не больше 150 символов'],
    [7, 'Значение неподходящего вида'],
    [null, 'Значение неподходящего вида'],
  ] as const)('refuses %j', async ([first_name, message], { app, changeProfile }) => {
    const { auth } = await newAccount(app)
    const reply = await changeProfile(auth, { first_name })
    expect([reply.status, reply.body.first_name]).toEqual([400, [message]])
  })
})
