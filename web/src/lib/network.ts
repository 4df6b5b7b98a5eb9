import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { site } from '@kopilka/contract/site.ts'
import { useSyncExternalStore } from 'react'

/** The `about` of messages on what got no response: one message shows, until a response arrives. */
export const NETWORK = 'network'

/** Until the server is tried again: twice as long each time, up to some. */
const FIRST_WAIT_MS = 2_000
const LONGEST_WAIT_MS = 10_000
const TRY_MS = 10_000
/** Where somebody waits to hear whether it is lost. */
const FIRST_TRY_MS = 4_000

let reachable = true
let wait = FIRST_WAIT_MS
let timer: ReturnType<typeof setTimeout> | undefined
let trying: Promise<void> | undefined
const listeners = new Set<() => void>()

/** Whether the server responds, as far as the page knows. */
export const isReachable = (): boolean => reachable

/** Called when the server is lost and when it is back; returns the function that ends it. */
export const onReachable = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const useReachable = (): boolean => useSyncExternalStore(onReachable, isReachable)

const setReachable = (value: boolean): void => {
  if (reachable === value) return
  reachable = value
  for (const listener of listeners) listener()
}

let responses = 0

/** The server itself has responded to a call. */
export const noteResponse = (): void => {
  responses += 1
  clearTimeout(timer)
  timer = undefined
  wait = FIRST_WAIT_MS
  setReachable(true)
}

const tryLater = (): void => {
  clearTimeout(timer)
  timer = setTimeout(tryServer, wait)
  wait = Math.min(2 * wait, LONGEST_WAIT_MS)
}

/** Whatever the server says, it is there; a proxy before it speaks no JSON. */
const doesRespond = async (): Promise<boolean> => {
  try {
    const { headers } = await fetch(API_PREFIX + site.read.path, {
      cache: 'no-store',
      signal: AbortSignal.timeout(reachable ? FIRST_TRY_MS : TRY_MS),
    })
    return headers.get('Content-Type')?.startsWith('application/json') ?? false
  } catch {
    return false
  }
}

const tryOnce = async (): Promise<void> => {
  const before = responses
  const responds = await doesRespond()
  trying = undefined
  // Other calls may have got through while this one hung.
  if (responds || responses !== before) return noteResponse()
  setReachable(false)
  tryLater()
}

const tryServer = (): Promise<void> => {
  trying ??= tryOnce()
  return trying
}

/**
 * Whether the server is lost, of which a call without a response alone says too little: it is tried. `wasLost`: it was before that
 * call, and may be back since.
 */
export const isLost = async (wasLost = false): Promise<boolean> => {
  if (reachable || wasLost) await tryServer()
  return !reachable
}

/** A call got no response: perhaps that one alone, so the server is tried before anything is said. */
export const noteNoResponse = (): void => {
  if (reachable) void tryServer()
}

/** Follows the browser, which knows of its network and of sleep, but not of the server. */
export const watchNetwork = (): void => {
  const tryIfLost = () => {
    if (!reachable) void tryServer()
  }
  window.addEventListener('online', tryIfLost)
  document.addEventListener('visibilitychange', tryIfLost)
  window.addEventListener('offline', () => {
    setReachable(false)
    tryLater()
  })
}
