import type { User } from '@kopilka/contract/accounts.ts'
import { readStoredProfile } from '../api/profile.ts'
import { storeProfile } from '../api/tokens.ts'

/** Keeps what the user has changed of their profile, unless another one has signed in meanwhile. */
export const keepChangedProfile = (user: User): void => {
  const known = readStoredProfile()
  if (known?.user.id === user.id) storeProfile(JSON.stringify({ ...known, user }))
}
