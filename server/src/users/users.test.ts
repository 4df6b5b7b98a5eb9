import { accounts } from '@kopilka/contract/accounts.ts'
import { describe, expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'

const it = test.extend(
  'me',
  ({ app }) =>
    (token: unknown) =>
      app.request(accounts.me, {}, { token: String(token) }),
)

const NAMES = { first_name: 'Лев', last_name: 'Толстой' }

describe('registration', () => {
  it('responds with 201 and the user, who can then sign in with the email in any letter case', async ({
    app,
    me,
  }) => {
    const body = { ...NAMES, email: ' Lev@Example.org ', password: 'война и мир' }
    const created = await app.request(accounts.register, { body })
    expect(created.status).toBe(201)
    expect(created.body).toEqual({ ...NAMES, id: created.body.id, email: 'Lev@Example.org' })
    const session = await app.call(accounts.login, {
      body: { email: 'LEV@EXAMPLE.ORG', password: body.password },
    })
    expect((await me(session.access_token)).body).toEqual(created.body)
  })

  it('refuses an email that is taken, whatever its letter case', async ({ app }) => {
    const { email } = await newAccount(app)
    const reply = await app.request(accounts.register, {
      body: { ...NAMES, email: email.toUpperCase(), password: '123456' },
    })
    expect([reply.status, reply.body.email]).toEqual([400, ['Пользователь с таким email уже существует.']])
  })

  it('treats spellings of one mailbox as one account', async ({ app }) => {
    const register = (email: string) =>
      app.request(accounts.register, { body: { ...NAMES, email, password: '123456' } })
    const created = await register('victim@exa\u00ADmple.org')
    expect(created.status).toBe(201)
    for (const email of ['victim@example.org', '"victim"@example.org', 'ｖictim@ｅxample.org'])
      expect((await register(email)).body.email).toEqual(['Пользователь с таким email уже существует.'])
    for (const email of ['victim@example.org', 'victim@exa\u00ADmple.org', '"Victim"@example.org'])
      expect((await app.request(accounts.login, { body: { email, password: '123456' } })).status).toBe(200)
  })

  it('accepts one of several concurrent registrations of an email', async ({ app }) => {
    const body = { ...NAMES, email: 'race@example.org', password: '123456' }
    const replies = await Promise.all([1, 2, 3].map(() => app.request(accounts.register, { body })))
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 400, 400])
  })

  it.for([
    ['email', 'x', 'Неверный формат email'],
    ['email', 'a b@example.org', 'Неверный формат email'],
    ['email', 'a@example', 'Неверный формат email'],
    ['email', '', 'Обязательное поле'],
    ['password', '', 'Обязательное поле'],
    ['password', '12345', 'Пароль должен содержать минимум 6 символов'],
    ['password', 'x'.repeat(201), 'Не больше 200 символов'],
    ['first_name', ' ', 'Обязательное поле'],
    ['last_name', 'x'.repeat(151), 'Не больше 150 символов'],
  ] as const)('refuses %s %j', async ([field, value, message], { app }) => {
    const body = { ...NAMES, email: 'new@example.org', password: '123456', [field]: value }
    const reply = await app.request(accounts.register, { body })
    expect([reply.status, reply.body[field]]).toEqual([400, [message]])
  })

  it('responds with 403 if registration is closed', async ({ startApp }) => {
    const closed = await startApp({ settings: { REGISTRATION: 'closed' } })
    const reply = await closed.request(accounts.register, {
      body: { ...NAMES, email: 'new@example.org', password: '123456' },
    })
    expect([reply.status, reply.body.detail]).toEqual([
      403,
      'Регистрация закрыта. Попросите доступ у владельца этого сервера.',
    ])
    expect((await closed.request(accounts.register, { body: {} })).status).toBe(403)
  })
})

it.for([accounts.login, accounts.passwordReset])(
  '$path asks the database the same for a known and an unknown email, in the same order, from a known device too',
  async (call, { startApp }) => {
    const said: string[] = []
    const watched = await startApp({
      settings: { RATE_LIMIT: 'on' },
      onStatement: (sql) => said.push(sql),
    })
    const [{ email }, other] = [await newAccount(watched), await newAccount(watched)]
    const signedIn = await watched.request(accounts.login, {
      body: { email: other.email, password: other.password },
    })
    const cookie = signedIn.headers.get('set-cookie')?.split(';')[0] ?? ''
    const jobs = () => watched.db.selectFrom('jobs').select('id').execute()
    const asked = async (email: string, headers = {}): Promise<string[]> => {
      // Waits for the jobs of the request before, so that their statements are not recorded.
      await expect.poll(jobs).toEqual([])
      said.length = 0
      await watched.request(call, { body: { email, password: 'wrong!' } }, { headers })
      // The job worker polls the queue at any time.
      const queued = said.findIndex((sql) => sql.startsWith('insert into "jobs"'))
      return said
        .slice(0, queued < 0 ? undefined : queued + 1)
        .filter((sql) => !/^select .* from "jobs"/.test(sql))
    }
    const [known, unknown] = [await asked(email), await asked('nobody@example.org')]
    expect(known.filter((sql) => sql.includes('"users"'))).not.toEqual([])
    expect(unknown).toEqual(known)
    const fromDevice = await asked(email, { cookie })
    expect(fromDevice.some((sql) => sql.includes('"known_devices"'))).toBe(call === accounts.login)
    expect(await asked('nobody@example.org', { cookie })).toEqual(fromDevice)
  },
)

describe('sign-in', () => {
  it('responds the same to a wrong password and to an unknown email', async ({ app }) => {
    const { email } = await newAccount(app)
    for (const body of [
      { email, password: 'wrong!' },
      { email: 'nobody@example.org', password: 'wrong!' },
    ]) {
      const reply = await app.request(accounts.login, { body })
      expect([reply.status, reply.body]).toEqual([400, { detail: 'Неверный email или пароль.' }])
    }
  })

  it('hashes as much for an unknown email as for a wrong password', async ({ startApp }) => {
    const app = await startApp({ hashesFully: true })
    const { email } = await newAccount(app)
    /** Processor time of this process in microseconds, hashing included. */
    const workOf = async (one: string): Promise<number> => {
      const before = process.cpuUsage()
      await app.request(accounts.login, { body: { email: one, password: 'wrong!' } })
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    let [known, unknown] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
    // The least of ten, in turn: what else the process does only adds to some of them.
    for (let round = 0; round < 10; round += 1) {
      known = Math.min(known, await workOf(email))
      unknown = Math.min(unknown, await workOf('nobody@example.org'))
    }
    // Hashing is nearly all of the work; without it a response takes a tenth.
    expect(unknown).toBeGreaterThan(known / 2)
  })

  it('compares passwords exactly: spaces, case and Unicode form count', async ({ app }) => {
    const body = { ...NAMES, email: 'exact@example.org', password: ' Ёж 🦔 ' }
    await app.call(accounts.register, { body })
    const attempt = async (password: string) =>
      (await app.request(accounts.login, { body: { email: body.email, password } })).status
    expect(await attempt(body.password)).toBe(200)
    expect(await attempt(body.password.trim())).toBe(400)
    expect(await attempt(body.password.toLowerCase())).toBe(400)
    expect(await attempt(body.password.normalize('NFD'))).toBe(400)
  })
})
