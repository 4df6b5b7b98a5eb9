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
    /** On PostgreSQL: prefix of the names of databases with all tables, from which others are copied. */
    templates?: string
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

interface Wanted {
  /** URL of a server other than that of the run. */
  postgres?: string | undefined
  /** PostgreSQL: with all tables. Copying them takes a tenth of the time of migrations. */
  isMigrated?: boolean
}

export async function createTestDatabase({
  postgres = inject('postgres'),
  isMigrated = inject('partitions') !== undefined,
}: Wanted = {}): Promise<TestDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'kopilka-test-'))
  const removeFolder = () => rm(folder, { recursive: true, force: true })
  if (postgres === undefined) {
    return { settings: { DATA_DIR: folder, DATABASE_URL: '' }, remove: removeFolder }
  }
  const name = `kopilka_${randomBytes(8).toString('hex')}`
  await administer(
    postgres,
    `create database ${name}${isMigrated ? ` template ${await templateOn(postgres)}` : ''}`,
  )
  return {
    settings: { DATA_DIR: folder, DATABASE_URL: urlOf(postgres, name) },
    async remove() {
      await administer(postgres, `drop database ${name} with (force)`)
      await removeFolder()
    },
  }
}

const urlOf = (postgres: string, database: string): string =>
  String(Object.assign(new URL(postgres), { pathname: database }))

let template: Promise<string> | undefined

/** The name of a database with all tables. The first worker of a run that needs it creates it. */
function templateOn(postgres: string): Promise<string> {
  template ??= createTemplate(postgres)
  return template
}

async function createTemplate(postgres: string): Promise<string> {
  const partitions = inject('partitions')
  const name = `${inject('templates')}_${partitions ?? 'whole'}`
  const client = new pg.Client({ connectionString: postgres })
  await client.connect()
  try {
    // Until the connection ends.
    await client.query('select pg_advisory_lock(hashtext($1))', [name])
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 1) return name
    await client.query(`create database ${name}_unfinished`)
    const db = await openDb({ DATA_DIR: '', DATABASE_URL: urlOf(postgres, `${name}_unfinished`) })
    if (partitions !== undefined) await partitionByOwner(db, partitions)
    await db.destroy()
    await client.query(`alter database ${name}_unfinished rename to ${name}`)
    return name
  } finally {
    await client.end()
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
