import type { RateLimitName } from '@kopilka/contract/rate-limits.ts'

/** One thing that counts towards a limit: which, and of whom (an owner's id, an address, an email's key). */
export interface Use {
  readonly rate: RateLimitName
  readonly who: string
}

/** Keeps to the limits of contract/rate-limits.ts. */
export interface Limits {
  /** Counts one request towards a general limit; throws 'rateLimited' where there were too many. Costs next to nothing. */
  request(use: Use): Promise<void>
  /** Counts each use, exactly and for all servers of the database; throws 'rateLimited', and counts none, where one is too many. */
  take(uses: readonly Use[]): Promise<void>
  /** Takes back what `take` counted. */
  giveBack(uses: readonly Use[]): Promise<void>
}
