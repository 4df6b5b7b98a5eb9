import type { Db } from '../db/schema.ts'
import { fullTextOf } from '../db/statement.ts'
import type { SearchIndex } from './index.ts'
import { postgresIndex } from './index-postgres.ts'
import { sqliteIndex } from './index-sqlite.ts'

/** The index of a database, or of the one that a transaction runs on. */
export const searchIndexOf = (db: Db): SearchIndex =>
  fullTextOf(db) === 'fts5' ? sqliteIndex : postgresIndex
