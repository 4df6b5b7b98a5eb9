import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Reindex } from './reindex.ts'

/** Milliseconds before the index is looked at again: while another server is at it, which may die, or the database is away. */
const LOOK_EVERY = 30_000

interface Parts {
  reindex: Reindex
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/** Brings the index to this program's analyser beside the server's work, if it is of another. */
export function createReindexing({ reindex, log }: Parts) {
  const ending = new AbortController()
  const { signal } = ending
  let working: Promise<void> | undefined

  async function isThere(): Promise<boolean> {
    try {
      if (!(await reindex.isDue())) return true
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
    while (!signal.aborted && !(await isThere())) {
      await sleep(LOOK_EVERY, undefined, { signal }).catch(() => {})
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
