import type { Db } from './schema.ts'
import { DirectAdapter } from './sqlite-connection.ts'

/** Most entries of a cache of small values. */
const SIZE = 10_000

/**
 * Caches results of database reads until the next commit. SQLite counts the commits of all processes, so a cached value is
 * exactly what a read would find. On PostgreSQL nothing is cached.
 */
export function createVersionedCache<Value>(
  db: Db,
  size = SIZE,
): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const { adapter } = db.getExecutor()
  const values = new Map<string, Value>()
  let version = 0

  return async (key, read) => {
    const connection = adapter instanceof DirectAdapter ? adapter.direct : undefined
    if (!connection) return read()
    const now = connection.dataVersion()
    if (now !== version || values.size >= size) values.clear()
    version = now
    const known = values.get(key)
    if (known !== undefined) return known
    const value = await read()
    // After a commit since the version was read, the value may be older or newer: it is not cached.
    if (connection.dataVersion() === now && version === now) values.set(key, value)
    return value
  }
}
