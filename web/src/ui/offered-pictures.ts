import { watchSession } from '../api/session.ts'

/*
 * Pictures that were pasted or dropped outside of a field: the form that is open takes them, or the one that opens next.
 */

type Take = (files: File[]) => void

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

/** Takes what is offered from now on, and what was before; returns what ends it. */
export const takePictures = (take: Take): (() => void) => {
  taker = take
  const waiting = offered
  forget()
  if (waiting.length > 0) take(waiting)
  return () => {
    if (taker === take) taker = undefined
  }
}
