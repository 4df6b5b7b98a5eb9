import { notes } from '@kopilka/contract/notes.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { test } from '../testing/fixtures.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { contentOf } from './item.ts'
import { createItemStore } from './store.ts'

const it = test.extend('deadlocks', ({ app }) => async () => {
  // A backend reports its statistics when it ends, if not before. Waits for the end of each.
  const { rows: ended } = await sql<{ ended: boolean }>`select pg_terminate_backend(pid, 10000) as ended
    from pg_stat_activity where datname = current_database() and backend_type = 'client backend'
    and pid <> pg_backend_pid()`.execute(app.db)
  expect(ended.filter((backend) => !backend.ended)).toEqual([])
  const { rows } = await sql<{ count: number }>`select deadlocks as count from pg_stat_database
    where datname = current_database()`.execute(app.db)
  return rows[0]?.count
})

it('concurrent saves of one owner do not deadlock, whether they create tags or not', async ({
  app,
  account,
  deadlocks,
}) => {
  const before = await deadlocks()
  const save = (at: number) => {
    const tags = at % 2 === 0 ? [`метка ${at}`] : []
    return app.request(
      notes.create,
      { body: { title: `Заметка ${at}`, content: 'текст', tags } },
      account.auth,
    )
  }
  const statuses = new Set<number>()
  for (let round = 0; round < 10; round += 1) {
    const replies = await Promise.all(Array.from({ length: 8 }, (_, at) => save(round * 8 + at)))
    for (const { status } of replies) statuses.add(status)
  }
  expect([...statuses]).toEqual([201])
  expect(await deadlocks()).toBe(before)
})

it('concurrent saves of many items of one owner do not deadlock, whatever the order of their words and tags', async ({
  app,
  account,
  deadlocks,
}) => {
  const before = await deadlocks()
  const pool = createWorkerPool(app.database.settings)
  const store = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(readConfig({})) })
  const words = Array.from(
    { length: 40 },
    (_, at) => `слово${String.fromCharCode(0x430 + (at % 32))}${at < 32 ? 'а' : 'б'}`,
  )
  await Promise.all(
    Array.from({ length: 6 }, (_, at) =>
      store.createMany(
        (at % 2 === 0 ? words : words.toReversed()).map((word) => ({
          owner_id: account.id,
          kind: at % 3 === 0 ? 'link' : 'note',
          draft: {
            ...contentOf({ title: word, body: word, url: at % 3 === 0 ? 'https://example.org/' : null }),
            tags: [word],
          },
        })),
      ),
    ),
  )
  await pool.close()
  expect(await deadlocks()).toBe(before)
  const { rows } = await sql<{ count: number }>`select count(*)::integer as count from items
    where owner_id = ${account.id}`.execute(app.db)
  expect(rows[0]?.count).toBe(240)
})
