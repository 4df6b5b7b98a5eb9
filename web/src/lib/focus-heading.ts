/** Focuses the heading of the screen; returns whether there is one. */
export const focusHeading = (): boolean => {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading) putFocus(heading)
  return heading !== null
}

/** A ref for an element that disappears when used: the heading then gets its focus. */
export const passFocusToHeading = (element: HTMLElement | null) => () => {
  if (element?.contains(document.activeElement)) focusHeading()
}

/** Focuses an element that is not interactive, without scrolling to it. */
export const putFocus = (element: HTMLElement): void => {
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}
