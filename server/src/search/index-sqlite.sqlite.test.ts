import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Db, ItemKind } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { createTestDatabase, openWritable, type TestDatabase } from '../testing/test-database.ts'
import { sqliteIndex } from './index-sqlite.ts'

const OWNER = '01a2b3c4-0000-7000-8000-000000000001'
const TIME = Date.UTC(2026, 0, 31)
const EVERY = { term: '*' }

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

/** A UUIDv7 whose order among those of its millisecond is `order`. */
const idAt = (order: number, node = 0): string => {
  const [digits, last] = [order.toString(16).padStart(3, '0'), node.toString().padStart(12, '0')]
  return `01a2b3c4-0000-7${digits}-8000-${last}`
}

const put = (item: { id: string; kind: ItemKind; created_at: number }, ...terms: string[]) =>
  transact(db, (trx) =>
    sqliteIndex.upsert(trx, OWNER, [
      { item, document: { terms: ['*', ...terms].join(' '), forms: '', stems: '' }, tagIds: [] },
    ]),
  )
const find = async (term: string, limit: number, kind?: ItemKind) =>
  (await sqliteIndex.newest(db, OWNER, { term }, { kind, limit })).map(({ id }) => id)

it('finds the newest first, however many items one millisecond has and in any order of creation', async () => {
  const orders = Array.from({ length: 0x1000 / 8 }, (_, at) => ((at * 331) % (0x1000 / 8)) * 8)
  for (const order of orders)
    await put({ id: idAt(order), kind: order % 16 === 0 ? 'note' : 'link', created_at: TIME }, '=все')
  await put({ id: idAt(0xfff), kind: 'note', created_at: TIME - 1 }, '=все')
  const newest = orders.toSorted((one, other) => other - one).map((order) => idAt(order))
  expect(await find('=все', 1000)).toEqual([...newest, idAt(0xfff)])
  for (const limit of [1, 10, 255, 256, 511])
    expect(await find('=все', limit)).toEqual(newest.slice(0, limit))
  const links = newest.filter((_, at) => at % 2 === 0)
  for (const limit of [1, 15, 200]) expect(await find('=все', limit, 'link')).toEqual(links.slice(0, limit))
  const { all } = await sqliteIndex.countAndFirst(db, OWNER, EVERY, 1000)
  expect(all?.map(({ id }) => id)).toEqual([...newest, idAt(0xfff)])
})

it('numbers the items beyond 2,048 of one millisecond as those of the next', async () => {
  const time = TIME - 5000
  const owner = OWNER.replaceAll('-', '')
  // All numbers of one millisecond but the last, and all of the next.
  await sql`with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < 4094)
    insert into search_docs (doc, owner_id, item_id, forms)
    select (cast(${time} as integer) << 12) + n, ${OWNER}, ${'taken-'} || n, '' from numbers where n & 1 = 0`.execute(
    db,
  )
  const ids = [1, 2, 3].map((order) => idAt(order, 3))
  for (const id of ids) await put({ id, kind: 'link', created_at: time }, '=тесно')
  await put({ id: idAt(4, 3), kind: 'note', created_at: time + 1000 }, '=тесно')
  expect(await find('=тесно', 10)).toEqual([idAt(4, 3), ...ids.toReversed()])
  const { rows } = await sql<{ doc: string }>`
    select cast(doc - (cast(${time} as integer) << 12) as text) as doc from search_docs
    where item_id in (${sql.join(ids)}) order by doc`.execute(db)
  expect(rows.map(({ doc }) => Number(doc))).toEqual([4097, 4099, 4101])
  expect(owner).toHaveLength(32)
})

it('keeps the number of an item that is indexed again', async () => {
  const items = [1, 2, 3].map(
    (order) => ({ id: idAt(order, 4), kind: 'note', created_at: TIME + 9 }) as const,
  )
  for (const item of items) await put(item, '=прежнее')
  for (const item of items) await put(item, '=новое')
  expect(await find('=прежнее', 10)).toEqual([])
  expect(await find('=новое', 2)).toEqual([items[2]?.id, items[1]?.id])
})

it('finds items created before 1970', async () => {
  for (const order of [1, 2])
    await put({ id: idAt(order, 5), kind: 'link', created_at: -order * 1000 }, '=давно')
  expect(await find('=давно', 10)).toEqual([idAt(1, 5), idAt(2, 5)])
  expect(await find('=давно', 1, 'link')).toEqual([idAt(1, 5)])
})

it('merges in short steps until nothing is left to merge', async () => {
  const maintain = () => transact(db, (trx) => sqliteIndex.maintain(trx))
  const segments = async () =>
    (
      await sql<{ segments: number }>`select count(distinct segid) as segments from search_words_idx`.execute(
        db,
      )
    ).rows[0]?.segments ?? 0
  for (let at = 0; at < 10; at += 1)
    await put({ id: idAt(at, 6), kind: 'note', created_at: TIME }, `=слово${at}`)
  const before = await segments()
  let steps = 0
  while (await maintain()) steps += 1
  expect(steps).toBeGreaterThan(0)
  expect(await segments()).toBeLessThan(before)
  expect(await maintain()).toBe(false)
})
