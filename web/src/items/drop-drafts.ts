import type { QueryClient } from '@tanstack/react-query'
import { meQuery } from '../api/queries.ts'
import { otherDraftPlaces } from './draft.ts'
import { dropOrphanedDrafts } from './orphaned-drafts.ts'

/** Drops the drafts of items that are gone for ever. Lists and items do without this module: it loads those of drafts. */
export const dropDrafts = async (queryClient: QueryClient): Promise<void> => {
  const user = queryClient.getQueryData(meQuery.queryKey)
  if (user) await dropOrphanedDrafts(await otherDraftPlaces(user.id))
}
