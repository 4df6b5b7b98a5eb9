import { isWindowOpen } from '../lib/keys.ts'

const isMenuOpen = (): boolean => document.querySelector('[role="menu"]:not([hidden])') !== null

const isCovered = (): boolean => isWindowOpen() || isMenuOpen()

let wasCovered = false

/**
 * Whether a window or a menu covers the page, or did as the present key was pressed: without motion one that Esc closes is gone
 * before the event of the key ends.
 */
export const isOrWasCovered = (): boolean => wasCovered || isCovered()

// Before the listeners of windows, which begin to listen as they mount.
window.addEventListener(
  'keydown',
  () => {
    wasCovered = isCovered()
  },
  { capture: true },
)
