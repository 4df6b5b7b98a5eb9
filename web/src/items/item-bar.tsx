import { bulk } from '@kopilka/contract/bulk.ts'
import type { RequestOf } from '@kopilka/contract/endpoint.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { refreshAll } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { t } from '../messages/lazy-messages.ts'
import { select, useSelectedIds } from '../selection/selection.ts'
import { BarButton, SelectionBar } from '../selection/selection-bar.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { PinIcon, TagIcon, TrashIcon } from '../ui/icons.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'
import { BulkTagsDialog } from './bulk-tags-dialog.tsx'
import type { ItemSummary } from './item-kind.ts'

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
  const [asked, setAsked] = useState<'tags' | 'removal'>()
  const isPinned = items.every(({ id, pinned }) => pinned || !ids.has(id))
  const { mutate, isPending } = useMutation({
    meta: { failure: 'selection.failure' },
    mutationFn: (change: Omit<Body, 'ids' | 'filter'>) =>
      callWithEtag(bulk.change, { body: { ...(isAll ? { filter } : { ids: [...ids] }), ...change } }),
    onSuccess: async ({ value, operation }, change) => {
      await refreshAll(queryClient)
      const text = t(change.delete ? 'selection.removed' : 'selection.changed', { count: value.changed })
      showMessage(text, 'success', undoable(queryClient, operation))
      select([])
    },
    onError: () => setAsked(undefined),
  })
  const remove = () => mutate({ delete: true })
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
        onClick={() => setAsked('tags')}
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
        leftSection={<TrashIcon size={18} />}
        color="red"
        disabled={isPending}
        data-delete-selected
        aria-keyshortcuts="Delete"
        onClick={() => (isAll ? setAsked('removal') : remove())}
      >
        {t('selection.remove')}
      </BarButton>
      <BulkTagsDialog
        opened={asked === 'tags'}
        busy={isPending}
        onApply={mutate}
        onClose={() => setAsked(undefined)}
      />
      <ConfirmDialog
        opened={asked === 'removal'}
        title={t('items.removal.title')}
        text={t('selection.removeAll.question', { count })}
        confirm={t('selection.remove')}
        busy={isPending}
        onConfirm={remove}
        onClose={() => setAsked(undefined)}
      />
    </SelectionBar>
  )
}
