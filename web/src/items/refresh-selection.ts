import type { QueryClient } from '@tanstack/react-query'
import { refreshAll } from '../api/cache.ts'
import { select, selectedIds } from '../selection/selection.ts'

type Rows = readonly { id: string }[]

/** The ids of the items in the response of a list, of the trash, of a search, of the home page or of a tag's items. */
const idsIn = (data: unknown): string[] => {
  const {
    results = [],
    notes = [],
    urllinks = [],
  } = (data ?? {}) as Partial<Record<'results' | 'notes' | 'urllinks', Rows>>
  return [...results, ...notes, ...urllinks].map(({ id }) => id)
}

/**
 * Fetches again the pages from which items were selected, and keeps those in the selection that are still on them: an item
 * deleted elsewhere would make every change of the selection fail.
 */
export const refreshSelection = async (queryClient: QueryClient): Promise<void> => {
  const ids = selectedIds()
  const pages = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ state }) => idsIn(state.data).some((id) => ids.has(id)) })
  await refreshAll(queryClient)
  await Promise.all(pages.map((page) => page.fetch().catch(() => undefined)))
  const there = new Set(pages.flatMap(({ state }) => idsIn(state.data)))
  // Unless something else was selected meanwhile.
  if (selectedIds() === ids && [...ids].some((id) => !there.has(id)))
    select([...ids].filter((id) => there.has(id)))
}
