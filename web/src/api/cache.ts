import type { Link } from '@kopilka/contract/links.ts'
import type { Note } from '@kopilka/contract/notes.ts'
import type { Tag } from '@kopilka/contract/tags.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { itemQuery, keys, type QueriedKind, tagQuery } from './queries.ts'
import type { Versioned } from './send.ts'

/**
 * Invalidates every query that a change of items or tags may affect, except the one the response has filled.
 * Queries refetch once a screen shows them: call this before leaving the form.
 */
const invalidateAllBut = (
  queryClient: QueryClient,
  filled?: QueryKey,
  refetchType: 'none' | 'active' = 'none',
): Promise<void> => {
  const untouched = [keys.me, keys.site, ...(filled ? [filled] : [])].map((key) => JSON.stringify(key))
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => !untouched.includes(JSON.stringify(queryKey)),
    refetchType,
  })
}

/** Refetches what the screen shows, after a change of many items or tags; resolves once it is there. */
export const refreshAll = (queryClient: QueryClient): Promise<void> =>
  invalidateAllBut(queryClient, undefined, 'active')

/** Removes the lists of the kind: stale, they would show the state before the change for a moment. */
const removeLists = (queryClient: QueryClient, kind: QueriedKind): void =>
  queryClient.removeQueries({ queryKey: keys.lists(kind) })

/** Caches the response to the creation of an item. */
export const cacheCreated = (
  queryClient: QueryClient,
  kind: QueriedKind,
  saved: Versioned<Note | Link>,
): void => {
  removeLists(queryClient, kind)
  cacheUpdated(queryClient, kind, saved)
}

/** Caches the response to the change of an item. */
export const cacheUpdated = (
  queryClient: QueryClient,
  kind: QueriedKind,
  saved: Versioned<Note | Link>,
): void => {
  const { queryKey } = itemQuery(kind, saved.value.id)
  queryClient.setQueryData(queryKey, saved)
  void invalidateAllBut(queryClient, queryKey)
}

/** Removes a deleted item from the cached lists. The item itself: {@link forgetRemoved}. */
export const cacheRemoved = (queryClient: QueryClient, kind: QueriedKind, id: string): void => {
  queryClient.setQueriesData<{ results: { id: string }[]; count: number }>(
    { queryKey: keys.lists(kind) },
    (list) => {
      const results = list?.results.filter((item) => item.id !== id)
      return list && results && { ...list, results, count: list.count - list.results.length + results.length }
    },
  )
  void invalidateAllBut(queryClient, keys.item(kind, id))
}

/** Removes a deleted item or tag from the cache; call it once its screen is left, which would refetch it. */
export const forgetRemoved = (queryClient: QueryClient, ...removed: QueryKey[]): void => {
  for (const queryKey of removed) queryClient.removeQueries({ queryKey })
}

/** Caches the response to the change of a tag, and invalidates the items that carry its name. */
export const cacheTag = (queryClient: QueryClient, tag: Tag): void => {
  const { queryKey } = tagQuery(tag.id)
  queryClient.setQueryData(queryKey, tag)
  void invalidateAllBut(queryClient, queryKey)
}

/** Removes the cached lists of tags and invalidates the rest, after a tag was deleted. */
export const cacheTagRemoved = (queryClient: QueryClient, id: string): void => {
  queryClient.removeQueries({ queryKey: keys.tagLists })
  void invalidateAllBut(queryClient, keys.tag(id))
}
