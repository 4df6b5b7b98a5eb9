import type { FastifyReply } from 'fastify'
import type { Config } from '../config.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import { afterIterations } from '../threads/yield-to-event-loop.ts'

/** Requests of one source that are under way before its further ones wait. */
const UNDER_WAY = 4

/** Milliseconds after which a request counts no more as under way: it waits for something other than the event loop. */
const LONGEST = 25

/** Lets requests begin that their rate limits have let through, which bound how many wait. */
export interface Admission {
  /** Resolves when a request of `source`, an owner or a network, may begin; never once its connection is closed. */
  begin(source: string, reply: FastifyReply): Promise<void>
}

/**
 * Lets a few requests of a source begin at a time, and its next ones some iterations of the event loop later: a burst of short requests
 * would otherwise keep the event loop, and the connections of PostgreSQL, from everybody else. With RATE_LIMIT=off all begin at once.
 */
export function createAdmission({ RATE_LIMIT }: Pick<Config, 'RATE_LIMIT'>): Admission {
  if (RATE_LIMIT === 'off') return { begin: async () => {} }
  const limit = createConcurrencyLimit({ total: Number.POSITIVE_INFINITY, perOwner: UNDER_WAY })

  return {
    async begin(source, { raw }) {
      const release = limit.tryEnter(source) ?? (await limit.enter(source))
      if (raw.req.socket.destroyed) {
        release()
        return new Promise(() => {})
      }
      const end = () => {
        clearTimeout(timer)
        raw.off('close', end)
        // A short request may end in the iteration in which it began: the next of its burst is not to begin in the same one.
        if (limit.waitingOf(source) > 0) afterIterations(release)
        else setImmediate(release)
      }
      const timer = setTimeout(end, LONGEST)
      raw.once('close', end)
    },
  }
}
