import { t } from '../messages/main-messages.ts'
import classes from './select-box.module.css'
import { toggle, useIsSelected } from './selection.ts'

interface SelectBoxProps {
  id: string
  /** The name of the row, for screen readers. */
  name: string
}

/** The checkbox of a row that can be selected: a direct child of the row, an `article` or `li`. */
export function SelectBox({ id, name }: SelectBoxProps) {
  return (
    <input
      type="checkbox"
      className={classes.box}
      data-select={id}
      aria-label={t('selection.select', { name })}
      checked={useIsSelected(id)}
      onChange={({ nativeEvent }) => toggle(id, nativeEvent instanceof MouseEvent && nativeEvent.shiftKey)}
    />
  )
}
