import { focusHeading, putFocus } from './focus-heading.ts'
import { ROW, targetOf } from './rows.ts'

/*
 * Where the focus goes once what had it is gone from the page with a change: to the row that is now at the same place, else to
 * the heading. This holds for rows of lists and for what has `data-vanishes`; gestures.ts loads it after the screen.
 */

interface Place {
  element: Element
  pathname: string
  list: Element | null | undefined
  /** The number of the row in the list. */
  at: number
}

let place: Place | undefined

const rowsOf = (list: Element): HTMLElement[] => [...list.querySelectorAll<HTMLElement>(ROW)]

const isInDialog = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('[role="dialog"]') !== null

const forget = (): void => {
  place = undefined
  observer.disconnect()
}

/** A dialog gives the focus back where it was: what is focused there changes nothing. */
const remember = (target: EventTarget | null): void => {
  if (isInDialog(target)) return
  forget()
  if (!(target instanceof HTMLElement)) return
  const row = target.closest<HTMLElement>(ROW)
  if (!row && !target.closest('[data-vanishes]')) return
  const list = row?.parentElement?.closest('ul')
  const at = row && list ? rowsOf(list).indexOf(row) : -1
  place = { element: target, pathname: location.pathname, list, at }
  observer.observe(document.body, { childList: true, subtree: true })
}

const observer = new MutationObserver(() => {
  // What the user has focused meanwhile keeps the focus. A button that was disabled before it went has lost it already.
  if (!place || place.element.isConnected || document.activeElement !== document.body) return
  const { pathname, list, at } = place
  // Another screen has its own place for the focus (arrival.ts).
  if (pathname !== location.pathname) return forget()
  const rows = list?.isConnected ? rowsOf(list) : []
  const row = rows[at] ?? rows.at(-1)
  if (!row) {
    focusHeading()
    return
  }
  const target = targetOf(row)
  if (target) target.focus({ preventScroll: true })
  else putFocus(row)
  row.scrollIntoView({ block: 'nearest' })
})

/** Begins with what has the focus now; a button that was disabled by a press before this module had loaded is `pressed`. */
export const keepFocus = (pressed: EventTarget | null): void => {
  const { activeElement } = document
  remember(activeElement === document.body ? pressed : activeElement)
  window.addEventListener('focusin', ({ target }) => remember(target))
  // A press beside it takes the focus away on purpose.
  window.addEventListener('pointerdown', ({ target }) => {
    const isOnIt = target instanceof Node && place?.element.contains(target)
    if (!isOnIt && !isInDialog(target)) forget()
  })
}
