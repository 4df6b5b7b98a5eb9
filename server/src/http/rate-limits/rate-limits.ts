import { RATE_LIMITS } from '@kopilka/contract/rate-limits.ts'
import { type Clock, isOver } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Database } from '../../db/open.ts'
import { AppError } from '../../errors.ts'
import {
  type CounterKey,
  countOnce,
  deleteOver,
  findWindow,
  lengthOf,
  limitExceeded,
  shareCount,
  type Window,
} from './counters.ts'

/** Milliseconds between deletions of expired windows from the database. */
const DELETE_EVERY = 10 * 60_000

/** A server shares its count each time it reaches this part of the limit. */
const PORTION = 0.1

/** The longest window of the limits that are counted in memory, in milliseconds. */
const GENERATION = Math.max(...(['signedIn', 'copies', 'signedOut'] as const).map(lengthOf))

/** Most windows in memory, in each of two generations. */
const AT_MOST = 100_000

/**
 * Enforces the limits of contract/src/rate-limits.ts. All methods throw 'rateLimited' with the seconds until a retry makes
 * sense.
 */
export interface RateLimits {
  /** Counts a request towards a general limit, in memory; `times`: how often it counts. */
  request(counter: CounterKey, times?: number): Promise<void>
  /** Counts what a request that was let through has cost besides. Throws nothing: the next request is refused. */
  add(counter: CounterKey, times: number): Promise<void>
  /** Adds one to each counter, exactly and for all servers of the database. Counts nothing if one is at its limit. */
  take(counters: readonly CounterKey[]): Promise<void>
  /**
   * Runs `work` and counts only failures, that is AppErrors. No more run concurrently than the limits have left. `work`
   * gets the counters to check (`checkCounters`) in the transaction in which it succeeds.
   */
  attempt<T>(
    counters: readonly CounterKey[],
    work: (counters: readonly CounterKey[]) => Promise<T>,
  ): Promise<T>
}

const NO_LIMITS: RateLimits = {
  request: async () => {},
  add: async () => {},
  take: async () => {},
  attempt: (_, work) => work([]),
}

/** Creates the limits; with RATE_LIMIT=off nothing is limited. */
export function createRateLimits(
  db: Database,
  clock: Clock,
  { RATE_LIMIT }: Pick<Config, 'RATE_LIMIT'>,
): RateLimits {
  if (RATE_LIMIT === 'off') return NO_LIMITS
  const running = new Map<string, number>()
  let nextDeletion = 0

  const nameOf = ({ limit, key }: CounterKey): string => `${limit} ${key}`

  async function take(counters: readonly CounterKey[]): Promise<void> {
    const now = clock()
    if (isOver(nextDeletion, now, DELETE_EVERY)) {
      nextDeletion = now + DELETE_EVERY
      await db.write(deleteOver, { now })
    }
    await db.write(countOnce, { counters, now })
  }

  return {
    ...createRequestCounter(db, clock),
    take,

    async attempt(counters, work) {
      const now = clock()
      const check = (windows: readonly (Window | undefined)[]) => {
        for (const [at, counter] of counters.entries()) {
          const { count, ends_at } = windows[at] ?? { count: 0, ends_at: now + lengthOf(counter.limit) }
          const underWay = running.get(nameOf(counter)) ?? 0
          if (count + underWay >= RATE_LIMITS[counter.limit].times) throw limitExceeded({ ends_at }, now)
        }
      }
      // Those under way suffice to refuse most attempts of a burst without a look into the database.
      check([])
      const windows = await Promise.all(counters.map((counter) => findWindow(db, counter, now)))
      // No await from here until all are reserved, so that concurrent attempts see each other.
      check(windows)
      const change = (by: number) => {
        for (const name of counters.map(nameOf)) {
          const left = (running.get(name) ?? 0) + by
          if (left > 0) running.set(name, left)
          else running.delete(name)
        }
      }
      change(1)
      try {
        return await work(counters)
      } catch (error) {
        if (error instanceof AppError && error.code !== 'rateLimited') await take(counters)
        throw error
      } finally {
        change(-1)
      }
    },
  }
}

interface LocalWindow {
  /** Requests to all servers, as of the last share. */
  shared: number
  /** Requests to this server since the last share. */
  unshared: number
  ends_at: number
}

/**
 * Counts requests in memory and shares the counts in portions, so that most requests cost no write. A single server is
 * exact; each of several may exceed the limit by up to a portion.
 */
function createRequestCounter(db: Database, clock: Clock): Pick<RateLimits, 'request' | 'add'> {
  const windows = createWindows()

  async function share(counter: CounterKey, window: LocalWindow, now: number): Promise<void> {
    const { unshared: more, ends_at } = window
    window.shared += more
    window.unshared = 0
    try {
      const all = await db.write(shareCount, { counter, more, ends_at, now })
      if (!all) return
      window.shared = Math.max(window.shared, all.count)
      window.ends_at = all.ends_at
    } catch {
      // The database is unavailable: the request itself will fail with that, and this server's own count remains.
    }
  }

  /** Waits for the database only where the next portion may reach the limit: on SQLite others may be writing. */
  async function count(counter: CounterKey, window: LocalWindow, times: number, now: number): Promise<void> {
    const most = RATE_LIMITS[counter.limit].times
    const portion = most * PORTION
    window.unshared += times
    if (window.unshared < portion) return
    const isNear = window.shared + window.unshared + portion >= most
    const shared = share(counter, window, now)
    if (isNear) await shared
  }

  return {
    async request(counter, times = 1) {
      const now = clock()
      const window = windows.find(counter, now)
      if (window.shared + window.unshared >= RATE_LIMITS[counter.limit].times)
        throw limitExceeded(window, now)
      await count(counter, window, times, now)
    },

    async add(counter, times) {
      const now = clock()
      if (times > 0) await count(counter, windows.find(counter, now), times, now)
    },
  }
}

/**
 * Windows by counter, in two generations. A window that is unused for a whole generation has expired and is dropped with
 * it, so that no request scans all windows.
 */
export function createWindows(atMost = AT_MOST) {
  let [young, old] = [new Map<string, LocalWindow>(), new Map<string, LocalWindow>()]
  let generationEnds = 0

  return {
    /** The current window of a counter, or a new one. */
    find(counter: CounterKey, now: number): LocalWindow {
      if (isOver(generationEnds, now, GENERATION) || young.size >= atMost) {
        ;[young, old] = [new Map(), young]
        generationEnds = now + GENERATION
      }
      const name = `${counter.limit} ${counter.key}`
      const known = young.get(name) ?? old.get(name)
      const length = lengthOf(counter.limit)
      const window =
        known && !isOver(known.ends_at, now, length)
          ? known
          : { shared: 0, unshared: 0, ends_at: now + length }
      young.set(name, window)
      return window
    },
  }
}
