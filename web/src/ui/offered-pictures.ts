/*
 * Pictures that were pasted or dropped outside of a field: the form that is open takes them, or the one that opens next.
 */

type Take = (files: File[]) => void

const EVENTS = ['dragover', 'drop', 'paste']

let offered: File[] = []
let taker: Take | undefined

/** Forgets what no form has taken: it is not for the user who signs in next. */
export const forgetOffered = (): void => {
  offered = []
}

/** Leaves pictures to a form. Returns whether one was open. */
export const offerPictures = (files: File[]): boolean => {
  if (taker) {
    taker(files)
    return true
  }
  offered = files
  return false
}

/** A field of the form that takes text alone: a file dropped on it would open in place of the page. */
const isTextField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('main form :is(input:not([type=file]), textarea)')

/** Whether pictures are dragged, dropped or pasted without a text. Safari names no items before the drop. */
const arePictures = ({ types, items }: DataTransfer): boolean =>
  types.includes('Files') &&
  !types.some((type) => /^text\/(?!html$)/.test(type)) &&
  [...items].every(({ kind, type }) => kind !== 'file' || type.startsWith('image/'))

/**
 * Takes what is offered from now on, and what was before, and pictures that are dropped on or pasted into a text field of
 * a form; returns what ends it.
 */
export const takePictures = (take: Take): (() => void) => {
  taker = take
  const waiting = offered
  forgetOffered()
  if (waiting.length > 0) take(waiting)
  const onPasteOrDrop = (event: Event): void => {
    const data = event instanceof ClipboardEvent ? event.clipboardData : (event as DragEvent).dataTransfer
    if (event.defaultPrevented || !isTextField(event.target) || !data || !arePictures(data)) return
    event.preventDefault()
    if (event.type !== 'dragover') take([...data.files])
  }
  for (const type of EVENTS) window.addEventListener(type, onPasteOrDrop)
  return () => {
    for (const type of EVENTS) window.removeEventListener(type, onPasteOrDrop)
    if (taker === take) taker = undefined
  }
}
