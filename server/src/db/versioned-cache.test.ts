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

it('reads once for many who ask at the same time, on PostgreSQL after they have asked', async ({ app }) => {
  const cached = createVersionedCache<number>(app.db)
  const begun: number[] = []
  let value = 1
  const read = async () => {
    begun.push(value)
    await app.db.selectFrom('users').select('owner_id').execute()
    return value
  }
  const first = Array.from({ length: 50 }, () => cached('a', read))
  const other = cached('b', read)
  value = 2
  const second = Array.from({ length: 50 }, () => cached('a', read))
  expect(new Set(await Promise.all([...first, ...second, other]))).toEqual(new Set([2]))
  // Two begin at once and one for all others, beside that of another key.
  if (inject('postgres') !== undefined) expect(begun).toEqual([1, 1, 1, 2])
  const failing = Array.from({ length: 5 }, () => cached('c', () => Promise.reject(new Error('unavailable'))))
  for (const { status } of await Promise.allSettled(failing)) expect(status).toBe('rejected')
  expect(await cached('c', read)).toBe(2)
})
