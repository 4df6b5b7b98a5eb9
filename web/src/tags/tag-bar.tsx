import { tags } from '@kopilka/contract/tags.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { refreshAll } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { forEachExisting } from '../api/for-each-existing.ts'
import { t } from '../messages/lazy-messages.ts'
import { select, useSelectedIds } from '../selection/selection.ts'
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
  const removing = useMutation({
    meta: { failure: 'tags.removeFailure' },
    // One after the other; what was deleted before a failure can be undone as well.
    mutationFn: async (operations: (string | undefined)[]) => {
      await forEachExisting(ids, async (id) => {
        operations.push((await callWithEtag(tags.remove, { params: { id } })).operation)
      })
    },
    onSettled: async (_nothing, failure, operations) => {
      if (operations.length > 0) {
        const text = t('tags.removedMany', { count: operations.length })
        // A success would hide what failed.
        showMessage(text, failure ? 'info' : 'success', undoable(queryClient, ...operations))
      }
      await refreshAll(queryClient)
      select([])
    },
  })
  return (
    <SelectionBar busy={removing.isPending}>
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
            onMerged={() => select([])}
            onClose={() => setMerging(false)}
          />
        </Suspense>
      )}
    </SelectionBar>
  )
}
