import { trash } from '@kopilka/contract/trash.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refreshAll } from '../api/cache.ts'
import { call, callWithEtag } from '../api/call.ts'
import { isMissing } from '../api/failure.ts'
import { forEachExisting } from '../api/for-each-existing.ts'
import { t } from '../messages/lazy-messages.ts'
import { select } from '../selection/selection.ts'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'

/** All that a search finds in the trash, everything where it is empty. */
interface AllFound {
  search: string
  count: number
}

export type TrashActions = ReturnType<typeof useTrashActions>

/** What one can do to what is in the trash. Restoring can be undone; what is deleted for ever is not brought back by anything. */
export const useTrashActions = () => {
  const queryClient = useQueryClient()
  const restoring = useMutation({
    meta: { failure: 'trash.restoreFailure' },
    mutationFn: (what: { ids: string[] } | { filter: { search?: string } }) =>
      callWithEtag(trash.restore, { body: what }),
    onSuccess: async ({ value, operation }) => {
      await refreshAll(queryClient)
      select([])
      const text = t('trash.restored', { count: value.restored })
      showMessage(text, 'success', undoable(queryClient, operation))
    },
    onError: async (failure) => {
      // One of the selected is not there any more: nothing was restored.
      if (!isMissing(failure)) return
      const module = await import('../items/refresh-selection.ts').catch(() => undefined)
      await module?.refreshSelection(queryClient)
    },
  })
  const removing = useMutation({
    meta: { failure: 'trash.removeFailure' },
    // One after the other: a server that is asked for a thousand at once has no time for others.
    mutationFn: async (what: readonly string[] | AllFound) => {
      if (!('search' in what)) return forEachExisting(what, (id) => call(trash.remove, { params: { id } }))
      if (what.search === '') await call(trash.clear, {})
      else await call(trash.removeFound, { body: { filter: { search: what.search } } })
      return what.count
    },
    onSuccess: (count, what) => {
      const isAll = 'search' in what && what.search === ''
      showMessage(isAll ? t('trash.emptied') : t('trash.removed', { count }), 'success')
    },
    onSettled: async () => {
      void import('../items/drop-drafts.ts').then(
        ({ dropDrafts }) => dropDrafts(queryClient),
        // The next form that opens drops them.
        () => undefined,
      )
      await refreshAll(queryClient)
      select([])
    },
  })
  return {
    busy: restoring.isPending || removing.isPending,
    restore: (ids: string[]) => restoring.mutate({ ids }),
    /** All that the search finds, or everything. */
    restoreAll: (search: string) => restoring.mutate({ filter: search === '' ? {} : { search } }),
    removeForEver: (what: readonly string[] | AllFound, onSettled = () => {}) =>
      removing.mutate(what, { onSettled }),
  }
}
