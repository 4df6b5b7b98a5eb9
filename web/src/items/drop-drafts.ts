import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '../api/queries.ts'

/** Drops the drafts of deleted items. The module of drafts loads for that: lists and items do without. */
export const dropDrafts = async (queryClient: QueryClient, ids: Iterable<string>): Promise<void> => {
  const user = queryClient.getQueryData(meQuery.queryKey)
  const drafts = await import('./draft.ts').catch(() => undefined)
  if (user && drafts) await drafts.dropDraftsOf(user.id, new Set(ids))
}
