import { useState } from 'react'
import { t } from '../messages/lazy-messages.ts'
import { idsOnScreen, select, selectedIds, useSelectedIds } from '../selection/selection.ts'
import { BarButton, RemoveSelected, SelectionBar } from '../selection/selection-bar.tsx'
import { RestoreIcon } from '../ui/icons.tsx'
import type { TrashActions } from './use-trash-actions.ts'

interface TrashBarProps {
  actions: TrashActions
  /** What the screen shows a part of. */
  search: string
  /** How many that finds; absent while it is not known. */
  count: number | undefined
}

/** What one can do to what is selected in the trash. */
export function TrashBar({ actions, search, count: found }: TrashBarProps) {
  const ids = useSelectedIds()
  /** How many were found when the selection `ids` came to stand for all of them; any other selection does not. */
  const [all, setAll] = useState<{ ids: ReadonlySet<string>; count: number }>()
  const isAll = all?.ids === ids
  // Unknown while another page loads.
  const count = found ?? (isAll ? all.count : 0)
  const selectAll = () => {
    select(idsOnScreen())
    setAll({ ids: selectedIds(), count })
  }
  return (
    <SelectionBar
      label={isAll ? t('selection.allSelected', { count }) : undefined}
      busy={actions.busy}
      more={
        !isAll &&
        count > ids.size && (
          <BarButton disabled={actions.busy} onClick={selectAll}>
            {t('selection.all', { count })}
          </BarButton>
        )
      }
    >
      <BarButton
        leftSection={<RestoreIcon size={18} />}
        disabled={actions.busy}
        onClick={() => (isAll ? actions.restoreAll(search) : actions.restore([...ids]))}
      >
        {t('trash.restore')}
      </BarButton>
      <RemoveSelected
        label={t('trash.remove')}
        busy={actions.busy}
        question={t('trash.removeMany.question', { count: isAll ? count : ids.size })}
        onRemove={() => actions.removeForEver(isAll ? { search, count } : [...ids])}
      />
    </SelectionBar>
  )
}
