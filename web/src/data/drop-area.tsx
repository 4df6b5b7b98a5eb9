import { t } from '../messages/data-messages.ts'
import { DropCover } from '../ui/drop-cover.tsx'
import { useFileDrop } from './use-file-drop.ts'

/** The whole page as a place for a file; shows that it is one while a file is held over it. */
export function DropArea({ onFile }: { onFile: (file: File) => void }) {
  const isOver = useFileDrop(onFile)
  return isOver && <DropCover text={t('import.dropHere')} />
}
