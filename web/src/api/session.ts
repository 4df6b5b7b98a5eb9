import type { Session } from '@kopilka/contract/accounts.ts'
import { endCopySession } from './copy-session.ts'
import {
  accessToken,
  currentSignIn,
  dropTokens,
  markSignIn,
  onTokensElsewhere,
  storeTokens,
} from './tokens.ts'

/**
 * 'expired': the server no longer knows the sign-in; 'no-profile': the user could not be loaded;
 * 'password-reset': the user has set another password, which ends all sessions; 'left': the user signed out, or another tab ended it.
 */
export type SessionEnd = 'expired' | 'no-profile' | 'password-reset' | 'left'

interface SessionListener {
  /** Another tab has signed in or renewed: the tokens are new, and as far as the browser knows the user's own. */
  renewed: () => void
  /** The tokens belong to a sign-in other than the one this page's data came with, perhaps another user's. */
  replaced: () => void
  /** It ended, here or in another tab. */
  ended: (why: SessionEnd) => void
}

const listeners = new Set<SessionListener>()

/** The sign-in whose data this page holds. */
let own = currentSignIn()

/** Signed in means an access token is present. */
export const isSignedIn = (): boolean => accessToken() !== undefined

/** Tells all listeners alike what another tab has changed. */
const compare = (): void => {
  const before = own
  own = currentSignIn()
  for (const { renewed, replaced, ended } of listeners)
    if (own === undefined) {
      if (before !== undefined) ended('left')
    } else if (before === undefined || before === own) renewed()
    else replaced()
}

/** Calls the listener when the session changes, here or in other tabs; returns the function that stops it. */
export const watchSession = (listener: SessionListener): (() => void) => {
  // Once: the listener that comes first, that of the application, stays as long as the page.
  if (!listeners.size) onTokensElsewhere(compare)
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export const startSession = (session: Session): void => {
  markSignIn()
  storeTokens(session)
  own = currentSignIn()
}

/** Removes the tokens and calls the listeners, once. */
export const endSession = (why: SessionEnd): void => {
  if (!isSignedIn()) return
  // Before the tokens go: another tab may take their absence for a sign-out.
  endCopySession(currentSignIn(), why === 'left')
  dropTokens()
  own = undefined
  for (const listener of listeners) listener.ended(why)
}
