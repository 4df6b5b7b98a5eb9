import { bulk } from '@kopilka/contract/bulk.ts'
import type { RequestOf } from '@kopilka/contract/endpoint.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { refreshAll } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { t } from '../messages/lazy-messages.ts'
import { beginChange, idsOnScreen, select, selectedIds, useSelectedIds } from '../selection/selection.ts'
import { BarButton, RemoveSelected, SelectAll, SelectionBar } from '../selection/selection-bar.tsx'
import { DownloadIcon, icon, PinIcon, TagIcon } from '../ui/icons.tsx'
import { lazy } from '../ui/lazy.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'
import type { ItemSummary } from './item-kind.ts'
import { refreshSelection } from './refresh-selection.ts'

const BulkTagsDialog = lazy(() => import('./bulk-tags-dialog.tsx'), 'BulkTagsDialog')
const ExportDialog = lazy(() => import('../exports/export-dialog.tsx'), 'ExportDialog')

/** Not among the icons of the first screen: nothing there shows it. */
const PinOffIcon = icon(<path d="M9 4h6M10 4v6l-3 4h10l-3-4V4M12 14v6M4 3l16 18" />)

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
export function ItemBar({ filter: shown, count: found, items }: ItemBarProps) {
  const queryClient = useQueryClient()
  const ids = useSelectedIds()
  /** What stood for all that is found when `ids` were selected; another selection is not it. */
  const [all, setAll] = useState<{ ids: ReadonlySet<string>; filter: typeof shown; count: number }>()
  const isAll = all?.ids === ids
  const filter = isAll ? all.filter : shown
  // Unknown while another page loads.
  const count = found ?? (isAll ? all.count : 0)
  const [isTagging, setTagging] = useState<boolean>()
  const [isExporting, setExporting] = useState<boolean>()
  const onScreen = items.filter(({ id }) => ids.has(id))
  /** Whether some are pinned, or not: of those on other pages either may hold. */
  const mayBe = (wanted: boolean) =>
    isAll || onScreen.length < ids.size || onScreen.some(({ pinned }) => pinned === wanted)
  const isOnlyNotes =
    filter.kind === 'note' ||
    (!isAll && onScreen.length === ids.size && onScreen.every((item) => !('url' in item)))
  const chosen = isAll ? { filter } : { ids: [...ids] }
  const { mutate, isPending } = useMutation({
    meta: { failure: 'screen' },
    mutationFn: (change: Omit<Body, 'ids' | 'filter'>) =>
      callWithEtag(bulk.change, { body: { ...chosen, ...change } }),
    onMutate: () => beginChange(isAll ? undefined : ids),
    onSuccess: async ({ value, operation }, change, endChange) => {
      await refreshAll(queryClient)
      const text = t(change.delete ? 'selection.removed' : 'selection.changed', { count: value.changed })
      showMessage(text, 'success', undoable(queryClient, operation))
      endChange()
    },
    onError: async (failure) => {
      // The end of a session shows its own message.
      if (failure instanceof CallFailure && failure.status === 401) return
      // No form is there to show the messages of fields.
      const [text] = failure instanceof CallFailure ? Object.values(failure.fields).flat() : []
      // The next response hides nothing that a press has failed to do.
      showMessage(text ?? failureText(failure, 'selection.failure'), 'error')
      await refreshSelection(queryClient)
    },
  })
  /** The boxes on the screen show that all is selected. */
  const selectAll = () => {
    select(idsOnScreen())
    setAll({ ids: selectedIds(), filter, count })
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page of what was found has other boxes.
  useEffect(() => {
    if (isAll && items.length > 0) selectAll()
  }, [items])
  const isNothingLeft = isAll && found === 0
  useEffect(() => {
    if (isNothingLeft) select([])
  }, [isNothingLeft])
  return (
    <SelectionBar
      label={isAll ? t('selection.allSelected', { count }) : undefined}
      busy={isPending}
      more={
        !isAll && count > ids.size && <SelectAll count={count} disabled={isPending} onSelect={selectAll} />
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
      {[true, false].map(
        (pinned) =>
          mayBe(!pinned) && (
            <BarButton
              key={String(pinned)}
              leftSection={pinned ? <PinIcon size={18} /> : <PinOffIcon size={18} />}
              disabled={isPending}
              onClick={() => mutate({ pinned })}
            >
              {t(pinned ? 'selection.pin' : 'selection.unpin')}
            </BarButton>
          ),
      )}
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
            isOnlyNotes={isOnlyNotes}
            onClose={() => setExporting(false)}
          />
        </Suspense>
      )}
    </SelectionBar>
  )
}
