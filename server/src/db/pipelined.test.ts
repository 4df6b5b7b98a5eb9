import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, openWritable, type TestDatabase } from '../testing/test-database.ts'
import { pipelined } from './pipelined.ts'
import type { Db, Trx } from './schema.ts'
import { fullTextOf, statement, type Value } from './statement.ts'
import { transact } from './transact.ts'

let database: TestDatabase
let db: Db
beforeAll(async () => {
  database = await createTestDatabase()
  db = await openWritable(database.settings)
})
afterAll(async () => {
  await db.destroy()
  await database.remove()
})

const add = statement((db, value: Value<{ key: string }>) =>
  db
    .insertInto('rate_limits')
    .values({ key: value('key'), count: 1, ends_at: 1 })
    .returning('key'),
)
const keys = statement((db) => db.selectFrom('rate_limits').select('key').orderBy('key'))
const failing = (trx: Trx) => sql`select * from nowhere`.execute(trx)

it('runs statements in the order in which the parts begin, also those of a part within a part', async () => {
  const [first, [second, seen], third] = await transact(db, (trx) =>
    pipelined(trx, [
      (trx) => add(trx, { key: 'a' }),
      (trx) => pipelined(trx, [(trx) => add(trx, { key: 'b' }), (trx) => keys(trx, {})]),
      (trx) => add(trx, { key: 'c' }),
    ]),
  )
  expect([first, second, third]).toEqual([[{ key: 'a' }], [{ key: 'b' }], [{ key: 'c' }]])
  expect(seen).toEqual([{ key: 'a' }, { key: 'b' }])
})

it('throws the first failure once all parts have ended, and leaves nothing of them', async () => {
  const before = await keys(db, {})
  let ended = 0
  const goesOn = async (trx: Trx) => {
    await add(trx, { key: 'd' })
    await keys(trx, {}).catch(() => {})
    ended += 1
  }
  let isLastBegun = false
  const last = (trx: Trx) => {
    isLastBegun = true
    return add(trx, { key: 'e' })
  }
  const failed = transact(db, (trx) => pipelined(trx, [goesOn, failing, last]))
  const [message, endedBefore] = await failed.catch((error) => [String(error), ended])
  expect(message).toMatch(/nowhere/)
  expect(endedBefore).toBe(1)
  expect(isLastBegun).toBe(fullTextOf(db) === 'tsvector')
  expect(await keys(db, {})).toEqual(before)
})
