import { afterEach, beforeEach, expect, inject, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { type Database, openDb } from './open.ts'
import { createVersionedCache } from './versioned-cache.ts'

let app: TestApp
let account: Account
/** A second connection to the database, like that of another process. */
let db: Database
beforeEach(async () => {
  app = await createTestApp()
  account = await newAccount(app)
  db = await openDb(app.database.settings)
})
afterEach(async () => {
  await db.destroy()
  await app.close()
})

it('reads again after each commit of another process, and on SQLite only then', async () => {
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
