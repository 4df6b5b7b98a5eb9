import { setTimeout as sleep } from 'node:timers/promises'
import { accounts } from '@kopilka/contract/accounts.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { deleteAccount } from '../accounts/delete-account.ts'
import type { Command } from '../db/command.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import type { Account } from '../testing/new-account.ts'
import { changePassword, confirmReset } from '../users/password-changes.ts'
import { beginSession } from './sessions.ts'

/** Resolves once a transaction waits for another one. */
async function waiting({ db }: TestApp): Promise<void> {
  const waits = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  while ((await waits.execute(db)).rows.length === 0) await sleep(10)
}

const hashOf = async ({ db }: TestApp, owner_id: string): Promise<string> =>
  (await db.selectFrom('users').select('password_hash').where('owner_id', '=', owner_id).executeTakeFirst())
    ?.password_hash ?? ''

const sessionsOf = async ({ db }: TestApp, owner_id: string): Promise<string[]> =>
  (await db.selectFrom('sessions').select('id').where('owner_id', '=', owner_id).execute()).map(
    ({ id }) => id,
  )

interface Change<Args> {
  command: Command<Args, unknown>
  args: Args
}

/** Each ends the sessions that were begun with the password of before. */
const CHANGES: Readonly<
  Record<string, (app: TestApp, account: Account, before: string) => Promise<Change<never>>>
> = {
  'a change of the password': async (_, { id }, before) => ({
    command: changePassword,
    args: { caller: { owner_id: id, session_id: 'none' }, before, password_hash: 'другой' } as never,
  }),
  'a reset of the password': async (app, { id }) => {
    const now = app.now()
    const reset = { owner_id: id, token_hash: 'x' }
    await app.db
      .insertInto('password_resets')
      .values({ ...reset, expires_at: now + 60_000 })
      .execute()
    return { command: confirmReset, args: { ...reset, password_hash: 'другой', now } as never }
  },
  'the deletion of the account': async (app, { id }, before) => ({
    command: deleteAccount,
    args: { owner_id: id, password_hash: before, id: 'job', payload: '{}', now: app.now() } as never,
  }),
}

test.for(Object.keys(CHANGES))(
  'a sign-in during %s waits for it, and is refused',
  async (name, { app, account }) => {
    const { email, password } = account
    const { command, args } = await changeOf(name, app, account)
    const { signIn } = await app.db.transaction().execute(async (trx) => {
      await command.run(trx, args)
      const signIn = app.request(accounts.login, { body: { email, password } })
      await Promise.race([signIn, waiting(app)])
      return { signIn }
    })
    expect((await signIn).status).toBe(400)
    expect(await sessionsOf(app, account.id)).toEqual([])
  },
)

test.for(Object.keys(CHANGES))(
  '%s during a sign-in waits for it, and ends its session',
  async (name, { app, account }) => {
    const { command, args } = await changeOf(name, app, account)
    const password_hash = await hashOf(app, account.id)
    const { changed } = await app.db.transaction().execute(async (trx) => {
      await beginSession.run(trx, {
        ...{ owner_id: account.id, password_hash, session_id: 'late', access_hash: '', refresh_hash: '' },
        ...{ retirement_key: '', device_hash: '', counters: [], now: app.now() },
      })
      const changed = app.db.write(command, args)
      await Promise.race([changed, waiting(app)])
      return { changed }
    })
    await changed
    expect(await sessionsOf(app, account.id)).toEqual([])
  },
)

const changeOf = async (name: string, app: TestApp, account: Account) => {
  const change = CHANGES[name]
  if (!change) throw new Error(name)
  return change(app, account, await hashOf(app, account.id))
}

test('a sign-in does not wait for whoever holds the row of its user, which on Citus is on every machine', async ({
  app,
  account: { id, email, password },
}) => {
  await app.db.transaction().execute(async (trx) => {
    await sql`select from users where owner_id = ${id} for no key update`.execute(trx)
    const signIn = app.request(accounts.login, { body: { email, password } })
    const first = await Promise.race([signIn.then(({ status }) => status), waiting(app)])
    expect(first).toBe(200)
  })
})
