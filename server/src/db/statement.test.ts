import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, openWritable, type TestDatabase } from '../testing/test-database.ts'
import type { Db } from './schema.ts'
import { statement, type Value } from './statement.ts'
import { transact } from './transact.ts'

const opened: { database: TestDatabase; db: Db }[] = []
async function open(): Promise<Db> {
  const database = await createTestDatabase()
  const db = await openWritable(database.settings)
  opened.push({ database, db })
  return db
}

let db: Db
beforeAll(async () => {
  db = await open()
})
afterAll(async () => {
  for (const { database, db } of opened) {
    await db.destroy()
    await database.remove()
  }
})

interface Counted {
  key: string
  count: number
}

const add = statement((db, value: Value<Counted>) =>
  db.insertInto('rate_limits').values({ key: value('key'), count: value('count'), ends_at: value('count') }),
)

it('takes other values each time, one of them in two places', async () => {
  await add(db, { key: 'one', count: 1 })
  await add(db, { key: 'two', count: 2 })
  expect(await db.selectFrom('rate_limits').selectAll().orderBy('key').execute()).toEqual([
    { key: 'one', count: 1, ends_at: 1 },
    { key: 'two', count: 2, ends_at: 2 },
  ])
})

it('takes a list of any length with one SQL text', async () => {
  const among = statement((db, value: Value<{ keys: readonly string[] }>) =>
    db.selectFrom('rate_limits').select('key').where(value.among('rate_limits.key', 'keys')).orderBy('key'),
  )
  for (const keys of [[], ['two'], ['two', 'one', 'none'], Array.from({ length: 3000 }, () => 'one')]) {
    const known = [...new Set(keys)].filter((key) => key !== 'none').sort()
    expect(await among(db, { keys })).toEqual(known.map((key) => ({ key })))
  }
})

it('is compiled once a database, and runs inside transactions as well', async () => {
  let times = 0
  const countOf = statement((db, value: Value<Pick<Counted, 'key'>>) => {
    times += 1
    return db.selectFrom('rate_limits').select('count').where('key', '=', value('key'))
  })
  const rolledBack = transact(db, async (trx) => {
    await add(trx, { key: 'three', count: 3 })
    expect(await countOf(trx, { key: 'three' })).toEqual([{ count: 3 }])
    throw new Error('never mind')
  })
  await expect(rolledBack).rejects.toThrow('never mind')
  expect(await countOf(db, { key: 'three' })).toEqual([])
  expect(times).toBe(1)

  expect(await countOf(await open(), { key: 'one' })).toEqual([])
  expect(times).toBe(2)
})
