import { bulk } from '@kopilka/contract/bulk.ts'
import type { RequestOf } from '@kopilka/contract/endpoint.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useState } from 'react'
import { refreshAll } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { t } from '../messages/lazy-messages.ts'
import { select, useSelectedIds } from '../selection/selection.ts'
import { BarButton, RemoveSelected, SelectionBar } from '../selection/selection-bar.tsx'
import { DownloadIcon, PinIcon, TagIcon } from '../ui/icons.tsx'
import { lazy } from '../ui/lazy.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'
import { dropDrafts } from './drop-drafts.ts'
import type { ItemSummary } from './item-kind.ts'

const BulkTagsDialog = lazy(() => import('./bulk-tags-dialog.tsx'), 'BulkTagsDialog')
const ExportDialog = lazy(() => import('../exports/export-dialog.tsx'), 'ExportDialog')

type Body = RequestOf<typeof bulk.change>['body']

export interface ItemBarProps {
  /** Finds all that the screen shows a part of. */
  filter: NonNullable<Body['filter']>
  /** How many those are; absent while that is not known. */
  count: number | undefined
  /** Those on the screen. */
  items: readonly ItemSummary[]
}

/** What one can do to the selected items. */
export function ItemBar({ filter, count = 0, items }: ItemBarProps) {
  const queryClient = useQueryClient()
  const ids = useSelectedIds()
  /** The selection that stands for all that is found; any other is not it. */
  const [allOf, setAllOf] = useState<ReadonlySet<string>>()
  const isAll = allOf === ids
  const [isTagging, setTagging] = useState<boolean>()
  const [isExporting, setExporting] = useState<boolean>()
  const isPinned = items.every(({ id, pinned }) => pinned || !ids.has(id))
  const chosen = isAll ? { filter } : { ids: [...ids] }
  const { mutate, isPending } = useMutation({
    meta: { failure: 'selection.failure' },
    mutationFn: (change: Omit<Body, 'ids' | 'filter'>) =>
      callWithEtag(bulk.change, { body: { ...chosen, ...change } }),
    onSuccess: async ({ value, operation }, change) => {
      if (change.delete) void dropDrafts(queryClient, ids)
      await refreshAll(queryClient)
      const text = t(change.delete ? 'selection.removed' : 'selection.changed', { count: value.changed })
      showMessage(text, 'success', undoable(queryClient, operation))
      select([])
    },
  })
  return (
    <SelectionBar
      label={isAll ? t('selection.allSelected', { count }) : undefined}
      busy={isPending}
      more={
        !isAll &&
        count > ids.size && (
          <BarButton onClick={() => setAllOf(ids)}>{t('selection.all', { count })}</BarButton>
        )
      }
    >
      <BarButton
        leftSection={<TagIcon size={18} />}
        disabled={isPending}
        aria-haspopup="dialog"
        onClick={() => setTagging(true)}
      >
        {t('selection.tags')}
      </BarButton>
      <BarButton
        leftSection={<PinIcon size={18} />}
        disabled={isPending}
        onClick={() => mutate({ pinned: isAll || !isPinned })}
      >
        {t(isAll || !isPinned ? 'selection.pin' : 'selection.unpin')}
      </BarButton>
      <BarButton
        leftSection={<DownloadIcon size={18} />}
        disabled={isPending}
        aria-haspopup="dialog"
        onClick={() => setExporting(true)}
      >
        {t('selection.export')}
      </BarButton>
      <RemoveSelected
        label={t('selection.remove')}
        busy={isPending}
        question={isAll ? t('selection.removeAll.question', { count }) : undefined}
        onRemove={() => mutate({ delete: true })}
      />
      {isTagging !== undefined && (
        <Suspense>
          <BulkTagsDialog
            opened={isTagging}
            busy={isPending}
            onApply={(change) => {
              // The dialog would cover how far the change has come.
              setTagging(false)
              mutate(change)
            }}
            onClose={() => setTagging(false)}
          />
        </Suspense>
      )}
      {isExporting !== undefined && (
        <Suspense>
          <ExportDialog
            opened={isExporting}
            wanted={isAll ? filter : { ids: [...ids] }}
            count={isAll ? count : ids.size}
            onClose={() => setExporting(false)}
          />
        </Suspense>
      )}
    </SelectionBar>
  )
}
