import { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { type MigrationTables, migrate } from './migrate.ts'
import { migrations } from './migrations/index.ts'
import { dialectFor } from './open.ts'
import { postgresDifferences } from './postgres-backup.ts'

let database: TestDatabase
let ddl: string

/** The statements of the migrations, as a dump would have them. */
beforeAll(async () => {
  database = await createTestDatabase()
  const source = await createTestDatabase()
  const statements: string[] = []
  const dialect = dialectFor(source.settings)
  const db = new Kysely<MigrationTables>({
    dialect: dialect.connectForMigrations(),
    log: ({ query: { sql } }) => {
      if (/^(?:create|alter|drop) /.test(sql)) statements.push(sql)
    },
  })
  await migrate(db, dialect)
  await db.destroy()
  await source.remove()
  ddl = statements.join(';\n')
})
afterAll(() => database.remove())

const applied = migrations.map(({ name }) => name)
const differences = (change = '', done: readonly string[] = applied) =>
  postgresDifferences(database.settings.DATABASE_URL, `${ddl};\n${change}`, done)

/** Each changes the schema and is named. */
const CHANGES: Readonly<Record<string, string>> = {
  'view everything': 'create view everything as select * from items',
  'function steal': "create function steal() returns trigger language plpgsql as 'begin return null; end'",
  'trigger thief items': 'create trigger thief before insert on items for each row execute function steal()',
  'rule silent items': 'create rule silent as on insert to items do instead nothing',
  'table users': 'alter table users add column more text',
  'table tags': "alter table tags alter column name set default 'x'",
  'table sessions': 'alter table sessions enable row level security',
  'table more': 'create table more (id integer)',
  'index changes_by_entity': 'drop index changes_by_entity',
  'constraint items_title_check items': 'alter table items add check (length(title) < 9)',
}

it('names what a schema has otherwise than its migrations', async () => {
  const names = await differences(Object.values(CHANGES).join(';\n'))
  expect(names.sort()).toEqual(Object.keys(CHANGES).sort())
})

it('accepts what migrations create, and leaves the database empty', async () => {
  expect(await differences()).toEqual([])
  expect(await differences()).toEqual([])
})

it('names the tables of migrations that a copy does not claim to have', async () => {
  const before = applied.slice(0, applied.indexOf('013-journal'))
  expect(await differences('', before)).toContain('table changes')
})
