import { type Import, type ImportedRow, imports } from '@kopilka/contract/imports.ts'
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query'
import { call } from './call.ts'

/** How often an import that is under way is asked about. */
export const POLL_MS = 1000

/** Whether the server is at work on it. */
const isUnderWay = ({ state }: Import): boolean => state === 'reading' || state === 'running'

/** The imports of the last 30 days, the newest first. */
export const importsQuery = queryOptions({
  meta: { failure: 'import.loadFailure' },
  queryKey: ['imports', 'list'],
  queryFn: ({ signal }) => call(imports.list, {}, { signal }),
})

/** One import, asked about again and again while it is under way. */
export const importQuery = (id: string) =>
  queryOptions({
    meta: { failure: 'import.loadFailure', missing: 'screen' },
    queryKey: ['imports', 'one', id],
    queryFn: ({ signal }) => call(imports.read, { params: { id } }, { signal }),
    refetchInterval: ({ state: { data } }) => (data === undefined || isUnderWay(data) ? POLL_MS : false),
    refetchIntervalInBackground: true,
  })

/** The entries of its file that have one state, or of which something is not imported, a page after the other. */
export const importRowsQuery = (id: string, which: ImportedRow['state'] | 'remarks') =>
  infiniteQueryOptions({
    meta: { failure: 'import.rows.loadFailure' },
    queryKey: ['imports', 'rows', id, which],
    queryFn: ({ signal, pageParam }) => {
      const wanted = which === 'remarks' ? { remarks: '1' as const } : { state: which }
      return call(imports.rows, { params: { id }, query: { ...wanted, page: String(pageParam) } }, { signal })
    },
    initialPageParam: 1,
    getNextPageParam: ({ count }, pages) =>
      pages.reduce((sum, { results }) => sum + results.length, 0) < count ? pages.length + 1 : undefined,
  })
