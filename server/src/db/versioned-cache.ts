import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import type { Db } from './schema.ts'
import { DirectAdapter } from './sqlite-connection.ts'

/** Most entries of a cache of small values. */
const SIZE = 10_000

/** Most reads of a key at a time on PostgreSQL. */
const READS = 2

/**
 * Caches results of database reads until the next commit. SQLite counts the commits of all processes, so a cached value is
 * exactly what a read would find. On PostgreSQL nothing is cached; those who ask while reads of the same key are under way share the
 * next one, which begins after they have asked.
 */
export function createVersionedCache<Value>(
  db: Db,
  size = SIZE,
): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const { adapter } = db.getExecutor()
  const values = new Map<string, Value>()
  const shared = createSharedReads<Value>()
  let version = 0

  return async (key, read) => {
    const connection = adapter instanceof DirectAdapter ? adapter.direct : undefined
    if (!connection) return shared(key, read)
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

function createSharedReads<Value>(): (key: string, read: () => Promise<Value>) => Promise<Value> {
  const limit = createConcurrencyLimit({ total: Number.POSITIVE_INFINITY, perOwner: READS })
  const next = new Map<string, Promise<Value>>()

  return (key, read) => {
    const joined = next.get(key)
    if (joined) return joined
    const release = limit.tryEnter(key)
    if (release) return read().finally(release)
    const reading = limit.enter(key).then((leave) => {
      next.delete(key)
      return read().finally(leave)
    })
    next.set(key, reading)
    return reading
  }
}
