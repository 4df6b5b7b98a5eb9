import { useSyncExternalStore } from 'react'
import { readWaiting, writeWaiting } from './offline.ts'

interface Waiting {
  readonly count: number
  /** The items and tags that they change, by all ids that a screen may know them by. */
  readonly ids: ReadonlySet<string>
}

const NOTHING: Waiting = { count: 0, ids: new Set() }

let waiting: Waiting = { ...NOTHING, count: readWaiting().changes }
let hasWaited = waiting.count > 0
const listeners = new Set<() => void>()

const subscribe = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

const show = (now: Waiting): void => {
  waiting = now
  hasWaited ||= waiting.count > 0
  for (const listener of listeners) listener()
}

/** `undefined`: nothing waits, and nothing has an id of this browser's. `pictures`: how many only this browser has. */
export const setWaiting = (now: (Waiting & { readonly pictures: number }) | undefined): void => {
  writeWaiting(now && { changes: now.count, pictures: now.pictures })
  show(now ?? NOTHING)
}

/** The session has ended. What waits stays for its user alone: the next user to sign in is shown nothing of it. */
export const hideWaiting = (): void => show(NOTHING)

/** How many changes wait for the server. */
export const useWaitingCount = (): number => useSyncExternalStore(subscribe, () => waiting.count)

/** Whether something waits, or has since this page opened. */
export const useHasWaited = (): boolean => useSyncExternalStore(subscribe, () => hasWaited)

/** Whether a change of an item or tag waits. */
export const useIsWaiting = (id: string): boolean =>
  useSyncExternalStore(subscribe, () => waiting.ids.has(id))
