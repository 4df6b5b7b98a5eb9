import type { Db } from './schema.ts'
import { DirectAdapter } from './sqlite-connection.ts'

/** Entries of a cache at most. */
const SIZE = 10_000

/**
 * Caches what reads of the database resolve to, for as long as nothing was committed: SQLite counts the commits of all
 * processes, so a cached value is exactly what a read would find. On PostgreSQL every read is done.
 */
export function createVersionedCache<Value>(
  db: Db,
): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const { adapter } = db.getExecutor()
  const values = new Map<string, Value>()
  let version = 0

  return async (key, read) => {
    const connection = adapter instanceof DirectAdapter ? adapter.direct : undefined
    if (!connection) return read()
    const now = connection.dataVersion()
    if (now !== version || values.size >= SIZE) values.clear()
    version = now
    const known = values.get(key)
    if (known !== undefined) return known
    const value = await read()
    // Something may have been committed since the version was read, and what was read may be older or newer.
    if (connection.dataVersion() === now && version === now) values.set(key, value)
    return value
  }
}
