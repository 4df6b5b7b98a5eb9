import { Portal } from '@mantine/core'
import { t } from '../messages/data-messages.ts'
import classes from './drop-area.module.css'
import { useFileDrop } from './use-file-drop.ts'

/** The whole page as a place for a file; shows that it is one while a file is held over it. */
export function DropArea({ onFile }: { onFile: (file: File) => void }) {
  const isOver = useFileDrop(onFile)
  return (
    isOver && (
      <Portal>
        <div className={classes.area} aria-hidden>
          <div className={classes.text}>{t('import.dropHere')}</div>
        </div>
      </Portal>
    )
  )
}
