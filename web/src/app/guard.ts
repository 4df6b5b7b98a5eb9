import type { QueryClient } from '@tanstack/react-query'
import { type ParsedLocation, redirect } from '@tanstack/react-router'
import { meQuery } from '../api/queries.ts'
import { endSession, isSignedIn } from '../api/session.ts'

/** Lets only signed-in users on; the others sign in first and then come back to the very place. */
export const requireSession = (location: ParsedLocation): void => {
  if (!isSignedIn()) throw redirect({ to: '/auth/login', search: { redirect: location.href }, replace: true })
}

/** Loads the profile where it is missing; a user without one is signed out. */
export const loadProfile = async (queryClient: QueryClient): Promise<void> => {
  try {
    await queryClient.ensureQueryData(meQuery)
  } catch {
    endSession('no-profile')
  }
}
