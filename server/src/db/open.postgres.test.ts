import { notes } from '@kopilka/contract/notes.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test as it } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { waitingForLock } from '../testing/waiting-for-lock.ts'
import { command, preparedCommand } from './command.ts'
import { openDb, openReader } from './open.ts'
import type { Trx } from './schema.ts'

it('opens two connections for a worker thread, however many statements it sends at once', async () => {
  const database = await createTestDatabase()
  const db = await openDb(database.settings)
  const processes = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::integer as count from pg_stat_activity
      where datname = current_database()`.execute(db)
    return rows[0]?.count ?? 0
  }
  await expect.poll(processes).toBe(1)
  const reader = openReader(database.settings)
  await Promise.all(Array.from({ length: 12 }, () => sql`select pg_sleep(0.01)`.execute(reader)))
  expect(await processes()).toBe(3)
  await reader.destroy()
  await db.destroy()
  await database.remove()
})

it('waits for the disk of the database, except for a command that can do without', async ({
  app: { db },
}) => {
  const settingOf = async (trx: Trx) => {
    const { rows } = await sql<{ value: string }>`
      select current_setting('synchronous_commit') as value`.execute(trx)
    return rows[0]?.value
  }
  const durable = command('test.durable', settingOf)
  const deferred = preparedCommand('test.deferred', () => {}, settingOf, { isDeferred: true })
  expect(await db.write(deferred, undefined)).toBe('off')
  expect(await db.write(durable, undefined)).toBe('on')
})

it('leaves connections to others, however many saves of one owner wait for a lock', async ({ app }) => {
  const [busy, other] = [await newAccount(app), await newAccount(app)]
  const save = ({ auth }: typeof busy) => app.call(notes.create, { body: { title: 'a', content: 'b' } }, auth)
  await save(busy)
  const saves: Promise<unknown>[] = []
  await app.db.transaction().execute(async (trx) => {
    await sql`select 1 from usage where owner_id = ${busy.id} for update`.execute(trx)
    for (let count = 0; count < 20; count += 1) saves.push(save(busy))
    await waitingForLock(app)
    await save(other)
    expect(await app.call(notes.list, { query: {} }, other.auth)).toMatchObject({ count: 1 })
  })
  await Promise.all(saves)
  expect(await app.call(notes.list, { query: {} }, busy.auth)).toMatchObject({ count: 21 })
})
