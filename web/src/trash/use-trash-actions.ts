import { trash } from '@kopilka/contract/trash.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { refreshAll } from '../api/cache.ts'
import { call, callWithEtag } from '../api/call.ts'
import { isMissing } from '../api/failure.ts'
import { forEachExisting } from '../api/for-each-existing.ts'
import type { ProgressSource } from '../api/progress.ts'
import { t } from '../messages/lazy-messages.ts'
import { beginChange } from '../selection/selection.ts'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'

/** How many a list of the trash counts, and the state of the trash that it counted. */
export interface Counted {
  count: number
  as_of: string
}

/** All that a search found in the trash, everything where it is empty. */
export interface AllFound extends Counted {
  search: string
}

const restoringProgress: ProgressSource = async () => (await import('../api/progress.ts')).operationProgress()

/** How many items the trash has. */
const countTrashed = async (): Promise<number> => (await call(trash.list, { query: {} })).count

/** How far the deletion of `total` items has come, by what the trash has before it and now: it is no operation. */
const clearingProgress = (total: number): ProgressSource => {
  const before = countTrashed()
  // Awaited only once it is asked for.
  before.catch(() => {})
  return async () => {
    const done = (await before) - (await countTrashed())
    // Another page may delete or restore items meanwhile.
    return { done: Math.min(total, Math.max(0, done)), total }
  }
}

export type TrashActions = ReturnType<typeof useTrashActions>

/** What one can do to what is in the trash. Restoring can be undone; what is deleted for ever is not brought back by anything. */
export const useTrashActions = () => {
  const queryClient = useQueryClient()
  const source = useRef<ProgressSource>(restoringProgress)
  const restoring = useMutation({
    meta: { failure: 'trash.restoreFailure' },
    mutationFn: (what: { ids: string[] } | { filter: { search?: string } }) => {
      source.current = restoringProgress
      return callWithEtag(trash.restore, { body: what })
    },
    onMutate: (what) => beginChange('ids' in what ? what.ids : undefined),
    onSuccess: async ({ value, operation }, _what, endChange) => {
      await refreshAll(queryClient)
      endChange()
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
      if (!('search' in what)) {
        const counter = { done: 0, total: what.length }
        source.current = async () => (what.length > 1 ? { ...counter } : undefined)
        return forEachExisting(what, (id) => call(trash.remove, { params: { id } }), counter)
      }
      source.current = clearingProgress(what.count)
      const { search, as_of } = what
      if (search === '') await call(trash.clear, { query: { as_of } })
      else await call(trash.removeFound, { body: { filter: { search, as_of } } })
      return what.count
    },
    onMutate: (what) => beginChange('search' in what ? undefined : what),
    onSuccess: (count, what) => {
      const isAll = 'search' in what && what.search === ''
      showMessage(isAll ? t('trash.emptied') : t('trash.removed', { count }), 'success')
    },
    onSettled: async (_count, _failure, _what, endChange) => {
      void import('../items/drop-drafts.ts').then(
        ({ dropDrafts }) => dropDrafts(queryClient),
        // The next form that opens drops them.
        () => undefined,
      )
      await refreshAll(queryClient)
      endChange?.()
    },
  })
  return {
    busy: restoring.isPending || removing.isPending,
    /** How far what is under way has come. */
    progress: () => source.current(),
    restore: (ids: string[]) => restoring.mutate({ ids }),
    /** All that the search finds, or everything. */
    restoreAll: (search: string) => restoring.mutate({ filter: search === '' ? {} : { search } }),
    removeForEver: (what: readonly string[] | AllFound, onSettled = () => {}) =>
      removing.mutate(what, { onSettled }),
  }
}
