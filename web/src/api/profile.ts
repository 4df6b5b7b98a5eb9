import { accounts, user } from '@kopilka/contract/accounts.ts'
import * as z from 'zod/mini'
import { call } from './call.ts'
import { CallFailure } from './failure.ts'
import { currentSignIn, storedProfile, storeProfile } from './tokens.ts'

const storedSchema = z.object({ signIn: z.string(), user })

const read = (): unknown => {
  try {
    return JSON.parse(storedProfile() ?? '')
  } catch {
    return undefined
  }
}

type Profile = z.output<typeof user>

/** The present sign-in with its user, as the server had them last. */
export const readStoredProfile = (): { readonly signIn: string; readonly user: Profile } | undefined => {
  const { data } = z.safeParse(storedSchema, read())
  return data?.signIn === currentSignIn() ? data : undefined
}

/** Keeps the profile for a time without a server. Nothing is stored if the user has signed out meanwhile. */
const saveProfile = (user: Profile, signIn: string | undefined): void => {
  if (signIn !== undefined && currentSignIn() === signIn) storeProfile(JSON.stringify({ signIn, user }))
}

/** Whether the profile is one that was stored, because the server did not give it. */
let isStored = false
export const isProfileStored = (): boolean => isStored

/** The user as the server has them; where it fails, but for a 401, as it had them last in this sign-in. */
export const readProfile = async (signal: AbortSignal): Promise<Profile> => {
  const signIn = currentSignIn()
  try {
    const user = await call(accounts.me, {}, { signal })
    isStored = false
    saveProfile(user, signIn)
    return user
  } catch (failure) {
    const known = readStoredProfile()?.user
    if (!known || !(failure instanceof CallFailure) || failure.status === 401) throw failure
    isStored = true
    return known
  }
}
