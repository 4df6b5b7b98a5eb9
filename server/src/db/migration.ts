import type { Kysely } from 'kysely'
import type { FullText } from './dialect.ts'

/** A change to the tables. Never edited once released: a later one corrects it. */
export interface Migration {
  /** Sorts after all before it: `001-first`. */
  readonly name: string
  /** Whether it drops tables that others refer to, only to make them anew (db/rebuild-table.ts). */
  readonly rebuildsTables?: true
  /** `fullText`: for what each database has in its own way. */
  readonly up: (db: Kysely<never>, fullText: FullText) => Promise<void>
}
