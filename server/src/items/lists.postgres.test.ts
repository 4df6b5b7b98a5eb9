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
  /** Again where its statement has waited as long as it may: on a busy machine the thread of the other one takes longer to start. */
  const searchUntilFound = async () => {
    for (;;) {
      const { status, body } = await app.request(search, { query: { search: 'слово' } }, auth)
      if (status !== 503) return { status, body }
    }
  }
  const searchTwice = () => [searchUntilFound(), searchUntilFound()]
  let searches: ReturnType<typeof searchTwice> = []
  await app.db.transaction().execute(async (trx) => {
    await sql`lock table search_words in access exclusive mode`.execute(trx)
    searches = searchTwice()
    const waiting = async () => {
      const { rows } = await sql`select pid from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock'`.execute(app.db)
      return rows.length
    }
    await expect.poll(waiting, { timeout: 60_000 }).toBe(2)
    expect((await app.call(latest, { query: {} }, auth)).notes).toHaveLength(1)
  })
  const found = { status: 200, body: expect.objectContaining({ notes_count: 1 }) }
  expect(await Promise.all(searches)).toEqual([found, found])
})
