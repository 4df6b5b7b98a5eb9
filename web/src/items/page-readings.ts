import { useSyncExternalStore } from 'react'

/* The pages of links just saved that are being read for a title, a description and tags. */

const underWay = new Map<string, AbortController>()
const listeners = new Set<() => void>()

const notify = (): void => {
  for (const listener of listeners) listener()
}

const onChange = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Notes that the page of a link is being read; the signal says when that is given up. */
export const startReading = (id: string): AbortSignal => {
  const controller = new AbortController()
  underWay.set(id, controller)
  notify()
  return controller.signal
}

/** Ends the reading of a link's page: it is over, or nobody wants it any more. */
export const endReading = (id: string): void => {
  underWay.get(id)?.abort()
  if (underWay.delete(id)) notify()
}

export const endAllReadings = (): void => {
  for (const id of underWay.keys()) endReading(id)
}

/** Whether the page of a link is being read. */
export const useIsBeingRead = (id: string): boolean => useSyncExternalStore(onChange, () => underWay.has(id))
