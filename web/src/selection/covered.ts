import { isField, isWindowOpen } from '../lib/keys.ts'

const isMenuOpen = (): boolean => document.querySelector('[role="menu"]:not([hidden])') !== null

const isCovered = (): boolean => isWindowOpen() || isMenuOpen()

let wasCovered = false

/**
 * Whether a window or a menu covers the page, or did as the present key was pressed: without motion one that Esc closes is gone
 * before the event of the key ends.
 */
export const isOrWasCovered = (): boolean => wasCovered || isCovered()

// Before the listeners of windows, which begin to listen as they mount. What is typed in a field selects nothing, and to look
// through the page of a long note takes as long as to draw the key.
window.addEventListener(
  'keydown',
  ({ target }) => {
    if (!isField(target)) wasCovered = isCovered()
  },
  { capture: true },
)
