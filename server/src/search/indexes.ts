import type { Db } from '../db/schema.ts'
import { fullTextOf } from '../db/statement.ts'
import type { SearchIndex } from './index.ts'
import { postgresIndex } from './index-postgres.ts'
import { sqliteIndex } from './index-sqlite.ts'

/** The search index of a database or transaction. */
export const searchIndexOf = (db: Db): SearchIndex =>
  fullTextOf(db) === 'fts5' ? sqliteIndex : postgresIndex
