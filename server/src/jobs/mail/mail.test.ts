import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { accounts } from '@kopilka/contract/accounts.ts'
import { describe, expect } from 'vitest'
import type { TestApp } from '../../testing/create-test-app.ts'
import { test } from '../../testing/fixtures.ts'
import { type MailServer, startMailServer } from '../../testing/mail-server.ts'
import { newAccount } from '../../testing/new-account.ts'
import { readMail } from '../../testing/read-mail.ts'
import { createTestDatabase, openWritable, type TestDatabase } from '../../testing/test-database.ts'

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url))
const SECOND = 1000
const DAY = 24 * 60 * 60 * SECOND

const it = test
  .extend('mailServer', ({ onTestFinished }) => async (...options: Parameters<typeof startMailServer>) => {
    const server = await startMailServer(...options)
    onTestFinished(() => server.close())
    return server
  })
  /** A database that outlives the servers on it. */
  .extend('database', async ({ onTestFinished }) => {
    const shared = await createTestDatabase()
    onTestFinished(() => shared.remove())
    return shared
  })
  .extend(
    'appWith',
    ({ startApp }) =>
      (settings: Record<string, string>, shared?: TestDatabase) =>
        startApp({
          settings: { PUBLIC_URL: 'https://kopilka.example.org', ...settings },
          ...(shared && { database: shared }),
        }),
  )
  /** Starts the server in a process of its own, which ends after the test. */
  .extend('startProcess', ({ onTestFinished }) => (settings: Record<string, string>) => {
    const env = { PATH: process.env.PATH, PORT: '0', LOG_LEVEL: 'silent', ...settings }
    const child = spawn(process.execPath, [MAIN], { env, stdio: ['ignore', 'ignore', 'inherit'] })
    const ended = once(child, 'exit')
    onTestFinished(async () => {
      child.kill('SIGTERM')
      await ended
    })
  })

/** The address of a mail server that does not listen. */
async function unreachableMailServer(): Promise<MailServer> {
  const server = await startMailServer()
  await server.close()
  return server
}

const requestReset = (app: TestApp, email: string, headers: Record<string, string> = {}) =>
  app.call(accounts.passwordReset, { body: { email } }, { headers })

const queue = (app: TestApp) => app.db.selectFrom('jobs').selectAll().execute()

