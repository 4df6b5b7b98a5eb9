import { useEffect, useRef } from 'react'

/** What a key can do on every screen that needs sign-in. */
export type Shortcut = 'palette' | 'search' | 'note' | 'link' | 'help'

type Press = Pick<KeyboardEvent, 'code' | 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

/** The Latin letter on a key, whatever alphabet the keyboard types; lower case. */
const letterOf = ({ key, code }: Press): string =>
  (/^[a-z]$/i.test(key) ? key : code.replace(/^Key/, '')).toLowerCase()

/** What a press of keys asks for. On a Russian keyboard the key of / and ? types a full stop and a comma. */
export const shortcutOf = (press: Press): Shortcut | undefined => {
  const { code, key, altKey, ctrlKey, metaKey, shiftKey } = press
  if (altKey) return undefined
  const letter = letterOf(press)
  if (ctrlKey || metaKey) return letter === 'k' && !shiftKey ? 'palette' : undefined
  if (key === '?' || (code === 'Slash' && key === ',')) return 'help'
  if (key === '/' || (code === 'Slash' && key === '.')) return 'search'
  if (shiftKey) return undefined
  return letter === 'n' ? 'note' : letter === 'l' ? 'link' : undefined
}

/** The keys of the palette, as this computer's keyboard calls them. */
export const paletteKeys = (): [string, string] => [
  /Mac|iPhone|iPad/.test(navigator.platform) ? '⌘' : 'Ctrl',
  'K',
]

const KEY = 'single_keys'

/** Whether keys without Ctrl do anything: who speaks to the computer must be able to switch them off (WCAG 2.1.4). */
export const singleKeysWork = (): boolean => localStorage.getItem(KEY) !== 'off'
export const setSingleKeys = (work: boolean): void =>
  work ? localStorage.removeItem(KEY) : localStorage.setItem(KEY, 'off')

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches('input, textarea, select'))

const isWindowOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null

/** Listens to the keys of the whole page. Keys without Ctrl rest while someone types; all do while a window is open. */
export const useShortcuts = (does: Record<Shortcut, () => void>): void => {
  const latest = useRef(does)
  useEffect(() => {
    latest.current = does
  })
  useEffect(() => {
    const heard = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event)
      if (shortcut === undefined || event.defaultPrevented || event.isComposing) return
      if (shortcut !== 'palette' && (isField(event.target) || !singleKeysWork())) return
      event.preventDefault()
      if (!event.repeat && !isWindowOpen()) latest.current[shortcut]()
    }
    window.addEventListener('keydown', heard)
    return () => window.removeEventListener('keydown', heard)
  }, [])
}
