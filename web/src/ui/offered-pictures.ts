import { watchSession } from '../api/session.ts'

/*
 * Pictures that were pasted or dropped outside of a field: the form that is open takes them, or the one that opens next.
 */

type Take = (files: File[]) => void

const GIVEN = ['dragover', 'drop', 'paste']

let offered: File[] = []
let taker: Take | undefined

const forget = (): void => {
  offered = []
}
// They are not for the user who signs in next.
watchSession({ ended: forget, replaced: forget, renewed: () => undefined })

/** Leaves pictures to a form. Returns whether one was open. */
export const offerPictures = (files: File[]): boolean => {
  if (taker) {
    taker(files)
    return true
  }
  offered = files
  return false
}

/** A field that takes text alone: a file dropped on it would open in place of the page. */
const isTextField = (target: EventTarget | null): boolean =>
  target instanceof Element && target.matches('input:not([type=file]), textarea')

/** Whether pictures are given and nothing else. Their names and bytes are known only when they are dropped. */
const arePictures = ({ items }: DataTransfer): boolean =>
  items.length > 0 && [...items].every(({ kind, type }) => kind === 'file' && type.startsWith('image/'))

/**
 * Takes what is offered from now on, and what was before, and pictures that are dropped on a field of text or pasted into
 * one; returns what ends it.
 */
export const takePictures = (take: Take): (() => void) => {
  taker = take
  const waiting = offered
  forget()
  if (waiting.length > 0) take(waiting)
  const onGiven = (event: Event): void => {
    const data = event instanceof ClipboardEvent ? event.clipboardData : (event as DragEvent).dataTransfer
    if (event.defaultPrevented || !isTextField(event.target) || !data || !arePictures(data)) return
    event.preventDefault()
    if (event.type !== 'dragover') take([...data.files])
  }
  for (const type of GIVEN) window.addEventListener(type, onGiven)
  return () => {
    for (const type of GIVEN) window.removeEventListener(type, onGiven)
    if (taker === take) taker = undefined
  }
}