describe('reset mail', () => {
  it('comes in Russian as text and as HTML through the configured server', async ({
    mailServer,
    appWith,
  }) => {
    const mail = await mailServer()
    const app = await appWith({ SMTP_URL: mail.url, MAIL_FROM: 'Копилка, почта <post@example.org>' })
    const { email, id } = await newAccount(app)
    await requestReset(app, email)
    await expect.poll(() => mail.received).toHaveLength(1)
    const [message] = mail.received
    expect(message?.headers.get('subject')).toBe('Сброс пароля в Копилке')
    expect(message?.headers.get('to')).toBe(email)
    expect(message?.headers.get('from')).toMatch(/^"?Копилка, почта"? <post@example\.org>$/)
    expect(message?.headers.get('auto-submitted')).toBe('auto-generated')
    expect(message?.headers.get('message-id')).toMatch(/@example\.org>$/)
    expect(message?.link.href).toMatch(/^https:\/\/kopilka\.example\.org\/auth\/password-confirm\?uid=/)
    expect(message?.uid).toBe(id)
    expect(message?.token).toMatch(/^[\w-]{43}$/)
    for (const part of [message?.text, message?.html]) {
      expect(part).toContain('Ссылка действует один час')
      expect(part).toContain('Если вы об этом не просили')
    }
    expect(message?.html).toContain(`href="${message?.link.href.replaceAll('&', '&amp;')}"`)
    await expect.poll(() => queue(app)).toEqual([])
  })

  it('is in English where the request asks for English', async ({ mailServer, appWith }) => {
    const mail = await mailServer()
    const app = await appWith({ SMTP_URL: mail.url })
    const { email } = await newAccount(app)
    await requestReset(app, email, { 'accept-language': 'en' })
    await expect.poll(() => mail.received).toHaveLength(1)
    expect(mail.received[0]?.headers.get('subject')).toBe('Reset your Копилка password')
    expect(mail.received[0]?.headers.get('from')).toBe('Копилка <no-reply@kopilka.example.org>')
    expect(mail.received[0]?.text).toContain('one hour')
    expect(mail.received[0]?.html).toContain('<html lang="en">')
  })

  it('has one recipient, whatever the email looks like', async ({ mailServer, appWith }) => {
    const mail = await mailServer()
    const app = await appWith({ SMTP_URL: mail.url })
    const credentials = { email: 'someone,victim@example.org', password: '123456' }
    await app.call(accounts.register, { body: { first_name: 'a', last_name: 'b', ...credentials } })
    await requestReset(app, credentials.email)
    await expect.poll(() => queue(app)).toEqual([])
    expect(mail.received.map(({ headers }) => headers.get('to'))).toEqual(['<"someone,victim"@example.org>'])
  })

  it('is a file where no mail server is configured', async ({ appWith }) => {
    const app = await appWith({})
    const { email } = await newAccount(app)
    await requestReset(app, email)
    const folder = join(app.database.settings.DATA_DIR, 'outbox')
    await expect.poll(() => readdir(folder).catch(() => [])).toEqual([expect.stringMatching(/\.eml$/)])
    const [name = ''] = await readdir(folder)
    const message = readMail(await readFile(join(folder, name)))
    expect(message.headers.get('to')).toBe(email)
    expect(message.text).toContain(message.link.href)
    expect((await stat(join(folder, name))).mode & 0o077).toBe(0)
    await expect.poll(() => queue(app)).toEqual([])
  })

  it('is never sent to an unknown email', async ({ mailServer, appWith }) => {
    const mail = await mailServer()
    const app = await appWith({ SMTP_URL: mail.url })
    const { email } = await newAccount(app)
    await requestReset(app, 'nobody@example.org')
    await requestReset(app, email)
    await expect.poll(() => queue(app)).toEqual([])
    expect(mail.received.map(({ headers }) => headers.get('to'))).toEqual([email])
  })

  it('leaves no usable token in the database', async ({ mailServer, appWith }) => {
    const mail = await mailServer()
    const app = await appWith({ SMTP_URL: mail.url })
    const { email } = await newAccount(app)
    await requestReset(app, email)
    await expect.poll(() => mail.received).toHaveLength(1)
    const stored = JSON.stringify([
      await queue(app),
      await app.db.selectFrom('password_resets').selectAll().execute(),
    ])
    expect(stored).toContain('token_hash')
    expect(stored).not.toContain(mail.received[0]?.token)
  })
})

