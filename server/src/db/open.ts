import { Kysely } from 'kysely'
import type { Config } from '../config.ts'
import { sqliteDialect } from './dialect.ts'
import { migrate } from './migrate.ts'
import type { Db, Tables } from './schema.ts'

/** Opens the database the settings name and brings its tables up to date. */
export async function openDb(config: Pick<Config, 'DATA_DIR'>): Promise<Db> {
  const db = new Kysely<Tables>({ dialect: sqliteDialect(config.DATA_DIR) })
  try {
    await migrate(db)
    return db
  } catch (error) {
    await db.destroy()
    throw error
  }
}
