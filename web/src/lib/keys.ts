const KEY = 'single_keys'

/** Whether keys without Ctrl do anything: users of speech input must be able to switch them off (WCAG 2.1.4). */
export const singleKeysWork = (): boolean => localStorage.getItem(KEY) !== 'off'
export const setSingleKeys = (work: boolean): void =>
  work ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, 'off')
