import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Reindex } from './reindex.ts'

/**
 * Milliseconds before the index is looked at again: another server or a command that is at it may die, the database may
 * be away.
 */
const LOOK_EVERY = 30_000

interface Parts {
  reindex: Reindex
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  lookEvery?: number
}

/** Brings the index to this program's analyser beside the server's work, if it is of another. */
export function createReindexing({ reindex, log, lookEvery = LOOK_EVERY }: Parts) {
  const ending = new AbortController()
  const { signal } = ending
  let working: Promise<void> | undefined

  /** Whether nothing is left to do. */
  async function isThere(isDue: () => Promise<boolean>): Promise<boolean> {
    try {
      if (!(await isDue())) return true
      let items = 0
      const outcome = await reindex.run({
        signal,
        onProgress: (done) => {
          items = done
        },
      })
      if (outcome === 'done' && items > 0) log.info({ items }, 'items indexed anew')
      return outcome === 'done'
    } catch (error) {
      log.warn({ because: error instanceof Error ? error.name : 'unknown' }, 'indexing waits')
      return false
    }
  }

  async function work(): Promise<void> {
    let isDue = reindex.isDue
    while (!signal.aborted) {
      // From then on the other programs' versions are theirs: two would do it anew in turns for ever.
      if (await isThere(isDue)) isDue = reindex.isUnfinished
      await sleep(lookEvery, undefined, { signal }).catch(() => {})
    }
  }

  return {
    start(): void {
      working = work()
    },

    /** Ends with the batch under way; whoever starts next begins anew. */
    async close(): Promise<void> {
      ending.abort()
      await working
    },
  }
}
