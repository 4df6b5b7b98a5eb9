import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { sql } from 'kysely'
import { expect } from 'vitest'
import { test as it } from '../testing/fixtures.ts'

it('lists the latest items, whole, while two searches of the same user take long', async ({
  app,
  account,
}) => {
  const { auth } = account
  await app.call(notes.create, { body: { title: 'Слово', content: 'Текст' } }, auth)
  const searchTwice = () =>
    Array.from({ length: 2 }, async () => app.call(search, { query: { search: 'слово' } }, auth))
  // Starts both threads: on a busy machine the first statement would wait for the second thread longer than it may.
  await Promise.all(searchTwice())
  let searches: ReturnType<typeof searchTwice> = []
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table search_words in access exclusive mode`.execute(trx)
    searches = searchTwice()
    const waiting = async () => {
      const { rows } = await sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
      return rows.length
    }
    await expect.poll(waiting, { timeout: 20_000 }).toBe(2)
    expect((await app.call(latest, { query: {} }, auth)).notes).toHaveLength(1)
  })
  for (const { notes } of await Promise.all(searches)) expect(notes).toHaveLength(1)
})
