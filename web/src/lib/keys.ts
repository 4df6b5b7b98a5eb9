const KEY = 'single_keys'

/** Whether keys without Ctrl do anything: users of speech input must be able to switch them off (WCAG 2.1.4). */
export const singleKeysWork = (): boolean => localStorage.getItem(KEY) !== 'off'
export const setSingleKeys = (work: boolean): void =>
  work ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, 'off')

/** The Latin letter on a key, whatever alphabet the keyboard types; lower case. */
export const letterOf = ({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string =>
  (/^[a-z]$/i.test(key) ? key : code.replace(/^Key/, '')).toLowerCase()

/** Whether what is typed at this place is text. */
export const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable || target.matches('input:not([type="checkbox"]), textarea, select'))

/** Whether a dialog or the drawer is open over the page. */
export const isWindowOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null

let overlaysOfBack = 0

/** Counts an overlay that the back button closes, until the function that it returns is called. */
export const countOverlayOfBack = (): (() => void) => {
  overlaysOfBack += 1
  return () => {
    overlaysOfBack -= 1
  }
}

/** Whether the back button closes an overlay now: a question or a selection below it comes after. */
export const closesOverlayOnBack = (): boolean => overlaysOfBack > 0
