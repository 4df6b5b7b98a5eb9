import type { FullText } from '../db/dialect.ts'
import type { SearchIndex } from './index.ts'
import { postgresIndex } from './index-postgres.ts'
import { sqliteIndex } from './index-sqlite.ts'

/** The index for what the open database searches with. */
export const searchIndexes: Readonly<Record<FullText, SearchIndex>> = {
  fts5: sqliteIndex,
  tsvector: postgresIndex,
}
