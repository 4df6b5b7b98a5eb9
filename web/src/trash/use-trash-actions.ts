import { trash } from '@kopilka/contract/trash.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { refreshAll } from '../api/cache.ts'
import { call, callWithEtag } from '../api/call.ts'
import { t } from '../messages/lazy-messages.ts'
import { select } from '../selection/selection.ts'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'

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
  })
  const removing = useMutation({
    meta: { failure: 'trash.removeFailure' },
    // One after the other: a server that is asked for a thousand at once has no time for others.
    mutationFn: async (ids: readonly string[] | 'all') => {
      if (ids === 'all') await call(trash.clear, {})
      else for (const id of ids) await call(trash.remove, { params: { id } })
    },
    onSuccess: (_nothing, ids) => {
      showMessage(ids === 'all' ? t('trash.emptied') : t('trash.removed', { count: ids.length }), 'success')
    },
    onSettled: async () => {
      await refreshAll(queryClient)
      select([])
    },
  })
  return {
    busy: restoring.isPending || removing.isPending,
    restore: (ids: string[]) => restoring.mutate({ ids }),
    /** All that the search finds, or everything. */
    restoreAll: (search: string) => restoring.mutate({ filter: search === '' ? {} : { search } }),
    removeForEver: (ids: readonly string[], onSettled = () => {}) => removing.mutate(ids, { onSettled }),
    clear: (onSettled: () => void) => removing.mutate('all', { onSettled }),
  }
}
