import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { type Database, openDb } from './open.ts'
import { statement, type Value } from './statement.ts'
import { transact } from './transact.ts'

const opened: { database: TestDatabase; db: Database }[] = []
async function open(): Promise<Database> {
  const database = await createTestDatabase()
  const db = await openDb(database.settings)
  opened.push({ database, db })
  return db
}

let db: Database
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
  subject: string
  count: number
}

const add = statement((db, value: Value<Counted>) =>
  db
    .insertInto('limit_counts')
    .values({ subject: value('subject'), count: value('count'), ends_at: value('count') }),
)

it('asks with other values each time, one of them in two places', async () => {
  await add(db, { subject: 'one', count: 1 })
  await add(db, { subject: 'two', count: 2 })
  expect(await db.selectFrom('limit_counts').selectAll().orderBy('subject').execute()).toEqual([
    { subject: 'one', count: 1, ends_at: 1 },
    { subject: 'two', count: 2, ends_at: 2 },
  ])
})

it('asks for those of a list, however long, with one text', async () => {
  const among = statement((db, value: Value<{ subjects: readonly string[] }>) =>
    db
      .selectFrom('limit_counts')
      .select('subject')
      .where(value.among('limit_counts.subject', 'subjects'))
      .orderBy('subject'),
  )
  for (const subjects of [[], ['two'], ['two', 'one', 'none'], Array.from({ length: 3000 }, () => 'one')]) {
    const known = [...new Set(subjects)].filter((subject) => subject !== 'none').sort()
    expect(await among(db, { subjects })).toEqual(known.map((subject) => ({ subject })))
  }
})

it('is written once a database, and asked inside transactions as well', async () => {
  let times = 0
  const countOf = statement((db, value: Value<Pick<Counted, 'subject'>>) => {
    times += 1
    return db.selectFrom('limit_counts').select('count').where('subject', '=', value('subject'))
  })
  const rolledBack = transact(db, async (trx) => {
    await add(trx, { subject: 'three', count: 3 })
    expect(await countOf(trx, { subject: 'three' })).toEqual([{ count: 3 }])
    throw new Error('never mind')
  })
  await expect(rolledBack).rejects.toThrow('never mind')
  expect(await countOf(db, { subject: 'three' })).toEqual([])
  expect(times).toBe(1)

  expect(await countOf(await open(), { subject: 'one' })).toEqual([])
  expect(times).toBe(2)
})
