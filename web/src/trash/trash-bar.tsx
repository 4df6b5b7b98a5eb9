import { t } from '../messages/lazy-messages.ts'
import { useSelectedIds } from '../selection/selection.ts'
import { BarButton, RemoveSelected, SelectionBar } from '../selection/selection-bar.tsx'
import { RestoreIcon } from '../ui/icons.tsx'
import type { TrashActions } from './use-trash-actions.ts'

/** What one can do to what is selected in the trash. */
export function TrashBar({ actions }: { actions: TrashActions }) {
  const ids = [...useSelectedIds()]
  return (
    <SelectionBar busy={actions.busy}>
      <BarButton
        leftSection={<RestoreIcon size={18} />}
        disabled={actions.busy}
        onClick={() => actions.restore(ids)}
      >
        {t('trash.restore')}
      </BarButton>
      <RemoveSelected
        label={t('trash.remove')}
        busy={actions.busy}
        question={t('trash.removeMany.question', { count: ids.length })}
        onRemove={() => actions.removeForEver(ids)}
      />
    </SelectionBar>
  )
}
