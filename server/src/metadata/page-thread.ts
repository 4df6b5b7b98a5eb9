import { constants, platform, setPriority } from 'node:os'
import { threadTasks } from '../threads/pool.ts'
import type { FetchedPage } from './fetch-page.ts'
import { readPage } from './read-page.ts'

// Lowers the priority of this thread. Only Linux has priorities of threads; elsewhere it would apply to the whole process.
if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

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
