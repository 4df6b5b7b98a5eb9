import { tags } from '@kopilka/contract/tags.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshAll } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { t } from '../messages/lazy-messages.ts'
import { select, useSelectedIds } from '../selection/selection.ts'
import { BarButton, SelectionBar } from '../selection/selection-bar.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { TagIcon, TrashIcon } from '../ui/icons.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'
import { MergeTagsDialog } from './merge-tags-dialog.tsx'

/** What one can do to the selected tags. */
export function TagBar() {
  const queryClient = useQueryClient()
  const ids = [...useSelectedIds()]
  const [asked, setAsked] = useState<'merge' | 'removal'>()
  const removing = useMutation({
    meta: { failure: 'tags.removeFailure' },
    // One after the other; what was deleted before a failure can be undone as well.
    mutationFn: async (operations: (string | undefined)[]) => {
      for (const id of ids) operations.push((await callWithEtag(tags.remove, { params: { id } })).operation)
    },
    onSettled: async (_nothing, _failure, operations) => {
      if (operations.length > 0) {
        const text = t('tags.removedMany', { count: operations.length })
        showMessage(text, 'success', undoable(queryClient, ...operations))
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
        onClick={() => setAsked('merge')}
      >
        {t('tags.merge')}
      </BarButton>
      <BarButton
        leftSection={<TrashIcon size={18} />}
        color="red"
        disabled={removing.isPending}
        data-delete-selected
        aria-keyshortcuts="Delete"
        onClick={() => setAsked('removal')}
      >
        {t('selection.remove')}
      </BarButton>
      <MergeTagsDialog
        opened={asked === 'merge'}
        about={t('tags.merge.many')}
        ids={ids}
        onMerged={() => select([])}
        onClose={() => setAsked(undefined)}
      />
      <ConfirmDialog
        opened={asked === 'removal'}
        title={t('items.removal.title')}
        text={t('tags.removeMany.question', { count: ids.length })}
        confirm={t('selection.remove')}
        busy={removing.isPending}
        onConfirm={() => removing.mutate([])}
        onClose={() => setAsked(undefined)}
      />
    </SelectionBar>
  )
}
