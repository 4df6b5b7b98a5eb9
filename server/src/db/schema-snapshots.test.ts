import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeSchema } from '../testing/describe-schema.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { type Database, openDb } from './open.ts'

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

const SNAPSHOTS = { fts5: './schema-snapshots/sqlite.txt', tsvector: './schema-snapshots/postgres.txt' }
const read = (snapshot: string) => readFile(new URL(snapshot, import.meta.url), 'utf8')

it('has the tables of the reviewed snapshot (vitest -u updates it)', async () => {
  await expect(await describeSchema(db)).toMatchFileSnapshot(SNAPSHOTS[db.fullText])
})

/** The schema without what differs by design: search tables, collation, the notation of checks, the name of bytes. */
const shared = (schema: string): string[] =>
  schema
    .split('\n\n')
    .filter((table) => !table.startsWith('search_'))
    .map((table) =>
      table
        .replaceAll(' collate "C"', '')
        .replaceAll(' bytea ', ' blob ')
        .replace(/\n {2}CHECK .*/g, '')
        .trimEnd(),
    )

it('has the same tables, columns, types, keys and indexes on both databases', async () => {
  const [sqlite, postgres] = [shared(await read(SNAPSHOTS.fts5)), shared(await read(SNAPSHOTS.tsvector))]
  expect(sqlite.length).toBeGreaterThan(5)
  expect(postgres).toEqual(sqlite)
})

it('compares all text by bytes on PostgreSQL, whatever the collation of the database', async () => {
  const texts = (await read(SNAPSHOTS.tsvector)).match(/^ {2}\w+ text.*/gm) ?? []
  expect(texts.length).toBeGreaterThan(20)
  expect(texts.filter((column) => !column.includes('collate "C"'))).toEqual([])
})
