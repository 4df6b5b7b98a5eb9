import { links } from '@kopilka/contract/links.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { type TrashedItem, trash } from '@kopilka/contract/trash.ts'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'
import type { QueriedKind } from './queries.ts'

/* Queries of what was deleted and changed. */

interface TrashQuery {
  page?: number | undefined
  search?: string | undefined
}

const pageOf = (page: number | undefined) => (page === undefined ? undefined : String(page))

/** One page of what is in the trash, the last deleted first. */
export const trashQuery = ({ page, search }: TrashQuery) =>
  queryOptions({
    meta: { failure: 'trash.loadFailure' },
    queryKey: ['trash', { page: page ?? 1, search: search ?? '' }],
    queryFn: ({ signal }) => call(trash.list, { query: { page: pageOf(page), search } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** One of them, whole. */
export const trashedQuery = ({ kind, id }: Pick<TrashedItem, 'kind' | 'id'>) =>
  queryOptions({
    meta: { failure: kind === 'note' ? 'notes.loadFailure' : 'links.loadFailure' },
    queryKey: ['trash', 'item', id],
    queryFn: ({ signal }) => call(trash.read, { params: { id } }, { signal }),
  })

/** One page of the operations of the last 30 days, the last one first. */
export const operationsQuery = ({ page }: { page?: number | undefined }) =>
  queryOptions({
    meta: { failure: 'operations.loadFailure' },
    queryKey: ['operations', page ?? 1],
    queryFn: ({ signal }) => call(operations.list, { query: { page: pageOf(page) } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** One page of the pages that are kept twice or more, the last kept first. */
export const duplicatesQuery = ({ page }: { page?: number | undefined }) =>
  queryOptions({
    meta: { failure: 'duplicates.loadFailure' },
    queryKey: ['urllinks', 'duplicates', page ?? 1],
    queryFn: ({ signal }) => call(links.duplicates, { query: { page: pageOf(page) } }, { signal }),
    placeholderData: keepPreviousData,
  })

/** The earlier versions of an item, the newest first. */
export const versionsQuery = (kind: QueriedKind, id: string) =>
  queryOptions({
    meta: { failure: 'versions.loadFailure' },
    queryKey: [kind.name, 'versions', id],
    queryFn: ({ signal }) => call(kind.calls.versions, { params: { id } }, { signal }),
  })

/** One of them, whole. */
export const versionQuery = (kind: QueriedKind, id: string, revision: string) =>
  queryOptions({
    meta: { failure: 'versions.loadFailure' },
    queryKey: [kind.name, 'version', id, revision],
    queryFn: ({ signal }) => call(kind.calls.version, { params: { id, revision } }, { signal }),
  })
