import { accounts } from '@kopilka/contract/accounts.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type MailServer, startMailServer } from '../testing/mail-server.ts'
import { newAccount } from '../testing/new-account.ts'
import type { ReceivedMail } from '../testing/read-mail.ts'

const HOUR = 60 * 60_000
const DEAD = 'Ссылка для сброса пароля недействительна или устарела. Запросите новую.'

let app: TestApp
let mail: MailServer
beforeAll(async () => {
  mail = await startMailServer()
  app = await createTestApp({ settings: { SMTP_URL: mail.url } })
})
afterAll(async () => {
  await app.close()
  await mail.close()
})

const me = async (token: string) => (await app.request(accounts.me, {}, { token })).status
const login = (email: string, password: string) => app.request(accounts.login, { body: { email, password } })

/** Requests a reset and waits for its mail. */
async function resetMailFor(email: string): Promise<ReceivedMail> {
  const theirs = () => mail.received.filter(({ headers }) => headers.get('to') === email)
  const before = theirs().length
  await app.call(accounts.passwordReset, { body: { email } })
  await expect.poll(theirs).toHaveLength(before + 1)
  const message = theirs().at(-1)
  if (!message) throw new Error('no mail')
  return message
}

const confirm = ({ uid, token }: { uid: string; token: string }, new_password = 'новый пароль') =>
  app.request(accounts.passwordResetConfirm, { body: { uid, token, new_password } })

describe('a password change', () => {
  const change = (auth: { token: string }, current_password: string, new_password = 'новый пароль') =>
    app.request(accounts.changePassword, { body: { current_password, new_password } }, auth)

  it('needs the current password', async () => {
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

  it('ends every other sign-in at once, the present one lives on and renews', async () => {
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

  it('leaves no sign-in with the old password, also none that comes in the middle', async () => {
    const { auth, email, password } = await newAccount(app)
    const [changed, ...logins] = await Promise.all([
      change(auth, password),
      ...Array.from({ length: 6 }, () => login(email, password)),
    ])
    expect(changed?.status).toBe(200)
    for (const { status, body } of logins)
      expect(status === 400 || (await me(String(body.access_token))) === 401).toBe(true)
  })

  it('happens once of two at once', async () => {
    const { auth, email, password } = await newAccount(app)
    const replies = await Promise.all([change(auth, password, 'первый'), change(auth, password, 'второй')])
    const winner = replies.findIndex(({ status }) => status === 200)
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400])
    expect((await login(email, ['первый', 'второй'][winner] ?? '')).status).toBe(200)
  })

  it('invalidates the link of an earlier reset mail', async () => {
    const { auth, email, password } = await newAccount(app)
    const message = await resetMailFor(email)
    expect((await change(auth, password)).status).toBe(200)
    expect((await confirm(message)).status).toBe(400)
  })
})

describe('a reset', () => {
  it('answers the same whether or not the email is known', async () => {
    const { email } = await newAccount(app)
    for (const asked of [email, 'nobody@example.org', email.toUpperCase()]) {
      const reply = await app.request(accounts.passwordReset, { body: { email: asked } })
      expect([reply.status, reply.body]).toEqual([200, {}])
    }
  })

  it('sets the password and ends every sign-in', async () => {
    const { auth, email, password } = await newAccount(app)
    const other = (await login(email, password)).body
    const reply = await confirm(await resetMailFor(email))
    expect([reply.status, reply.body]).toEqual([200, {}])
    expect(await me(auth.token)).toBe(401)
    expect(await me(String(other.access_token))).toBe(401)
    expect((await login(email, password)).status).toBe(400)
    expect((await login(email, 'новый пароль')).status).toBe(200)
  })

  it('works once, also when it is used many times at once', async () => {
    const { email } = await newAccount(app)
    const message = await resetMailFor(email)
    const replies = await Promise.all(Array.from({ length: 5 }, (_, at) => confirm(message, `пароль ${at}`)))
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
    const again = await confirm(message)
    expect([again.status, again.body]).toEqual([400, { detail: DEAD }])
    const winner = replies.findIndex(({ status }) => status === 200)
    expect((await login(email, `пароль ${winner}`)).status).toBe(200)
  })

  it('keeps the link alive when the new password is refused', async () => {
    const { email } = await newAccount(app)
    const message = await resetMailFor(email)
    expect((await confirm(message, '12345')).body.new_password).toEqual([
      'Пароль должен содержать минимум 6 символов',
    ])
    expect((await confirm(message)).status).toBe(200)
  })

  it('is over after an hour', async () => {
    const timed = await createTestApp({ settings: { SMTP_URL: mail.url } })
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
    await timed.close()
  })

  it('is invalidated by newer reset mail', async () => {
    const { email } = await newAccount(app)
    const [older, newer] = [await resetMailFor(email), await resetMailFor(email)]
    expect((await confirm(older)).status).toBe(400)
    expect((await confirm(newer)).status).toBe(200)
  })

  it('is nothing for another user', async () => {
    const [one, other] = [await newAccount(app), await newAccount(app)]
    const { token } = await resetMailFor(one.email)
    await resetMailFor(other.email)
    expect((await confirm({ uid: other.id, token })).body).toEqual({ detail: DEAD })
    expect((await login(other.email, other.password)).status).toBe(200)
  })

  it.each([
    ['x', 'x'],
    ['00000000-0000-0000-0000-000000000000', 'x'.repeat(43)],
    ['\u0000', '\u0000'],
    ["' or 1=1 --", '%'],
    ['🦔'.repeat(500), '🦔'.repeat(500)],
  ])('rejects an invalid link: uid %j, token %j', async (uid, token) => {
    const reply = await confirm({ uid, token })
    expect([reply.status, reply.body]).toEqual([400, { detail: DEAD }])
  })
})

describe('the profile', () => {
  const change = (auth: { token: string }, body: unknown) =>
    app.request(accounts.changeProfile, { body }, auth)

  it('takes names, blank ones too, and answers the user', async () => {
    const { auth, id, email } = await newAccount(app)
    const reply = await change(auth, { first_name: ' Лев ', last_name: '' })
    expect([reply.status, reply.body]).toEqual([200, { id, email, first_name: 'Лев', last_name: '' }])
    expect((await app.request(accounts.me, {}, auth)).body).toEqual(reply.body)
  })

  it('keeps a name that is not sent, and never the email', async () => {
    const { auth, email, last_name } = await newAccount(app)
    const reply = await change(auth, { first_name: 'Лев', email: 'other@example.org', id: 'x' })
    expect(reply.body).toMatchObject({ email, first_name: 'Лев', last_name })
    expect((await change(auth, {})).body).toEqual(reply.body)
  })

  it.each([
    ['x'.repeat(151), 'Не больше 150 символов'],
    [7, 'Значение неподходящего вида'],
    [null, 'Значение неподходящего вида'],
  ])('refuses %j', async (first_name, message) => {
    const { auth } = await newAccount(app)
    const reply = await change(auth, { first_name })
    expect([reply.status, reply.body.first_name]).toEqual([400, [message]])
  })
})
