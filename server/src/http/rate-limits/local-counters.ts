import { RATE_LIMITS } from '@kopilka/contract/rate-limits.ts'
import type { Clock } from '../../clock.ts'
import type { Use } from '../limits.ts'
import { type Counts, endOf } from './shared-counters.ts'

/** A server tells the database of its requests each time they come to this share of the limit. */
const SHARE = 0.1
/** Subjects remembered before those whose time is over are dropped, and how many may be left after that. */
const SWEEP_AT = 10_000
const AT_MOST = 100_000

interface Entry {
  /** Requests to all servers, as far as this one knows. */
  known: number
  /** Those of this server that the database has not been told of. */
  untold: number
  ends_at: number
}

/**
 * Counts requests in memory and shares the counts in portions, so that a request costs no write. One server is exact;
 * of several each may let through up to a portion more than the limit.
 */
export function createTally(counts: Counts, clock: Clock) {
  const entries = new Map<string, Entry>()

  function entryOf(use: Use): Entry {
    const now = clock()
    const key = `${use.rate} ${use.who}`
    const entry = entries.get(key)
    if (entry && entry.ends_at > now) return entry
    if (entries.size >= SWEEP_AT) forget(now)
    const begun = { known: 0, untold: 0, ends_at: endOf(use, now) }
    entries.set(key, begun)
    return begun
  }

  function forget(now: number): void {
    for (const [key, { ends_at }] of entries) if (ends_at <= now) entries.delete(key)
    if (entries.size >= AT_MOST) entries.clear()
  }

  async function tell(use: Use, entry: Entry): Promise<void> {
    const { untold, ends_at } = entry
    entry.known += untold
    entry.untold = 0
    try {
      const shared = await counts.add(use, untold, ends_at)
      if (!shared) return
      entry.known = Math.max(entry.known, shared.count)
      entry.ends_at = shared.ends_at
    } catch {
      // The database is away: the request itself will say so, and this server's own count still stands.
    }
  }

  /** Counts a request; answers when the time is over in which there were too many, undefined where there were not. */
  return async (use: Use): Promise<number | undefined> => {
    const { times } = RATE_LIMITS[use.rate]
    const entry = entryOf(use)
    if (entry.known + entry.untold >= times) return entry.ends_at
    entry.untold += 1
    if (entry.untold >= times * SHARE) await tell(use, entry)
    return undefined
  }
}
