import { RATE_LIMITS } from '@kopilka/contract/rate-limits.ts'
import type { Clock } from '../../clock.ts'
import type { Config } from '../../config.ts'
import type { Db } from '../../db/schema.ts'
import { AppError } from '../../errors.ts'
import type { Limits, Use } from '../limits.ts'
import { createTally } from './local-counters.ts'
import { createCounts, endOf } from './shared-counters.ts'

/** How often counts that are over are dropped from the database, in milliseconds. */
const SWEEP_EVERY = 10 * 60_000

const NO_LIMITS: Limits = {
  request: async () => {},
  take: async () => {},
  giveBack: async () => {},
}

/** The limits, or none where the settings say so. */
export function createLimits(db: Db, clock: Clock, { RATE_LIMIT }: Pick<Config, 'RATE_LIMIT'>): Limits {
  if (RATE_LIMIT === 'off') return NO_LIMITS
  const counts = createCounts(db, clock)
  const tally = createTally(counts, clock)
  let nextSweep = 0

  const refusal = (ends_at: number): AppError =>
    new AppError('rateLimited', {}, Math.max(1, Math.ceil((ends_at - clock()) / 1000)))

  async function sweep(): Promise<void> {
    const now = clock()
    if (now < nextSweep) return
    nextSweep = now + SWEEP_EVERY
    await counts.sweep()
  }

  // One statement a use, never two rows in a transaction: nobody waits for somebody who waits for him.
  async function giveBack(uses: readonly Use[]): Promise<void> {
    for (const use of uses) await counts.takeOne(use)
  }

  return {
    async request(use) {
      const ends_at = await tally(use)
      if (ends_at !== undefined) throw refusal(ends_at)
    },

    async take(uses) {
      await sweep()
      for (const [index, use] of uses.entries()) {
        const until = endOf(use, clock())
        if (await counts.add(use, 1, until, RATE_LIMITS[use.rate].times)) continue
        await giveBack(uses.slice(0, index))
        throw refusal((await counts.find(use))?.ends_at ?? until)
      }
    },

    giveBack,
  }
}
