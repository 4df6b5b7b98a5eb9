import { tags } from '@kopilka/contract/tags.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { refreshAll } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { forEachExisting } from '../api/for-each-existing.ts'
import { operationProgress, progressOfCalls } from '../api/progress.ts'
import { t } from '../messages/lazy-messages.ts'
import { beginChange, useSelectedIds } from '../selection/selection.ts'
import { BarButton, RemoveSelected, SelectionBar } from '../selection/selection-bar.tsx'
import { TagIcon } from '../ui/icons.tsx'
import { lazy } from '../ui/lazy.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'

const MergeTagsDialog = lazy(() => import('./merge-tags-dialog.tsx'), 'MergeTagsDialog')

/** What one can do to the selected tags. */
export function TagBar() {
  const queryClient = useQueryClient()
  const ids = [...useSelectedIds()]
  const [isMerging, setMerging] = useState<boolean>()
  const counter = useRef({ done: 0, total: 0 })
  const removing = useMutation({
    meta: { failure: 'tags.removeFailure' },
    // One after the other; what was deleted before a failure can be undone as well.
    mutationFn: async (operations: (string | undefined)[]) => {
      const remove = async (id: string) => {
        operations.push((await callWithEtag(tags.remove, { params: { id } })).operation)
      }
      await forEachExisting(ids, remove, counter.current)
    },
    onMutate: () => beginChange(ids),
    onSettled: async (_nothing, failure, operations, endChange) => {
      if (operations.length > 0) {
        const text = t('tags.removedMany', { count: operations.length })
        // A success would hide what failed.
        showMessage(text, failure ? 'info' : 'success', undoable(queryClient, ...operations))
      }
      await refreshAll(queryClient)
      endChange?.()
    },
  })
  return (
    <SelectionBar
      busy={removing.isPending}
      progress={() => progressOfCalls(counter.current, operationProgress)}
    >
      <BarButton
        leftSection={<TagIcon size={18} />}
        disabled={removing.isPending}
        aria-haspopup="dialog"
        onClick={() => setMerging(true)}
      >
        {t('tags.merge')}
      </BarButton>
      <RemoveSelected
        label={t('selection.remove')}
        busy={removing.isPending}
        question={t('tags.removeMany.question', { count: ids.length })}
        onRemove={() => removing.mutate([])}
      />
      {isMerging !== undefined && (
        <Suspense>
          <MergeTagsDialog
            opened={isMerging}
            about={t('tags.merge.many')}
            ids={ids}
            onMerged={(_into, endChange) => endChange()}
            onClose={() => setMerging(false)}
          />
        </Suspense>
      )}
    </SelectionBar>
  )
}
