import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import type { Pool } from '../threads/pool.ts'
import type { TrashSearchRequest } from './search-trash.ts'

/** One at a time: a trash is searched rarely, and each search reads all of it. */
const SEARCHES = { total: 1, perOwner: 1, waiting: 20, timeout: 30_000 }

/** Resolves to the ids of what is found, the last deleted first; undefined where there is nothing to search for. */
export type TrashSearch = (owner_id: string, text: string | undefined) => Promise<string[] | undefined>

export function createTrashSearch(pool: Pool): TrashSearch {
  const searches = createConcurrencyLimit(SEARCHES)
  return async (owner_id, text) => {
    if (!text) return undefined
    const request: TrashSearchRequest = { owner_id, text }
    return searches.run(owner_id, () => pool.run<string[] | undefined>('searchTrash', request))
  }
}
