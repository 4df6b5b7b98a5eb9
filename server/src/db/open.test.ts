import { expect, it } from 'vitest'
import { createTestDatabase } from '../testing/test-database.ts'
import { openDb } from './open.ts'

it('asks the database once for all who ask at the same time whether it is available', async () => {
  const database = await createTestDatabase()
  const asked: string[] = []
  const db = await openDb(database.settings, ({ sql }) => asked.push(sql))
  asked.length = 0
  await Promise.all(Array.from({ length: 5 }, () => db.ping({ items: true })))
  expect(asked.filter((sql) => sql === 'select 1')).toHaveLength(1)
  await db.ping()
  expect(asked.filter((sql) => sql === 'select 1')).toHaveLength(2)
  await db.destroy()
  await expect(db.ping()).rejects.toThrow()
  await expect(db.ping()).rejects.toThrow()
  await database.remove()
})
