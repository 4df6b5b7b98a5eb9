import { accounts } from '@kopilka/contract/accounts.ts'
import type { ResponseOf, SummaryResponseOf } from '@kopilka/contract/endpoint.ts'
import type { links } from '@kopilka/contract/links.ts'
import type { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { site } from '@kopilka/contract/site.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { keepPreviousData, type QueryClient, queryOptions } from '@tanstack/react-query'
import { call, callWithEtag } from './call.ts'
import type { Answer } from './send.ts'

/** The five calls of notes or of links. */
export type ItemCalls = typeof notes | typeof links
/** What a kind of item is called in the API, and first in its query keys. */
export type ItemKindName = 'notes' | 'urllinks'

type Exact = '1' | undefined

export interface ListQuery {
  page?: number | undefined
  search?: string | undefined
  /** Search for what was typed and nothing else. */
  exact?: Exact
  /** A tag's id: only its items. */
  tag?: string | undefined
}

/** The screens that ask these tell of a failure themselves; see QueryMeta. */
const shownByScreen = { meta: { failure: 'screen' } } as const

export const itemQueries = {
  /** One page of a list; the page before stays on the screen until it is there. */
  list: <C extends ItemCalls>(calls: C, kind: ItemKindName, { page, search, exact, tag }: ListQuery) =>
    queryOptions({
      ...shownByScreen,
      queryKey: [kind, 'list', { page: page ?? 1, search: search ?? '', exact, tag: tag ?? '' }],
      queryFn: ({ signal }) =>
        call(
          calls.list,
          {
            query: {
              page: page === undefined ? undefined : String(page),
              search,
              exact,
              tag,
              view: 'summary',
            },
          },
          { signal },
          // Which of the two kinds it is the compiler loses inside a generic function.
        ) as Promise<SummaryResponseOf<C['list']>>,
      placeholderData: keepPreviousData,
    }),
  /** One whole item with the ETag its change has to name. */
  one: <C extends ItemCalls>(calls: C, kind: ItemKindName, id: string) =>
    queryOptions({
      ...shownByScreen,
      queryKey: [kind, 'one', id],
      queryFn: ({ signal }) =>
        callWithEtag(calls.read, { params: { id } }, { signal }) as Promise<Answer<ResponseOf<C['read']>>>,
    }),
  /** The same as it is now and no later, for its form: an older copy would be refused when saved. */
  forEdit: <C extends ItemCalls>(calls: C, kind: ItemKindName, id: string) =>
    queryOptions({
      ...itemQueries.one(calls, kind, id),
      queryKey: [kind, 'edit', id],
      gcTime: 0,
      staleTime: Number.POSITIVE_INFINITY,
    }),
}

export const meQuery = queryOptions({
  queryKey: ['me'],
  queryFn: ({ signal }) => call(accounts.me, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

/** Settings of the server that public screens show. */
export const siteQuery = queryOptions({
  ...shownByScreen,
  queryKey: ['site'],
  queryFn: ({ signal }) => call(site.read, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const latestQuery = queryOptions({
  queryKey: ['latest'],
  queryFn: ({ signal }) => call(latest, { query: { view: 'summary' } }, { signal }),
})

export const searchQuery = (text: string, exact?: Exact) =>
  queryOptions({
    meta: { failure: 'home.failure' },
    queryKey: ['search', text, exact],
    queryFn: ({ signal }) => call(search, { query: { search: text, exact, view: 'summary' } }, { signal }),
    placeholderData: keepPreviousData,
  })

export const tagQueries = {
  /** All tags, or those whose name contains the text. */
  list: (text = '') =>
    queryOptions({
      meta: { failure: 'failure.tags' },
      queryKey: ['tags', 'list', text],
      queryFn: ({ signal }) => call(tags.list, { query: { search: text } }, { signal }),
      placeholderData: keepPreviousData,
    }),
  one: (id: string) =>
    queryOptions({
      ...shownByScreen,
      queryKey: ['tags', 'one', id],
      queryFn: ({ signal }) => call(tags.read, { params: { id } }, { signal }),
    }),
  items: (id: string) =>
    queryOptions({
      ...shownByScreen,
      queryKey: ['tags', 'items', id],
      queryFn: ({ signal }) => call(tags.items, { params: { id }, query: { view: 'summary' } }, { signal }),
    }),
}

/** After an item or a tag was added or changed: everything but the user may show it, so everything is asked again. */
export const afterChange = (queryClient: QueryClient): Promise<void> =>
  queryClient.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== 'me' })

/** Lists of a kind are loaded anew: otherwise they show for a moment what was before the change. */
export const forgetLists = (queryClient: QueryClient, kind: ItemKindName): void =>
  queryClient.removeQueries({ queryKey: [kind, 'list'] })

/** The lists at hand show at once that an item is deleted. */
export const takeFromLists = (queryClient: QueryClient, kind: ItemKindName, id: string): void => {
  queryClient.setQueriesData<{ results: { id: string }[]; count: number }>(
    { queryKey: [kind, 'list'] },
    (list) => {
      const results = list?.results.filter((item) => item.id !== id)
      return list && results && { ...list, results, count: list.count - list.results.length + results.length }
    },
  )
}

/** An item is loaded anew: otherwise its screen shows for a moment what it was before. */
export const forgetItem = (queryClient: QueryClient, kind: ItemKindName, id: string): void =>
  queryClient.removeQueries({ queryKey: [kind, 'one', id] })

/** After an item was deleted; call it once its page is left, which would ask for the item again. */
export const afterItemRemoval = (queryClient: QueryClient, kind: ItemKindName, id: string): Promise<void> => {
  forgetItem(queryClient, kind, id)
  return afterChange(queryClient)
}

/** Lists of tags are loaded anew: otherwise they show for a moment what was just deleted. */
export const forgetTagLists = (queryClient: QueryClient): void =>
  queryClient.removeQueries({ queryKey: ['tags', 'list'] })

/** After a tag was deleted; call it once its page is left, which would ask for the tag again. */
export const afterTagRemoval = (queryClient: QueryClient, id: string): Promise<void> => {
  for (const part of ['one', 'items']) queryClient.removeQueries({ queryKey: ['tags', part, id] })
  return afterChange(queryClient)
}
