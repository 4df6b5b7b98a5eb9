import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely } from 'kysely'
import pg from 'pg'
import { inject } from 'vitest'
import { dialectFor, openDb } from '../db/open.ts'
import type { Tables } from '../db/schema.ts'
import { partitionByOwner } from './partitions.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** URL of the PostgreSQL to test on; absent in a run on SQLite. */
    postgres?: string
    /** Number of partitions by owner on PostgreSQL; absent: tables are not partitioned. */
    partitions?: number
  }
}

/** A new, empty database on SQLite or PostgreSQL, whichever this run tests. */
export interface TestDatabase {
  /** The server's settings for it. */
  readonly settings: { readonly DATA_DIR: string; readonly DATABASE_URL: string }
  readonly remove: () => Promise<void>
}

/** `postgres`: URL of a server other than that of the run. */
export async function createTestDatabase(postgres = inject('postgres')): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'kopilka-test-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  if (postgres === undefined) {
    return { settings: { DATA_DIR: folder, DATABASE_URL: '' }, remove: removeFolder }
  }
  const name = `kopilka_${randomBytes(8).toString('hex')}`
  await administer(postgres, `create database ${name}`)
  const settings = {
    DATA_DIR: folder,
    DATABASE_URL: String(Object.assign(new URL(postgres), { pathname: name })),
  }
  const partitions = inject('partitions')
  if (partitions !== undefined) {
    const db = await openDb(settings)
    await partitionByOwner(db, partitions)
    await db.destroy()
  }
  return {
    settings,
    async remove() {
      await administer(postgres, `drop database ${name} with (force)`)
      await removeFolder()
    },
  }
}

/** Opens a database that is up to date on a connection that may write, unlike those of the server on SQLite. */
export async function openWritable(settings: TestDatabase['settings']): Promise<Kysely<Tables>> {
  await (await openDb(settings)).destroy()
  return new Kysely<Tables>({ dialect: dialectFor(settings).connectForMigrations() })
}

/** Runs an administrative statement on a connection of its own. */
export async function administer(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}
