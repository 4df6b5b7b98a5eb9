import { useEffect, useState } from 'react'
import { t } from '../messages/lazy-messages.ts'
import { idsOnScreen, select, selectedIds, useSelectedIds } from '../selection/selection.ts'
import { BarButton, RemoveSelected, SelectAll, SelectionBar } from '../selection/selection-bar.tsx'
import { RestoreIcon } from '../ui/icons.tsx'
import type { Counted, TrashActions } from './use-trash-actions.ts'

interface TrashBarProps {
  actions: TrashActions
  /** What the screen shows a part of. */
  search: string
  /** What that finds; absent while it is not known. */
  found: Counted | undefined
}

const NOTHING: Counted = { count: 0, as_of: '0' }

/** What one can do to what is selected in the trash. */
export function TrashBar({ actions, search, found }: TrashBarProps) {
  const ids = useSelectedIds()
  /** What was found when the selection `ids` came to stand for all of them; any other selection does not. */
  const [all, setAll] = useState<Counted & { ids: ReadonlySet<string> }>()
  const isAll = all?.ids === ids
  // Unknown while another page loads.
  const { count, as_of } = found ?? (isAll ? all : NOTHING)
  const selectAll = () => {
    select(idsOnScreen())
    setAll({ ids: selectedIds(), count, as_of })
  }
  const isNothingLeft = isAll && found?.count === 0
  useEffect(() => {
    if (isNothingLeft) select([])
  }, [isNothingLeft])
  return (
    <SelectionBar
      label={isAll ? t('selection.allSelected', { count }) : undefined}
      busy={actions.busy}
      progress={actions.progress}
      more={
        !isAll && count > ids.size && <SelectAll count={count} disabled={actions.busy} onSelect={selectAll} />
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
        onRemove={() => actions.removeForEver(isAll ? { search, count, as_of } : [...ids])}
      />
    </SelectionBar>
  )
}
