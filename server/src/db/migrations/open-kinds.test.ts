import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../../testing/test-database.ts'
import { type MigrationTables, migrate } from '../migrate.ts'
import { dialectFor } from '../open.ts'
import type { Tables } from '../schema.ts'
import { migrations } from './index.ts'

const OWNER = '01a2b3c4-0000-7000-8000-000000000001'
const TABLES = ['users', 'items', 'item_counts', 'tags', 'item_tags', 'idempotency_keys', 'sessions'] as const

let database: TestDatabase
let db: Kysely<Tables>
beforeEach(async () => {
  database = await createTestDatabase()
  db = new Kysely({ dialect: dialectFor(database.settings).connectForMigrations() })
})
afterEach(async () => {
  await db.destroy()
  await database.remove()
})

const apply = (list = migrations) =>
  migrate(db as unknown as Kysely<MigrationTables>, dialectFor(database.settings), list)
const place = migrations.findIndex(({ name }) => name.startsWith('009'))

async function fill(): Promise<void> {
  await sql`insert into users (owner_id, email, email_key, first_name, last_name, password_hash, created_at)
    values (${OWNER}, 'a@example.org', 'a@example.org', 'Анна', 'Каренина', '', 0)`.execute(db)
  for (const [id, kind, url] of [
    ['item-1', 'note', null],
    ['item-2', 'link', 'https://example.org/'],
  ]) {
    await sql`insert into items (owner_id, id, kind, title, body, excerpt, url, revision, created_at, updated_at)
      values (${OWNER}, ${id}, ${kind}, 'Запись', '<p>О книгах</p>', 'О книгах', ${url}, 3, 1, 2)`.execute(db)
    await sql`insert into tags (owner_id, id, name, name_key) values (${OWNER}, ${`tag-of-${id}`}, ${id}, ${id})`.execute(
      db,
    )
    await sql`insert into item_tags (owner_id, item_id, tag_id, kind)
      values (${OWNER}, ${id}, ${`tag-of-${id}`}, ${kind})`.execute(db)
    await sql`insert into item_counts (owner_id, kind, count) values (${OWNER}, ${kind}, 1)`.execute(db)
    await sql`insert into idempotency_keys (owner_id, key_hash, request_hash, item_id, created_at)
      values (${OWNER}, ${id}, 'x', ${id}, 0)`.execute(db)
  }
}

const rowsOf = async (table: string) =>
  (await sql`select * from ${sql.table(table)} order by 1, 2, 3`.execute(db)).rows
const insertKind = (kind: string) =>
  sql`insert into items (owner_id, id, kind, title, body, excerpt, url, revision, created_at, updated_at)
    values (${OWNER}, 'item-3', ${kind}, '', '', '', null, 1, 0, 0)`.execute(db)

it('lets an older database hold items of any kind, and keeps all its data', async () => {
  await apply(migrations.slice(0, place))
  await fill()
  await expect(insertKind('file')).rejects.toThrow()
  const old = await Promise.all(TABLES.map(rowsOf))

  await apply(migrations.slice(0, place + 1))
  expect(await Promise.all(TABLES.map(rowsOf))).toEqual(old)
  await insertKind('file')

  // References still work: deleting an item deletes what belongs to it, and one that does not exist cannot be tagged.
  await db.deleteFrom('items').where('id', '=', 'item-1').execute()
  expect(await rowsOf('item_tags')).toMatchObject([{ item_id: 'item-2' }])
  await expect(
    sql`insert into item_tags (owner_id, item_id, tag_id, kind)
      values (${OWNER}, 'item-1', 'tag-of-item-1', 'note')`.execute(db),
  ).rejects.toThrow()
  await db.deleteFrom('users').execute()
  expect(await rowsOf('items')).toEqual([])
})
