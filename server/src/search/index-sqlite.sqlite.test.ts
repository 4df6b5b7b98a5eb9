import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Database, openDb } from '../db/open.ts'
import type { ItemKind } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { sqliteIndex } from './index-sqlite.ts'

const OWNER = '01a2b3c4-0000-7000-8000-000000000001'
const TIME = Date.UTC(2026, 0, 31)
const EVERY = { trait: '*' }

let database: TestDatabase
let db: Database
beforeAll(async () => {
  database = await createTestDatabase()
  db = await openDb(database.settings)
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

const put = (item: { id: string; kind: ItemKind; created_at: number }, ...traits: string[]) =>
  transact(db, (trx) =>
    sqliteIndex.put(trx, { owner_id: OWNER, ...item }, { traits: ['*', ...traits], forms: [] }),
  )
const find = async (trait: string, limit: number) =>
  (await sqliteIndex.find(db, OWNER, { trait }, { limit })).map(({ id }) => id)

it('finds the newest first, however many were made in one millisecond and in whatever order', async () => {
  const orders = Array.from({ length: 0x1000 / 8 }, (_, at) => ((at * 331) % (0x1000 / 8)) * 8)
  for (const order of orders)
    await put({ id: idAt(order), kind: order % 16 === 0 ? 'note' : 'link', created_at: TIME }, '=все')
  await put({ id: idAt(0xfff), kind: 'note', created_at: TIME - 1 }, '=все')
  const newest = orders.toSorted((one, other) => other - one).map((order) => idAt(order))
  expect(await find('=все', 1000)).toEqual([...newest, idAt(0xfff)])
  expect(await find('=все', 10)).toEqual(newest.slice(0, 10))
  expect(await sqliteIndex.find(db, OWNER, EVERY, { kind: 'link', limit: 1 })).toEqual([
    { id: newest.find((_, at) => at % 2 === 0), kind: 'link' },
  ])
})

it('finds all of those that would have the same number', async () => {
  const ids = Array.from({ length: 16 }, (_, order) => idAt(order, 1))
  for (const id of ids) await put({ id, kind: 'note', created_at: TIME - 1000 }, '=тесно')
  expect(await find('=тесно', 100)).toEqual(ids.toReversed())
  for (const id of ids) await put({ id, kind: 'note', created_at: TIME - 1000 }, '=теснее')
  expect(await find('=теснее', 100)).toEqual(ids.toReversed())
  expect(await find('=тесно', 100)).toEqual([])
})

it('finds the newest of those that would have the same numbers, in whatever order they were put in', async () => {
  const orders = Array.from({ length: 200 }, (_, at) => ((at * 77) % 200) * 12)
  for (const order of orders)
    await put({ id: idAt(order, 2), kind: 'link', created_at: TIME - 2000 }, '=теснота')
  const newest = orders.toSorted((one, other) => other - one).map((order) => idAt(order, 2))
  for (const limit of [1, 15, 30, 150, 200])
    expect(await find('=теснота', limit)).toEqual(newest.slice(0, limit))
  const links = await sqliteIndex.find(db, OWNER, { trait: '=теснота' }, { kind: 'link', limit: 15 })
  expect(links.map(({ id }) => id)).toEqual(newest.slice(0, 15))
})

it('gives an item that an earlier version numbered its place among the others when it is put in anew', async () => {
  const item = { id: idAt(0), kind: 'note', created_at: TIME + 1 } as const
  const id = '01a2b3c4-0001-7000-8000-000000000000'
  await put({ ...item, id }, '=слово')
  await sql`update search_docs set doc = 7 where item_id = ${id}`.execute(db)
  await sql`delete from search_words where search_words match ${`"${OWNER.replaceAll('-', '')}=слово"`}`.execute(
    db,
  )
  await sql`insert into search_words (rowid, words) values (7, ${`${OWNER.replaceAll('-', '')}=старое`})`.execute(
    db,
  )
  expect(await find('=старое', 10)).toEqual([id])

  await put({ ...item, id }, '=новое', '=все')
  expect(await find('=старое', 10)).toEqual([])
  expect(await find('=новое', 10)).toEqual([id])
  expect(await find('=все', 1)).toEqual([id])
})
