import { keepFocus } from '../lib/keep-focus.ts'
import { isField, letterOf, singleKeysWork } from '../lib/keys.ts'
import { isOrWasCovered } from './covered.ts'
import { idsOnScreen, select, selectedIds, toggle } from './selection.ts'

/*
 * Keys and fingers of every screen with a selection, which load-gestures.ts loads. Ctrl+A selects the screen, X the row
 * that has the focus, Esc leaves the selection, Delete deletes it, or without one what the screen shows. A long press selects a
 * row, and taps then select more.
 */

const LONG_PRESS_MS = 500
/** A finger that rests still trembles. */
const STILL_PX = 10

const BOX = '[data-select]'
/** A tag's chip is a list item as well, within the row that has the box. */
const SELECTABLE = `:is(article, li):has(> ${BOX})`

/** The checkbox of the row around an element. */
const boxAround = (target: EventTarget | null): HTMLElement | null => {
  const row = target instanceof Element ? target.closest(SELECTABLE) : null
  return row?.querySelector<HTMLElement>(`:scope > ${BOX}`) ?? null
}

const toggleBox = (box: HTMLElement, range = false): void => toggle(box.dataset.select ?? '', range)

/** What a key does to the selection; absent where it does nothing. */
const effectOf = (event: KeyboardEvent): (() => void) | undefined => {
  const withCtrl = event.ctrlKey || event.metaKey
  const isAny = selectedIds().size > 0
  if (event.altKey) return undefined
  if (withCtrl && !event.shiftKey && letterOf(event) === 'a') {
    const ids = idsOnScreen()
    if (ids.length === 0) return undefined
    return () => {
      // If the key was pressed before the rows had loaded, the browser has selected the text of the page.
      getSelection()?.removeAllRanges()
      select(ids)
    }
  }
  if (withCtrl) return undefined
  if (event.key === 'Escape' && isAny) return () => select([])
  if (event.key === 'Delete') {
    const button = document.querySelector<HTMLElement>(
      isAny ? '[data-delete-selected]' : 'main [aria-keyshortcuts="Delete"]',
    )
    return button ? () => button.click() : undefined
  }
  const box = letterOf(event) === 'x' && singleKeysWork() ? boxAround(event.target) : null
  return box ? () => toggleBox(box, event.shiftKey) : undefined
}

const takeKey = (event: KeyboardEvent): void => {
  if (event.isComposing || isField(event.target)) return
  if (isOrWasCovered()) return
  const effect = effectOf(event)
  if (!effect) return
  event.preventDefault()
  effect()
}

const onKeyDown = (event: KeyboardEvent): void => {
  if (!event.defaultPrevented) takeKey(event)
}

let press: { x: number; y: number; timer: number } | undefined
/** The long press has selected: the click and the menu that follow it belong to it. */
let pressed = false
/** What pointed last: taps select more, clicks of a mouse open. */
let pointer = ''

const endPress = (): void => {
  if (press) window.clearTimeout(press.timer)
  press = undefined
}

const onPointerDown = (event: PointerEvent): void => {
  const { pointerType, target, clientX, clientY, isPrimary, timeStamp } = event
  endPress()
  pointer = pointerType
  pressed = false
  const box = boxAround(target)
  // A link to the web keeps the browser's own menu: open in a new tab, copy the address.
  const isWebLink = target instanceof Element && target.closest('a[target]') !== null
  if (pointerType === 'mouse' || !isPrimary || !box || isWebLink || target === box) return
  // The finger may have come before this module.
  const rest = timeStamp + LONG_PRESS_MS - performance.now()
  const timer = window.setTimeout(() => {
    press = undefined
    pressed = true
    toggleBox(box)
    navigator.vibrate?.(10)
  }, rest)
  press = { x: clientX, y: clientY, timer }
}

const onPointerMove = ({ clientX, clientY }: PointerEvent): void => {
  if (press && Math.hypot(clientX - press.x, clientY - press.y) > STILL_PX) endPress()
}

const onClick = (event: MouseEvent): void => {
  const box = boxAround(event.target)
  const isTap = pointer === 'touch' && selectedIds().size > 0 && box !== null && event.target !== box
  if (!pressed && !isTap) return
  event.preventDefault()
  event.stopPropagation()
  if (!pressed && box) toggleBox(box)
  pressed = false
}

const onContextMenu = (event: MouseEvent): void => {
  if (press || pressed) event.preventDefault()
}

/** Takes what happened before this module had loaded, in order. */
export const takeEarly = (events: Event[]): void => {
  keepFocus(events.at(-1)?.target ?? null)
  for (const event of events.splice(0)) {
    if (event instanceof KeyboardEvent) takeKey(event)
    else if (event instanceof PointerEvent && event.type === 'pointerdown') onPointerDown(event)
    else endPress()
  }
}

window.addEventListener('keydown', onKeyDown)
window.addEventListener('pointerdown', onPointerDown, { passive: true })
window.addEventListener('pointermove', onPointerMove, { passive: true })
for (const type of ['pointerup', 'pointercancel']) window.addEventListener(type, endPress)
window.addEventListener('click', onClick, { capture: true })
window.addEventListener('contextmenu', onContextMenu)
