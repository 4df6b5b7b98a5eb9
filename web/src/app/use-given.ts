import { useEffect, useEffectEvent, useState } from 'react'
import { isField, isWindowOpen } from '../lib/keys.ts'

const TYPES = ['Files', 'text/uri-list', 'text/plain']

/** Whether the page takes what is pasted or dropped at this place: fields take it themselves. */
const isTaken = ({ target, defaultPrevented }: Event): boolean =>
  !defaultPrevented && !isField(target) && !isWindowOpen()

/** The address of what was dropped, else its text. */
const textOf = (data: DataTransfer): string => {
  const address = data
    .getData('text/uri-list')
    .split('\n')
    .find((line) => line.trim() !== '' && !line.startsWith('#'))
  return (address ?? data.getData('text/plain')).trim()
}

interface Takers {
  onText: (text: string) => void
  onFiles: (files: File[]) => void
  /** The screen itself takes files. */
  takesFiles: () => boolean
}

/**
 * Takes what is pasted or dropped anywhere on the page outside a field. Returns whether something is held over the page
 * that can be dropped. What is dragged within the page stays where it is.
 */
export const useGiven = (takers: Takers): boolean => {
  const [isOver, setOver] = useState(false)
  const takesFiles = useEffectEvent(() => takers.takesFiles())
  /** Returns whether it was taken. */
  const take = useEffectEvent((data: DataTransfer): boolean => {
    const files = [...data.files]
    const text = textOf(data)
    // A picture of a page has its address; programs of offices put a picture of a text beside it.
    if (files.length > 0 && !(text && /uri-list|html/.test(data.types.join()))) {
      if (takers.takesFiles()) return false
      takers.onFiles(files)
    } else if (text === '') return false
    else takers.onText(text)
    return true
  })
  useEffect(() => {
    const controller = new AbortController()
    const listen = <Type extends keyof WindowEventMap>(
      type: Type,
      listener: (event: WindowEventMap[Type]) => void,
    ) => window.addEventListener(type, listener, { signal: controller.signal })
    let isOwn = false
    const isDroppable = (event: DragEvent): boolean =>
      !isOwn &&
      isTaken(event) &&
      TYPES.some((type) => event.dataTransfer?.types.includes(type)) &&
      !(event.dataTransfer?.types.includes('Files') && takesFiles())
    listen('dragstart', () => {
      isOwn = true
    })
    listen('dragend', () => {
      isOwn = false
    })
    listen('dragover', (event) => {
      const droppable = isDroppable(event)
      // Otherwise the browser would open it in place of the page.
      if (droppable) event.preventDefault()
      setOver(droppable)
    })
    listen('dragleave', ({ relatedTarget }) => {
      if (relatedTarget === null) setOver(false)
    })
    listen('drop', (event) => {
      setOver(false)
      if (isDroppable(event) && event.dataTransfer && take(event.dataTransfer)) event.preventDefault()
    })
    listen('paste', (event) => {
      if (isTaken(event) && event.clipboardData && take(event.clipboardData)) event.preventDefault()
    })
    return () => controller.abort()
  }, [])
  return isOver
}
