import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { isSignedIn } from '../api/session.ts'

/** Lets only signed-in users on; the others sign in first and then come back to the very place. */
export const requireSession = (location: ParsedLocation): void => {
  if (!isSignedIn()) throw redirect({ to: '/auth/login', search: { redirect: location.href }, replace: true })
}
