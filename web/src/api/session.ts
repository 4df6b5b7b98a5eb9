import { accounts, type Session } from '@kopilka/contract/accounts.ts'
import { send } from './send.ts'
import { accessToken, dropTokens, onTokensElsewhere, storeTokens } from './tokens.ts'

/**
 * 'expired': the server no longer knows the sign-in; 'no-profile': the user could not be loaded;
 * 'left': the user signed out, here or in another tab.
 */
export type SessionEnd = 'expired' | 'no-profile' | 'left'

interface SessionListener {
  started: () => void
  ended: (why: SessionEnd) => void
}

const listeners = new Set<SessionListener>()

/** Signed in means an access token is present. */
export const isSignedIn = (): boolean => accessToken() !== undefined

/** Told when a session begins in another tab or ends anywhere; answers the function that ends it. */
export const watchSession = (listener: SessionListener): (() => void) => {
  listeners.add(listener)
  const stop = onTokensElsewhere((signedIn) => (signedIn ? listener.started() : listener.ended('left')))
  return () => {
    listeners.delete(listener)
    stop()
  }
}

export const startSession = (session: Session): void => storeTokens(session)

/** Forgets the tokens and tells the listeners, once. */
export const endSession = (why: SessionEnd): void => {
  if (!isSignedIn()) return
  dropTokens()
  for (const listener of listeners) listener.ended(why)
}

/** Signs out here at once; the server hears of it when it can. */
export const signOut = (): void => {
  const token = accessToken()
  endSession('left')
  send(accounts.logout, {}, token).catch(() => undefined)
}
