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

/** Keeps what is offered for the editor of the form that is open: it has not loaded yet. */
export const waitForEditor = (): (() => void) =>
  takePictures((files) => {
    offered = [...offered, ...files]
  })

/** A field of the form that takes text alone: a file dropped on it would open in place of the page. */
const isTextField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('main form :is(input:not([type=file]), textarea)')

/** Whether a file is a picture by its type, or by its name where the system has no type for it: many know none for HEIC. */
export const isPictureFile = ({ type, name }: File): boolean =>
  type.startsWith('image/') || (type === '' && /\.hei[cf]$/i.test(name))

/**
 * Whether pictures are dragged, dropped or pasted without a text. Before the drop nothing names a file of no type, and Safari
 * no items.
 */
const arePictures = ({ types, items, files }: DataTransfer): boolean =>
  types.includes('Files') &&
  !types.some((type) => /^text\/(?!html$)/.test(type)) &&
  [...files].every(isPictureFile) &&
  [...items].every(({ kind, type }) => kind !== 'file' || type === '' || type.startsWith('image/'))

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
