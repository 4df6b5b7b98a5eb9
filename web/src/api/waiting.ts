import { useSyncExternalStore } from 'react'
import { readWaiting, writeWaiting } from './offline.ts'

export interface Waiting {
  readonly count: number
  /** How many of them are sent by themselves. */
  readonly sendable: number
  /** How many of them the server did not take, so that the user has to decide. Others of the same items wait behind these. */
  readonly undecided: number
  /** The items and tags that they change, by all ids that a screen may know them by. */
  readonly ids: ReadonlySet<string>
  /** Those of them of which something is to be decided. */
  readonly undecidedIds: ReadonlySet<string>
}

const NOTHING: Waiting = { count: 0, sendable: 0, undecided: 0, ids: new Set(), undecidedIds: new Set() }

const { changes, sendable, undecided } = readWaiting()
let waiting: Waiting = { ...NOTHING, count: changes, sendable, undecided }
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
  writeWaiting(now && { ...now, changes: now.count })
  show(now ?? NOTHING)
}

/** The session has ended. What waits stays for its user alone: the next user to sign in is shown nothing of it. */
export const hideWaiting = (): void => show(NOTHING)

/** How many changes wait for the server, or for a decision. */
export const useWaiting = (): Waiting => useSyncExternalStore(subscribe, () => waiting)

/** Whether something waits, or has since this page opened. */
export const useHasWaited = (): boolean => useSyncExternalStore(subscribe, () => hasWaited)

/** Whether a change of an item or tag waits, and for what. */
export const useWaitsFor = (id: string): 'server' | 'decision' | undefined =>
  useSyncExternalStore(subscribe, () =>
    waiting.undecidedIds.has(id) ? 'decision' : waiting.ids.has(id) ? 'server' : undefined,
  )
