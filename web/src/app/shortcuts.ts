import { useEffect, useRef } from 'react'
import { flushSync } from 'react-dom'
import { isField, isWindowOpen, letterOf, singleKeysWork } from '../lib/keys.ts'
import { ROW, targetOf } from '../lib/rows.ts'

/** What a key can do on every screen that needs sign-in. */
export type Shortcut =
  | 'palette'
  | 'save'
  | 'undo'
  | 'search'
  | 'note'
  | 'link'
  | 'add'
  | 'edit'
  | 'next'
  | 'previous'
  | 'help'

type Press = Pick<KeyboardEvent, 'code' | 'key' | 'altKey' | 'ctrlKey' | 'metaKey' | 'shiftKey'>

const LETTERS = new Map<string, Shortcut>([
  ['n', 'note'],
  ['l', 'link'],
  ['a', 'add'],
  ['e', 'edit'],
  ['j', 'next'],
  ['k', 'previous'],
])

const WITH_CTRL = new Map<string, Shortcut>([
  ['k', 'palette'],
  ['s', 'save'],
  ['z', 'undo'],
])

/** The shortcut of a key press. On a Russian keyboard the key of / and ? types a full stop and a comma. */
export const shortcutOf = (press: Press): Shortcut | undefined => {
  const { code, key, altKey, ctrlKey, metaKey, shiftKey } = press
  if (altKey) return undefined
  const letter = letterOf(press)
  if (ctrlKey || metaKey) {
    if (shiftKey) return undefined
    return key === 'Enter' ? 'save' : WITH_CTRL.get(letter)
  }
  if (key === '?' || (code === 'Slash' && key === ',')) return 'help'
  if (key === '/' || (code === 'Slash' && key === '.')) return 'search'
  if (shiftKey) return undefined
  return LETTERS.get(letter)
}

const isMac = (): boolean => /Mac|iPhone|iPad/.test(navigator.platform)

/** A key with Ctrl, as this computer's keyboard calls it. */
export const withCtrl = (key: string): [string, string] => [isMac() ? '⌘' : 'Ctrl', key]

/** On a Mac Ctrl+K deletes to the end of the line. */
const editsText = (event: KeyboardEvent): boolean => isMac() && !event.metaKey && isField(event.target)

const FORM = 'main form:not(search form)'

/** What a form with `data-not-saved` does is no saving: an export, for one. */
const SAVED_FORM = `${FORM}:not([data-not-saved])`

/** The form that a key saves: the one that has the focus, else the only one of the screen. */
const formToSave = (): HTMLFormElement | null => {
  const { activeElement } = document
  if (activeElement?.closest('[role="dialog"]')) return null
  const [first, second] = document.querySelectorAll<HTMLFormElement>(SAVED_FORM)
  const focused = activeElement?.closest<HTMLFormElement>(FORM)
  if (focused) return focused.matches(SAVED_FORM) ? focused : null
  return second ? null : (first ?? null)
}

/** Before the editor, which would break the line. Without a form the keys are the browser's. */
const saveForm = (event: KeyboardEvent): void => {
  if (shortcutOf(event) !== 'save' || event.isComposing || isWindowOpen()) return
  const form = formToSave()
  if (!form) return
  event.preventDefault()
  event.stopPropagation()
  if (event.repeat) return
  const field = document.activeElement
  if (field instanceof HTMLInputElement) {
    // A typed tag becomes a chip and an address is completed when the field is left.
    flushSync(() => field.blur())
    field.focus({ preventScroll: true })
  }
  form.requestSubmit()
}

/** The address of a screen with a form, which may still be loading. */
const FORM_ADDRESS = /\/(?:add|edit)\/?$/

const isFormScreen = (): boolean =>
  document.querySelector(FORM) !== null || FORM_ADDRESS.test(window.location.pathname)

/** What leaves no screen. */
const STAYS: ReadonlySet<Shortcut> = new Set(['palette', 'help', 'undo'])

/**
 * Listens to the keys of the whole page. Keys without Ctrl rest while someone types, and those that leave the screen
 * rest on one with a form; all do while a window is open.
 */
export const useShortcuts = (actions: Record<Exclude<Shortcut, 'save'>, () => void>): void => {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const shortcut = shortcutOf(event)
      if (shortcut === undefined || shortcut === 'save' || event.defaultPrevented || event.isComposing) return
      if (shortcut === 'palette' ? editsText(event) : isField(event.target)) return
      if (shortcut !== 'palette' && shortcut !== 'undo' && !singleKeysWork()) return
      if (!STAYS.has(shortcut) && isFormScreen()) return
      event.preventDefault()
      if (!event.repeat && !isWindowOpen()) latest.current[shortcut]()
    }
    window.addEventListener('keydown', saveForm, { capture: true })
    window.addEventListener('keydown', onKeyDown)
    return () => {
      window.removeEventListener('keydown', saveForm, { capture: true })
      window.removeEventListener('keydown', onKeyDown)
    }
  }, [])
}

/** Opens the form of what the screen shows, where it has a link to one. */
export const editShown = (): void =>
  document.querySelector<HTMLElement>('main a[aria-keyshortcuts="E"]')?.click()

/** Moves the focus to the next row of the lists, or with -1 to the one before; Enter then opens it. */
export const moveInLists = (by: 1 | -1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>(ROW)].filter(targetOf)
  const here = rows.findIndex((row) => row.contains(document.activeElement))
  const row = rows[here === -1 ? (by === 1 ? 0 : rows.length - 1) : here + by]
  if (!row) return
  targetOf(row)?.focus()
  row.scrollIntoView({ block: 'nearest' })
}
