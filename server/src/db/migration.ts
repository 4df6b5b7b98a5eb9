import type { Kysely } from 'kysely'
import type { FullText } from './dialect.ts'

/** A change to the tables. A released migration is never edited; a later one corrects it. */
export interface Migration {
  /** Sorts after the names of earlier migrations: `001-first`. */
  readonly name: string
  /** Set if it rebuilds tables that others reference (db/rebuild-table.ts): runs with foreign keys off. */
  readonly rebuildsTables?: true
  /** `fullText`: which of the two databases it is. */
  readonly up: (db: Kysely<never>, fullText: FullText) => Promise<void>
}
