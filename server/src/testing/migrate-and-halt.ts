// Migrates the configured database like the server, and halts inside the transaction of the migration named by the
// argument, after its statements and before the commit. Prints `halted` and waits to be killed.
import process from 'node:process'
import { Kysely, sql } from 'kysely'
import { loadConfig } from '../config.ts'
import { type MigrationTables, migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { dialectFor } from '../db/open.ts'

const [, , haltIn] = process.argv

/** More than SQLite's cache holds, so that uncommitted pages are in its files. */
const ROWS = 100_000

const list = migrations.map(({ name, up, ...options }) => ({
  name,
  ...options,
  up: async (...args: Parameters<typeof up>): Promise<void> => {
    await up(...args)
    if (name !== haltIn) return
    const [db] = args
    await sql`create table halfway (words text)`.execute(db)
    await sql`insert into halfway
      with recursive counted (at) as (select 1 union all select at + 1 from counted where at < ${ROWS})
      select 'слова, слова, слова, слова, слова, слова, слова' from counted`.execute(db)
    process.stdout.write('halted\n')
    await new Promise((resolve) => setInterval(resolve, 1_000_000))
  },
}))

const dialect = dialectFor(loadConfig())
const db = new Kysely<MigrationTables>({ dialect: dialect.connectForMigrations() })
await migrate(db, dialect, list)
