import { codeOf } from '../errors.ts'

/** Databases, by file or URL, of which a statement has met a damaged page since the process began. */
const damaged = new Set<string>()

/** Of SQLite, and of PostgreSQL: "data corrupted" and "index corrupted". */
const DAMAGE = /^SQLITE_(?:CORRUPT|NOTADB)|^XX00[12]$/

/** Notes an error that tells of a damaged page. */
export function noteDamage(database: string, error: unknown): void {
  if (DAMAGE.test(codeOf(error))) damaged.add(database)
}

/** Nothing looks at all pages: the first request that meets a damaged one tells. */
export function refuseDamaged(database: string): void {
  if (damaged.has(database)) throw new Error('A page of the database is damaged.')
}
