import { notes } from '@kopilka/contract/notes.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test } from '../testing/fixtures.ts'

test('concurrent saves of one owner do not deadlock, whether they create tags or not', async ({
  app,
  account,
}) => {
  const deadlocks = async () => {
    const { rows } = await sql<{ count: number }>`select deadlocks as count from pg_stat_database
      where datname = current_database()`.execute(app.db)
    return rows[0]?.count
  }
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
  // Backends report their statistics at most once a second, and when they end.
  await new Promise((resolve) => setTimeout(resolve, 1500))
  expect(await deadlocks()).toBe(before)
})
