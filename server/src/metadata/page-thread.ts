import { lowerPriority } from '../threads/lower-priority.ts'
import { threadTasks } from '../threads/pool.ts'
import type { FetchedPage } from './fetch-page.ts'
import { readPage } from './read-page.ts'

lowerPriority()

/** A page to read; the thread sets `begun[0]` to 1 when it begins. */
export interface PageTask {
  readonly page: FetchedPage
  readonly begun: Int32Array
}

export const run = threadTasks({
  readPage({ page, begun }: PageTask) {
    Atomics.store(begun, 0, 1)
    return readPage(page)
  },
})
