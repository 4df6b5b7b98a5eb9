import { Kysely } from 'kysely'
import { onTestFinished } from 'vitest'
import { type MigrationTables, migrate } from '../db/migrate.ts'
import { migrations } from '../db/migrations/index.ts'
import { dialectFor } from '../db/open.ts'
import type { Tables } from '../db/schema.ts'
import { createTestDatabase } from './test-database.ts'

/**
 * Creates a database of the version before a migration, which is named by the end of its name; it is removed after the test.
 * `migrateAll` brings it up to date.
 */
export async function createOlderDatabase(migration: string) {
  const database = await createTestDatabase()
  const dialect = dialectFor(database.settings)
  const db = new Kysely<Tables>({ dialect: dialect.connectForMigrations() })
  onTestFinished(async () => {
    await db.destroy()
    await database.remove()
  })
  const apply = (list: typeof migrations) => migrate(db.withTables<MigrationTables>(), dialect, list)
  const place = migrations.findIndex(({ name }) => name.endsWith(migration))
  await apply(migrations.slice(0, place))
  return {
    db,
    /** Applies that migration alone. */
    migrateOnce: () => apply(migrations.slice(0, place + 1)),
    migrateAll: () => apply(migrations),
  }
}
