import { useEffect, useEffectEvent, useState } from 'react'
import { isWindowOpen } from '../lib/keys.ts'
import { t } from '../messages/data-messages.ts'
import { showMessage } from '../ui/snackbar.ts'

const hasFiles = ({ dataTransfer }: DragEvent): boolean => dataTransfer?.types.includes('Files') ?? false

/** The one file of what was dropped, pasted or chosen; otherwise says what to do instead. */
const onlyFile = ({ files, items }: Pick<DataTransfer, 'files' | 'items'>): File | undefined => {
  const isFolder = [...items].some((item) => item.webkitGetAsEntry()?.isDirectory)
  const [file] = files
  if (file === undefined || files.length > 1 || isFolder) {
    showMessage(t('import.oneFile'), 'error')
    return undefined
  }
  return file
}

/** Takes a file dropped anywhere on the page, or pasted into it. Returns whether one is held over the page. */
export const useFileDrop = (onFile: (file: File) => void): boolean => {
  const [isOver, setOver] = useState(false)
  const take = useEffectEvent((data: DataTransfer) => {
    const file = onlyFile(data)
    if (file) onFile(file)
  })
  useEffect(() => {
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      // Otherwise the browser would open the file in place of the page.
      event.preventDefault()
      setOver(true)
    }
    const onDragLeave = ({ relatedTarget }: DragEvent) => {
      if (relatedTarget === null) setOver(false)
    }
    const onDrop = (event: DragEvent) => {
      if (!hasFiles(event) || !event.dataTransfer) return
      event.preventDefault()
      setOver(false)
      take(event.dataTransfer)
    }
    const onPaste = (event: ClipboardEvent) => {
      if (!event.clipboardData?.files.length || isWindowOpen()) return
      event.preventDefault()
      take(event.clipboardData)
    }
    window.addEventListener('dragover', onDragOver)
    window.addEventListener('dragleave', onDragLeave)
    window.addEventListener('drop', onDrop)
    window.addEventListener('paste', onPaste)
    return () => {
      window.removeEventListener('dragover', onDragOver)
      window.removeEventListener('dragleave', onDragLeave)
      window.removeEventListener('drop', onDrop)
      window.removeEventListener('paste', onPaste)
    }
  }, [])
  return isOver
}
