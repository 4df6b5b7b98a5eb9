import { t } from '../messages/messages.ts'
import classes from './loading-bar.module.css'

/** A thin moving line while something loads; takes no space, so nothing jumps. */
export function LoadingBar({ shown, label = t('items.loading') }: { shown: boolean; label?: string }) {
  return (
    <div className={classes.track}>
      {shown && <div className={classes.bar} role="progressbar" aria-label={label} />}
    </div>
  )
}
