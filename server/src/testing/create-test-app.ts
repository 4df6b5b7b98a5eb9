import type { FastifyInstance } from 'fastify'
import { Kysely } from 'kysely'
import { inject } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { dialectFor, openDb } from '../db/open.ts'
import type { Tables } from '../db/schema.ts'
import type { Resolve } from '../metadata/connection.ts'
import { createClient } from './client.ts'
import { checkOnePartition } from './partitions.ts'
import { watchStatements } from './statements.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

export interface TestAppOptions {
  settings?: Record<string, string>
  /** How names of the outside network become addresses; absent: nobody knows any, and no test goes there. */
  resolve?: Resolve
  /** Folder of the built interface, for tests of how it is served. */
  webRoot?: string
  /** One that outlives the app, for several servers over one database; absent: a new one. */
  database?: TestDatabase
  /** Gets each statement that the server sends to its database. */
  onStatement?: (sql: string) => void
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>

/** The real server on a free port of this machine, over a database of its own. Close it, and the database is gone. */
export async function createTestApp({
  settings = {},
  resolve = async () => [],
  webRoot,
  database,
  onStatement,
}: TestAppOptions = {}) {
  const own = database ?? (await createTestDatabase())
  const config = readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: 'off', ...own.settings, ...settings })
  const statements = watchStatements(onStatement)
  const db = await openDb(config, statements.log)
  const admin = new Kysely<Tables>({ dialect: dialectFor(config).connectForMigrations() })
  let shift = 0
  const clock = () => Date.now() + shift
  const app: FastifyInstance = await buildApp({
    config,
    db,
    clock,
    resolve,
    ...(webRoot !== undefined && { webRoot }),
    onStatement: statements.log,
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })

  return {
    address,
    /** The server's database, for what the API does not show: on a connection of its own, which may write. */
    db: Object.assign(admin, {
      fullText: db.fullText,
      risk: db.risk,
      write: db.write.bind(db) as typeof db.write,
      ping: () => db.ping(),
    }),
    database: own,
    /** Closes the server's own connections, as if its database were away. */
    closeDatabase: () => db.destroy(),
    /** The time as the server sees it. */
    now: clock,
    /** Lets time pass for the server alone. */
    advance: (milliseconds: number) => {
      shift += milliseconds
    },
    ...createClient(address),

    async close() {
      await app.close()
      if (inject('partitions') !== undefined) await checkOnePartition(admin, statements.asked())
      await admin.destroy()
      await db.destroy()
      if (!database) await own.remove()
      statements.check()
    },
  }
}
