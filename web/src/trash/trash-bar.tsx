import { useState } from 'react'
import { t } from '../messages/lazy-messages.ts'
import { useSelectedIds } from '../selection/selection.ts'
import { BarButton, SelectionBar } from '../selection/selection-bar.tsx'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { RestoreIcon, TrashIcon } from '../ui/icons.tsx'
import type { TrashActions } from './use-trash-actions.ts'

/** What one can do to what is selected in the trash. */
export function TrashBar({ actions }: { actions: TrashActions }) {
  const ids = [...useSelectedIds()]
  const [isAsking, setAsking] = useState(false)
  return (
    <SelectionBar busy={actions.busy}>
      <BarButton
        leftSection={<RestoreIcon size={18} />}
        disabled={actions.busy}
        onClick={() => actions.restore(ids)}
      >
        {t('trash.restore')}
      </BarButton>
      <BarButton
        leftSection={<TrashIcon size={18} />}
        color="red"
        disabled={actions.busy}
        data-delete-selected
        aria-keyshortcuts="Delete"
        onClick={() => setAsking(true)}
      >
        {t('trash.remove')}
      </BarButton>
      <ConfirmDialog
        opened={isAsking}
        title={t('items.removal.title')}
        text={t('trash.removeMany.question', { count: ids.length })}
        confirm={t('trash.remove')}
        busy={actions.busy}
        onConfirm={() => actions.removeForEver(ids, () => setAsking(false))}
        onClose={() => setAsking(false)}
      />
    </SelectionBar>
  )
}
