import type { FastifyInstance } from 'fastify'
import { Kysely } from 'kysely'
import { inject } from 'vitest'
import { buildApp } from '../app.ts'
import { readConfig } from '../config.ts'
import { dialectFor, openDb } from '../db/open.ts'
import type { Tables } from '../db/schema.ts'
import type { Resolve } from '../metadata/connection.ts'
import { createPasswordHasher } from '../users/passwords.ts'
import { checkStatements } from './check-statements.ts'
import { createClient } from './client.ts'
import { WRONG_DUPLICATES, WRONG_HISTORY, WRONG_USAGE } from './faults/integrity.ts'
import { checkOnePartition } from './partitions.ts'
import { createTestDatabase, type TestDatabase } from './test-database.ts'

/** The least that argon2id takes. */
const CHEAP = { memoryCost: 8, timeCost: 1 }

export interface TestAppOptions {
  settings?: Record<string, string>
  /** Resolves host names; absent: none resolves, so no test reaches the outside network. */
  resolve?: Resolve
  /** Whether passwords are hashed as outside of tests; absent: as cheaply as argon2id can. */
  hashesFully?: true
  /** Folder of the built interface, for tests of how it is served. */
  webRoot?: string
  /** A database that outlives the app, for several servers over it; absent: a new one. */
  database?: TestDatabase
  /** Called with each statement that the server sends to its database. */
  onStatement?: (sql: string) => void
}

export type TestApp = Awaited<ReturnType<typeof createTestApp>>

/** The real server on a free local port, over its own database, which `close` removes. */
export async function createTestApp({
  settings = {},
  resolve = async () => [],
  hashesFully,
  webRoot,
  database,
  onStatement,
}: TestAppOptions = {}) {
  const own = database ?? (await createTestDatabase({ isMigrated: true }))
  const config = readConfig({ LOG_LEVEL: 'silent', RATE_LIMIT: 'off', ...own.settings, ...settings })
  const statements = checkStatements(onStatement)
  const db = await openDb(config, statements.log)
  const admin = new Kysely<Tables>({ dialect: dialectFor(config).connectForMigrations() })
  let shift = 0
  const clock = () => Date.now() + shift
  const app: FastifyInstance = await buildApp({
    config,
    db,
    clock,
    resolve,
    ...(!hashesFully && { passwordHasher: createPasswordHasher(CHEAP) }),
    ...(webRoot !== undefined && { webRoot }),
    onStatement: statements.log,
  })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })

  let closed: Promise<void> | undefined
  async function close(): Promise<void> {
    await app.close()
    if (inject('partitions') !== undefined || inject('citus') !== undefined)
      await checkOnePartition(admin, statements.executed())
    await checkUsage(admin)
    await admin.destroy()
    await db.destroy()
    if (!database) await own.remove()
    statements.check()
  }

  return {
    address,
    /** The server's database on a separate connection that may write, for what the API does not show. */
    db: Object.assign(admin, {
      fullText: db.fullText,
      risk: db.risk,
      write: db.write.bind(db) as typeof db.write,
      ping: db.ping.bind(db) as typeof db.ping,
    }),
    database: own,
    /** Closes the server's own connections, as if its database were unavailable. */
    closeDatabase: () => db.destroy(),
    /** The time as the server sees it. */
    now: clock,
    /** Moves the server's clock forward. */
    advance: (milliseconds: number) => {
      shift += milliseconds
    },
    ...createClient(address),

    /** May be called again. */
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

/** Throws where the server counted wrongly what an owner stores. */
async function checkUsage(db: Kysely<Tables>): Promise<void> {
  const { rows } = await WRONG_USAGE.rows.execute(db)
  if (rows.length > 0)
    throw new Error(
      `The table usage is wrong (${JSON.stringify(rows)}): what inserts, changes or deletes items or tags calls addToUsage (db/usage.ts)`,
    )
  const history = await WRONG_HISTORY.rows.execute(db)
  if (history.rows.length > 0)
    throw new Error(
      'change_counts.kept_bytes is wrong: what empties or removes changes calls emptyChanges (operations/history.ts)',
    )
  const wrong = await WRONG_DUPLICATES.rows.execute(db)
  if (wrong.rows.length > 0)
    throw new Error(
      'The table duplicates is wrong: what inserts, changes or deletes links calls countItem or countChange (items/counts.ts)',
    )
}
