import { type PageMetadata, pageMetadata } from '@kopilka/contract/metadata.ts'
import { AppError } from '../errors.ts'
import { createPool } from '../threads/pool.ts'
import type { FetchedPage } from './fetch-page.ts'
import type { PageTask } from './page-thread.ts'

/** Milliseconds of reading for one page: many times what two megabytes of an honest one take. */
const TIMEOUT = 5_000
/** Milliseconds of reading after which a page goes on only while no other waits: two hard ones must not hold up all others. */
const SHARE = 1_000
/** Megabytes of a thread: a page has two at most, and is there in a few copies. */
const POOL = { threads: 2, memory: { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 } }

/** Reads pages in threads: a page that holds one up holds up nothing else. */
export function createPageReader({ timeout = TIMEOUT, share = SHARE } = {}) {
  const pool = createPool(new URL('page-thread.ts', import.meta.url), POOL)
  const tick = Math.min(timeout, share)

  return {
    /**
     * Takes the page's bytes away. Throws 'fetchTooComplex' for a page that takes too much memory or too long, sooner
     * where others wait, 'fetchTooSlow' where the signal came first.
     */
    async read(page: FetchedPage, signal: AbortSignal): Promise<PageMetadata> {
      const begun = new Int32Array(new SharedArrayBuffer(4))
      const tooLong = new AbortController()
      let reading = 0
      // The start of a thread is no part of the time.
      const timer = setInterval(() => {
        if (Atomics.load(begun, 0) === 1) reading += tick
        if (reading > timeout || (reading > share && pool.waiting() > 0)) tooLong.abort()
      }, tick)
      try {
        const either = AbortSignal.any([signal, tooLong.signal])
        const task: PageTask = { page, begun }
        return pageMetadata.parse(
          await pool.run('readPage', task, { signal: either, transfer: [page.bytes.buffer] }),
        )
      } catch {
        throw new AppError(signal.aborted ? 'fetchTooSlow' : 'fetchTooComplex')
      } finally {
        clearInterval(timer)
      }
    },

    /** Pages under way and waiting are given up. */
    close: pool.close,
  }
}
