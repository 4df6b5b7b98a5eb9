import type { Sort } from '@kopilka/contract/items.ts'
import { links } from '@kopilka/contract/links.ts'
import type { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { site } from '@kopilka/contract/site.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call, callWithEtag } from './call.ts'
import { CallFailure } from './failure.ts'
import { isProfileStored, readProfile } from './profile.ts'

/** The part of a kind of item that queries need; items/item-kind.ts adds the rest. */
export interface QueriedKind {
  /** What the kind is called in the API, and first in its query keys. */
  readonly name: 'notes' | 'urllinks'
  /** What the API calls one of them. */
  readonly one: 'note' | 'urllink'
  readonly calls: typeof notes | typeof links
  /** Begins the ids of its messages: whole sentences, because Russian inflects. */
  readonly textPrefix: 'notes' | 'links'
  /** Whether its list and its form report failures in alerts (docs/specification.md, section 2) rather than in snackbars. */
  readonly alerts: boolean
}

type Exact = '1' | undefined

/** What selects a page of a list. */
export interface ListQuery {
  page?: number | undefined
  search?: string | undefined
  /** '1': searches for the literal text, without corrections. */
  exact?: Exact
  /** A tag's id: only its items. */
  tag?: string | undefined
  /** '1': only items without any tag. */
  untagged?: '1' | undefined
  /** Absent: the newest first, of a search the best. */
  sort?: Sort | undefined
}

/** The keys of everything that is cached. */
export const keys = {
  me: ['me'],
  site: ['site'],
  latest: ['latest'],
  search: (text: string, exact: Exact) => ['search', text, exact],
  lists: (kind: QueriedKind) => [kind.name, 'list'],
  list: (kind: QueriedKind, { page = 1, search = '', ...rest }: ListQuery) => [
    ...keys.lists(kind),
    { page, search, ...rest },
  ],
  item: (kind: QueriedKind, id: string) => [kind.name, 'item', id],
  similar: (kind: QueriedKind, id: string) => [kind.name, 'similar', id],
  tagLists: ['tags', 'list'],
  tagList: (search: string, limit: number | undefined) => [...keys.tagLists, search, limit],
  tag: (id: string) => ['tags', 'tag', id],
  tagItems: (id: string) => ['tags', 'items', id],
} as const

/** Whether a failure may be temporary. */
const mayPass = (failure: unknown): boolean =>
  failure instanceof CallFailure && (failure.status === 'no-response' || failure.status >= 500)

/** Tries a read once more: people wait for the response. */
export const retryOnce = (times: number, failure: unknown): boolean => times < 1 && mayPass(failure)

const PROFILE_RETRIES = 3

/**
 * The profile stays in the cache for good: only a 401 ends a session whose user is known. One that was stored is asked for
 * again and again.
 */
export const meQuery = queryOptions({
  queryKey: keys.me,
  queryFn: ({ signal }) => readProfile(signal),
  staleTime: () => (isProfileStored() ? 0 : Number.POSITIVE_INFINITY),
  refetchInterval: () => (isProfileStored() ? 30_000 : false),
  gcTime: Number.POSITIVE_INFINITY,
  retry: (times, failure) =>
    times < PROFILE_RETRIES && !(failure instanceof CallFailure && failure.status === 401),
  // Earlier than the server says a try would fail like the one before.
  retryDelay: (times, failure) =>
    1000 * Math.max(2 ** times, failure instanceof CallFailure ? failure.retryAfter || 0 : 0),
})

/** Settings of the server that public screens show. */
export const siteQuery = queryOptions({
  meta: { failure: 'screen' },
  queryKey: keys.site,
  queryFn: ({ signal }) => call(site.read, {}, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
})

export const latestQuery = queryOptions({
  queryKey: keys.latest,
  queryFn: ({ signal }) => call(latest, { query: { view: 'summary' } }, { signal }),
})

export const searchQuery = (text: string, exact?: Exact) =>
  queryOptions({
    meta: { failure: 'home.failure' },
    queryKey: keys.search(text, exact),
    queryFn: ({ signal }) => call(search, { query: { search: text, exact, view: 'summary' } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** One page of a list; the page before stays on the screen until it is there. */
export const listQuery = (kind: QueriedKind, query: ListQuery) =>
  queryOptions({
    meta: { failure: kind.alerts ? 'screen' : `${kind.textPrefix}.listFailure` },
    queryKey: keys.list(kind, query),
    queryFn: ({ signal }) => {
      const page = query.page === undefined ? undefined : String(query.page)
      return call(kind.calls.list, { query: { ...query, page, view: 'summary' } }, { signal })
    },
    placeholderData: keepPreviousData,
  })

/** One whole item with the ETag that its change has to name. That there is none (404) its screen says. */
export const itemQuery = (kind: QueriedKind, id: string) =>
  queryOptions({
    meta: { failure: `${kind.textPrefix}.loadFailure`, missing: 'screen' },
    queryKey: keys.item(kind, id),
    queryFn: ({ signal }) => callWithEtag(kind.calls.read, { params: { id } }, { signal }),
  })

/** The same for its form, always refetched: saving over an older version fails with 412. */
export const itemFormQuery = (kind: QueriedKind, id: string) => ({
  ...itemQuery(kind, id),
  ...(kind.alerts && { meta: { failure: 'screen' as const } }),
  staleTime: 0,
})

/** The items that are like one. A failure is not reported: the user did not ask for them. */
export const similarQuery = (kind: QueriedKind, id: string) =>
  queryOptions({
    meta: { failure: 'screen', missing: 'screen' },
    queryKey: keys.similar(kind, id),
    queryFn: ({ signal }) => call(kind.calls.similar, { params: { id } }, { signal }),
  })

/** Whether the page at an address is saved. A failure is not reported: the user did not ask for it. */
export const existingLinkQuery = (url: string) =>
  queryOptions({
    meta: { failure: 'screen' },
    queryKey: ['urllinks', 'kept', url],
    queryFn: ({ signal }) => call(links.check, { query: { url } }, { signal }),
    retry: false,
    // The link may have been deleted since: Enter would lead to it.
    gcTime: 0,
  })

/** Tags on the list of tags before more are asked for: thousands would make a page without end. */
export const TAG_ROWS = 60

/** The user's tags whose name contains the text, all of them or the first `limit`. */
export const tagListQuery = (text = '', limit?: number) =>
  queryOptions({
    meta: { failure: 'failure.tags' },
    queryKey: keys.tagList(text, limit),
    queryFn: ({ signal }) =>
      call(
        tags.list,
        { query: { search: text, limit: limit === undefined ? undefined : String(limit) } },
        { signal },
      ),
    placeholderData: keepPreviousData,
  })

/** The specification wants a snackbar of a tag that does not load, beside what its screens show. */
const tagFailure = { failure: 'tags.loadFailure' } as const

export const tagQuery = (id: string) =>
  queryOptions({
    meta: tagFailure,
    queryKey: keys.tag(id),
    queryFn: ({ signal }) => call(tags.read, { params: { id } }, { signal }),
  })

export const tagItemsQuery = (id: string) =>
  queryOptions({
    meta: tagFailure,
    queryKey: keys.tagItems(id),
    queryFn: ({ signal }) => call(tags.items, { params: { id }, query: { view: 'summary' } }, { signal }),
  })
