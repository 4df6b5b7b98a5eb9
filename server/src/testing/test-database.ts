import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { inject } from 'vitest'
import { openDb } from '../db/open.ts'
import { spreadByOwner } from './partitions.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** The PostgreSQL of a run on PostgreSQL; absent in a run on SQLite. */
    postgres?: string
    /** Over how many partitions a run on PostgreSQL spreads the tables by owner; absent: they stay whole. */
    partitions?: number
  }
}

/** A new, empty database of the kind this run is about. */
export interface TestDatabase {
  /** The settings that name it. */
  readonly settings: { readonly DATA_DIR: string; readonly DATABASE_URL: string }
  readonly remove: () => Promise<void>
}

/** `postgres`: on this server rather than that of the run. */
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
    await spreadByOwner(db, partitions)
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

/** Sends a statement that belongs to no test app, such as those of an administrator. */
export async function administer(url: string, statement: string): Promise<pg.QueryResult> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await client.query(statement)
  } finally {
    await client.end()
  }
}
