/** Focuses the heading of the screen; returns whether there is one. */
export const focusHeading = (): boolean => {
  const heading = document.querySelector<HTMLElement>('main h1')
  if (heading) putFocus(heading)
  return heading !== null
}

/** A ref for what goes away when it is used, and with it the focus: the heading gets it rather than nothing. */
export const handFocusOn = (element: HTMLElement | null) => () => {
  if (element?.contains(document.activeElement)) focusHeading()
}

/** Focuses an element that is not interactive, without scrolling to it. */
export const putFocus = (element: HTMLElement): void => {
  element.tabIndex = -1
  element.focus({ preventScroll: true })
}
