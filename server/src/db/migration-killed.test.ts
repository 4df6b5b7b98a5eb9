import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { Kysely } from 'kysely'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { createClient } from '../testing/client.ts'
import { describeSchema } from '../testing/describe-schema.ts'
import { integrityErrors } from '../testing/faults/integrity.ts'
import { startServer } from '../testing/server-process.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { migrations } from './migrations/index.ts'
import { dialectFor, openDb } from './open.ts'

const HALTING = fileURLToPath(new URL('../testing/migrate-and-halt.ts', import.meta.url))
const SNAPSHOTS = { fts5: './schema-snapshots/sqlite.txt', tsvector: './schema-snapshots/postgres.txt' }

let database: TestDatabase
beforeEach(async () => {
  database = await createTestDatabase()
})
afterEach(() => database.remove())

/** Kills a process that has run a whole migration but has not committed it. */
async function killIn(migration: string): Promise<void> {
  const child = spawn(process.execPath, [HALTING, migration], {
    cwd: database.settings.DATA_DIR,
    env: { PATH: process.env.PATH, ...database.settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  expect(String((await Promise.race([once(child.stdout, 'data'), ended]))[0])).toBe('halted\n')
  child.kill('SIGKILL')
  await ended
}

/** Tables and applied migrations of the database, read without applying anything. */
async function applied(): Promise<{ tables: string[]; names: string[] }> {
  const db = new Kysely<{ migrations: { name: string } }>({
    dialect: dialectFor(database.settings).connectForMigrations(),
  })
  try {
    const rows = await db.selectFrom('migrations').select('name').orderBy('name').execute()
    const tables = await db.introspection.getTables()
    return { tables: tables.map(({ name }) => name), names: rows.map(({ name }) => name) }
  } finally {
    await db.destroy()
  }
}

it.each(
  migrations.map(({ name }, at) => [name, migrations.slice(0, at).map((before) => before.name)] as const),
)(
  'a process killed in the middle of %s leaves nothing of it, and the next start completes',
  async (name, before) => {
    await killIn(name)
    const left = await applied()
    expect(left.names).toEqual(before)
    expect(left.tables).not.toContain('halfway')

    const server = startServer({ folder: database.settings.DATA_DIR, settings: database.settings })
    const { send } = createClient(await server.address())
    expect((await send('GET', '/readyz')).status).toBe(200)
    server.child.kill('SIGTERM')
    expect(await server.ended).toBe(0)

    const db = await openDb(database.settings)
    const snapshot = await readFile(new URL(SNAPSHOTS[db.fullText], import.meta.url), 'utf8')
    expect([await describeSchema(db), await integrityErrors(db)]).toEqual([snapshot, []])
    await db.destroy()
  },
)
