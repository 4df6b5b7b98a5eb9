import { expect, inject } from 'vitest'
import { test as it } from '../testing/fixtures.ts'
import { openDb } from './open.ts'
import { createVersionedCache } from './versioned-cache.ts'

it('reads again after each commit of another process, and on SQLite only then', async ({
  app,
  account,
  onTestFinished,
}) => {
  // A second connection, like that of another process.
  const db = await openDb(app.database.settings)
  onTestFinished(() => db.destroy())
  const cached = createVersionedCache<string | undefined>(db)
  let reads = 0
  const firstName = () =>
    cached(account.id, async () => {
      reads += 1
      const user = await db
        .selectFrom('users')
        .select('first_name')
        .where('owner_id', '=', account.id)
        .executeTakeFirst()
      return user?.first_name
    })
  const rename = (first_name: string) =>
    app.db.updateTable('users').set({ first_name }).where('owner_id', '=', account.id).execute()

  await rename('Анна')
  for (let at = 0; at < 5; at += 1) expect(await firstName()).toBe('Анна')
  await rename('Мария')
  for (let at = 0; at < 5; at += 1) expect(await firstName()).toBe('Мария')
  expect(reads).toBe(inject('postgres') === undefined ? 2 : 10)
})
