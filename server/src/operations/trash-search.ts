import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import type { Pool } from '../threads/pool.ts'
import type { TrashSearchRequest } from './search-trash.ts'

/** A trash is searched rarely, and each search reads all of it. */
const SEARCHES = { total: 2, perOwner: 1, waiting: 20, timeout: 30_000 }

/** Resolves to the ids of what is found, the last deleted first; undefined where there is nothing to search for. */
export type TrashSearch = (
  owner_id: string,
  text: string | undefined,
  signal: AbortSignal,
) => Promise<string[] | undefined>

export function createTrashSearch(pool: Pool): TrashSearch {
  const searches = createConcurrencyLimit(SEARCHES)
  return async (owner_id, text, signal) => {
    if (!text) return undefined
    const request: TrashSearchRequest = { owner_id, text }
    const task = () => pool.run<string[] | undefined>('searchTrash', request, { owner_id, signal })
    return searches.run(owner_id, task, signal)
  }
}
