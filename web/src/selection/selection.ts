import { useSyncExternalStore } from 'react'

/* What is selected on the screen. One screen has one selection: each that offers one clears it when it is left. */

let selected: ReadonlySet<string> = new Set()
/** Where a range begins that Shift ends; it goes with the selection. */
let anchor: string | undefined
/** Counts the lists that were left. */
let lists = 0
const listeners = new Set<() => void>()

const onSelection = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The ids of what is selected. */
export const selectedIds = (): ReadonlySet<string> => selected

/** Selects these and nothing else. While something is selected every checkbox shows (select-box.module.css). */
export const select = (ids: Iterable<string>): void => {
  selected = new Set(ids)
  if (selected.size === 0) anchor = undefined
  document.documentElement.toggleAttribute('data-selecting', selected.size > 0)
  for (const listener of listeners) listener()
}

/** Ends the selection with the list that it is of. */
export const leaveList = (): void => {
  lists += 1
  select([])
}

/**
 * Called where a change begins. The function that it returns takes what was changed out of the selection: `ids`, or without
 * them all that the list has. What was selected of another list meanwhile stays.
 */
export const beginChange = (ids?: Iterable<string>): (() => void) => {
  const of = lists
  const changed = ids && new Set(ids)
  return () => {
    const left = [...selected].filter((id) => changed && !changed.has(id))
    if (of === lists && left.length < selected.size) select(left)
  }
}

/** The ids that can be selected on the screen, in order. */
export const idsOnScreen = (): string[] =>
  [...document.querySelectorAll<HTMLElement>('[data-select]')].map(({ dataset }) => dataset.select ?? '')

/** Selects one more, or no longer. With `range` all from the one selected last take the state of this one. */
export const toggle = (id: string, range = false): void => {
  const all = idsOnScreen()
  const from = range && anchor !== undefined ? all.indexOf(anchor) : -1
  const [start = 0, end = 0] = [from, all.indexOf(id)].toSorted((one, other) => one - other)
  const others = from < 0 ? [id] : all.slice(start, end + 1)
  const changed = new Set(selected)
  for (const other of others) selected.has(id) ? changed.delete(other) : changed.add(other)
  anchor = id
  select(changed)
}

export const useSelectedIds = (): ReadonlySet<string> => useSyncExternalStore(onSelection, selectedIds)

export const useIsSelected = (id: string): boolean =>
  useSyncExternalStore(onSelection, () => selected.has(id))