describe('the mail queue', () => {
  it('does not delay the response, and sends once the mail server is back', async ({
    mailServer,
    appWith,
  }) => {
    const { port, url } = await unreachableMailServer()
    const app = await appWith({ SMTP_URL: url })
    const owners = await Promise.all(Array.from({ length: 3 }, () => newAccount(app)))
    for (const { email } of owners) await requestReset(app, email)
    const tried = async () => {
      const waiting = await queue(app)
      const running = waiting.some(({ leased_until }) => leased_until > 0)
      return !running && waiting.some(({ attempts }) => attempts > 0)
    }
    await expect.poll(tried).toBe(true)
    const mail = await mailServer({ port })
    app.advance(11 * SECOND)
    await expect.poll(() => mail.received).toHaveLength(3)
    expect(mail.received.map(({ headers }) => headers.get('to')).sort()).toEqual(
      owners.map(({ email }) => email).sort(),
    )
    await expect.poll(() => queue(app)).toEqual([])
  })

  it('retries with increasing delays, and gives up after a day', async ({ appWith }) => {
    const { url } = await unreachableMailServer()
    const app = await appWith({ SMTP_URL: url })
    const { email } = await newAccount(app)
    await requestReset(app, email)
    let began = app.now()
    for (const [before, seconds] of [10, 30, 60, 300].entries()) {
      const attempted = async () => {
        const [job] = await queue(app)
        return job?.attempts === before + 1 && job.leased_until === 0 ? job.run_at : undefined
      }
      await expect.poll(attempted).toBeDefined()
      const failedAt = Number(await attempted()) - seconds * SECOND
      expect(failedAt).toBeGreaterThanOrEqual(began)
      expect(failedAt).toBeLessThanOrEqual(app.now())
      app.advance(seconds * SECOND)
      began = app.now()
      await requestReset(app, 'nobody@example.org')
    }
    app.advance(DAY)
    await requestReset(app, 'nobody@example.org')
    await expect.poll(() => queue(app)).toEqual([])
  })

  it('sends jobs dated by a clock that was a year ahead', async ({ mailServer, appWith }) => {
    const YEAR = 365 * DAY
    const { port, url } = await unreachableMailServer()
    const app = await appWith({ SMTP_URL: url })
    const [one, other] = [await newAccount(app), await newAccount(app)]
    app.advance(YEAR)
    await requestReset(app, one.email)
    await expect.poll(async () => (await queue(app))[0]?.attempts).toBe(1)
    await expect.poll(async () => (await queue(app))[0]?.leased_until).toBe(0)
    await requestReset(app, other.email)
    await expect.poll(() => queue(app)).toHaveLength(2)
    // The lease of a server that died during an attempt.
    await app.db
      .updateTable('jobs')
      .set({ leased_until: app.now() + 60 * SECOND })
      .execute()
    const mail = await mailServer({ port })
    app.advance(-YEAR)
    await expect.poll(() => mail.received).toHaveLength(2)
  })

  it('survives a restart', async ({ mailServer, database, appWith }) => {
    const { port, url } = await unreachableMailServer()
    const first = await appWith({ SMTP_URL: url }, database)
    const { email } = await newAccount(first)
    await requestReset(first, email)
    await first.close()
    const mail = await mailServer({ port })
    const second = await appWith({ SMTP_URL: url }, database)
    second.advance(11 * SECOND)
    await expect.poll(() => mail.received).toHaveLength(1)
  })

  it('sends each message once when several servers share the database', async ({
    mailServer,
    database,
    appWith,
    startProcess,
    onTestFinished,
  }) => {
    const { port, url } = await unreachableMailServer()
    const app = await appWith({ SMTP_URL: url }, database)
    const owners = await Promise.all(Array.from({ length: 8 }, () => newAccount(app)))
    for (const { email } of owners) await requestReset(app, email)
    await app.close()
    const db = await openWritable(database.settings)
    onTestFinished(() => db.destroy())
    await db.updateTable('jobs').set({ run_at: 0, leased_until: 0 }).execute()

    const mail = await mailServer({ port })
    for (let server = 0; server < 3; server += 1) startProcess({ ...database.settings, SMTP_URL: url })
    const left = () => db.selectFrom('jobs').select('id').execute()
    await expect.poll(left, { timeout: 50_000 }).toEqual([])
    expect(mail.received.map(({ headers }) => headers.get('to')).sort()).toEqual(
      owners.map(({ email }) => email).sort(),
    )
  }, 60_000)

  it.for(['recipient', 'text'] as const)(
    'drops a message whose %s is rejected permanently',
    async (at, { mailServer, appWith }) => {
      const mail = await mailServer({ reject: { at, code: 550 } })
      const app = await appWith({ SMTP_URL: mail.url })
      const { email } = await newAccount(app)
      await requestReset(app, email)
      await expect.poll(() => queue(app)).toEqual([])
      expect(mail.received).toEqual([])
    },
  )

  it.for(['recipient', 'text'] as const)(
    'keeps a message whose %s is rejected temporarily',
    async (at, { mailServer, appWith }) => {
      const mail = await mailServer({ reject: { at, code: 451 } })
      const app = await appWith({ SMTP_URL: mail.url })
      const { email } = await newAccount(app)
      await requestReset(app, email)
      await expect.poll(() => queue(app)).toMatchObject([{ attempts: 1, leased_until: 0 }])
    },
  )

  it('lets the server stop without waiting for an unresponsive mail server', async ({
    mailServer,
    database,
    appWith,
    onTestFinished,
  }) => {
    const silent = await mailServer({ silent: true })
    const app = await appWith({ SMTP_URL: silent.url }, database)
    const { email } = await newAccount(app)
    await requestReset(app, email)
    await expect.poll(async () => (await queue(app))[0]?.attempts).toBe(1)
    await app.close()
    // Aborted, so it is due at once: an attempt that fails by itself is due after a delay.
    const db = await openWritable(database.settings)
    onTestFinished(() => db.destroy())
    const [job] = await db.selectFrom('jobs').selectAll().execute()
    expect(job).toMatchObject({ attempts: 1, leased_until: 0 })
    expect(job?.run_at).toBeLessThanOrEqual(app.now())
    const later = await appWith({}, database)
    const folder = join(database.settings.DATA_DIR, 'outbox')
    await expect.poll(() => readdir(folder).catch(() => [])).toHaveLength(1)
    await expect.poll(() => queue(later)).toEqual([])
  })
})
