import { isField, letterOf } from '../lib/keys.ts'
import './covered.ts'

/* Loads gestures.ts after the screen, and hands over the keys and touches that came before. Small: every screen loads it. */

/** The first screen comes first. */
const LOAD_AFTER_MS = 3_000

const loaded = new AbortController()
const early: Event[] = []
let isLoading = false

/** Loads the gestures; after a failure the next call tries again. */
const loadGestures = (): void => {
  if (isLoading) return
  isLoading = true
  import('./gestures.ts').then(
    ({ takeEarly }) => {
      loaded.abort()
      takeEarly(early)
    },
    () => {
      isLoading = false
      early.length = 0
    },
  )
}

const onInput = (event: Event): void => {
  if (event.defaultPrevented) return
  // Ctrl+A selects the rows: the browser must not select the text of the page.
  if (
    event instanceof KeyboardEvent &&
    (event.ctrlKey || event.metaKey) &&
    letterOf(event) === 'a' &&
    !isField(event.target) &&
    document.querySelector('[data-select]')
  )
    event.preventDefault()
  early.push(event)
  loadGestures()
}

for (const type of ['keydown', 'pointerdown', 'pointerup', 'pointercancel'])
  window.addEventListener(type, onInput, { signal: loaded.signal })
setTimeout(loadGestures, LOAD_AFTER_MS)
