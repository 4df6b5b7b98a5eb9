import { sql } from 'kysely'
import { expect, it } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { openDb, openReader } from './open.ts'

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
