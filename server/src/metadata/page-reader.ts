import { type PageMetadata, pageMetadata } from '@kopilka/contract/metadata.ts'
import { AppError } from '../errors.ts'
import { createPool } from '../threads/pool.ts'
import type { FetchedPage } from './fetch-page.ts'
import type { PageTask } from './page-thread.ts'

/** Milliseconds of parsing for one page: many times what two megabytes of a usual one take. */
const TIMEOUT = 5_000
/**
 * Milliseconds of parsing after which a page continues only while no other waits: two slow ones must not delay all
 * others.
 */
const SHARE = 1_000
/** Threads and their heap in megabytes: a page has two at most, in a few copies. */
const POOL = { threads: 2, memory: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 } }

interface Reading {
  /** Owners alternate. */
  readonly owner_id: string
  readonly signal: AbortSignal
}

/** Parses pages in threads, so that a slow page blocks nothing else. */
export function createPageReader({ timeout = TIMEOUT, share = SHARE } = {}) {
  const pool = createPool(new URL('page-thread.ts', import.meta.url), POOL)
  const tick = Math.min(timeout, share)

  return {
    /**
     * Transfers the page's bytes to the thread. Throws 'fetchTooComplex' for a page that takes too much memory or time
     * (less time if others wait), 'fetchTooSlow' if the signal aborts first.
     */
    async read(page: FetchedPage, { owner_id, signal }: Reading): Promise<PageMetadata> {
      const begun = new Int32Array(new SharedArrayBuffer(4))
      const tooLong = new AbortController()
      let reading = 0
      // The time does not include the start of the thread.
      const timer = setInterval(() => {
        if (Atomics.load(begun, 0) === 1) reading += tick
        if (reading > timeout || (reading > share && pool.waiting() > 0)) tooLong.abort()
      }, tick)
      try {
        const either = AbortSignal.any([signal, tooLong.signal])
        const task: PageTask = { page, begun }
        return pageMetadata.parse(
          await pool.run('readPage', task, { owner_id, signal: either, transfer: [page.bytes.buffer] }),
        )
      } catch {
        throw new AppError(signal.aborted ? 'fetchTooSlow' : 'fetchTooComplex')
      } finally {
        clearInterval(timer)
      }
    },

    /** Aborts pages that are being parsed or waiting. */
    close: pool.close,
  }
}
