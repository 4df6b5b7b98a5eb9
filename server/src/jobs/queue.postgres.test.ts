import { setTimeout as sleep } from 'node:timers/promises'
import { notes } from '@kopilka/contract/notes.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { claimJob } from './queue.ts'

test.for([
  ['renews its lease', 'leased_until'],
  ['is to be run later', 'run_at'],
] as const)('a job that %s while it is claimed is not claimed', async ([, column], { app, account }) => {
  const now = app.now()
  const [kind, owner_id] = [`nobody runs ${column}`, account.id]
  await app.db
    .insertInto('jobs')
    .values({
      ...{ owner_id, id: 'x', kind, payload: '', attempts: 1, run_at: 0, leased_until: 1 },
      created_at: 0,
    })
    .execute()
  const { claimed } = await app.db.transaction().execute(async (trx) => {
    await trx
      .updateTable('jobs')
      .set({ [column]: now + 60_000 })
      .where('owner_id', '=', owner_id)
      .execute()
    const claimed = app.db.write(claimJob, { kind, now, leased_until: now + 60_000 })
    const waits = sql`select pid from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
    while ((await waits.execute(app.db)).rows.length === 0) await sleep(10)
    return { claimed }
  })
  expect(await claimed).toBeUndefined()
})

test('requests get connections while the look for jobs waits, as for a machine that is silent', async ({
  app,
  account,
  startApp,
}) => {
  const { database } = app
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table jobs in access exclusive mode`.execute(trx)
    const other = await startApp({ database })
    const waiting = sql`select from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock' and query like '%"jobs"%'`
    await expect.poll(async () => (await waiting.execute(app.db)).rows.length).toBeGreaterThan(0)
    expect((await other.request(notes.list, { query: {} }, account.auth)).status).toBe(200)
  })
})
