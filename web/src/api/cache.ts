import type { Link } from '@kopilka/contract/links.ts'
import type { Note } from '@kopilka/contract/notes.ts'
import type { Tag } from '@kopilka/contract/tags.ts'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import { itemQuery, keys, type QueriedKind, tagQuery } from './queries.ts'
import type { Versioned } from './send.ts'

/**
 * Marks everything as out of date that a change of items or tags may show in, but for what the response has told.
 * Nothing is asked for before a screen shows it: call this before leaving the form.
 */
const invalidateAllBut = (
  queryClient: QueryClient,
  told?: QueryKey,
  refetchType: 'none' | 'active' = 'none',
): Promise<void> => {
  const untouched = [keys.me, keys.site, ...(told ? [told] : [])].map((key) => JSON.stringify(key))
  return queryClient.invalidateQueries({
    predicate: ({ queryKey }) => !untouched.includes(JSON.stringify(queryKey)),
    refetchType,
  })
}

/** Asks anew for what the screen shows, after a change of many items or tags; resolves once it is there. */
export const refreshAll = (queryClient: QueryClient): Promise<void> =>
  invalidateAllBut(queryClient, undefined, 'active')

/** Lists of the kind are loaded anew: otherwise they show for a moment what was before the change. */
const removeLists = (queryClient: QueryClient, kind: QueriedKind): void =>
  queryClient.removeQueries({ queryKey: keys.lists(kind) })

/** Caches what the server answered to the creation of an item. */
export const cacheCreated = (
  queryClient: QueryClient,
  kind: QueriedKind,
  saved: Versioned<Note | Link>,
): void => {
  removeLists(queryClient, kind)
  cacheUpdated(queryClient, kind, saved)
}

/** Caches what the server answered to the change of an item. */
export const cacheUpdated = (
  queryClient: QueryClient,
  kind: QueriedKind,
  saved: Versioned<Note | Link>,
): void => {
  const { queryKey } = itemQuery(kind, saved.value.id)
  queryClient.setQueryData(queryKey, saved)
  void invalidateAllBut(queryClient, queryKey)
}

/** Takes a deleted item out of the lists at hand. The item itself: {@link forgetRemoved}. */
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

/** Forgets a deleted item or tag; call it once its screen is left, which would ask for it again. */
export const forgetRemoved = (queryClient: QueryClient, ...removed: QueryKey[]): void => {
  for (const queryKey of removed) queryClient.removeQueries({ queryKey })
}

/** Caches what the server answered to the change of a tag: items carry its name as well. */
export const cacheTag = (queryClient: QueryClient, tag: Tag): void => {
  const { queryKey } = tagQuery(tag.id)
  queryClient.setQueryData(queryKey, tag)
  void invalidateAllBut(queryClient, queryKey)
}

/** Lists of tags are loaded anew without a deleted one, and all else when it shows. */
export const cacheTagRemoved = (queryClient: QueryClient, id: string): void => {
  queryClient.removeQueries({ queryKey: keys.tagLists })
  void invalidateAllBut(queryClient, keys.tag(id))
}
