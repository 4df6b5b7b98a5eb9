import { accounts } from '@kopilka/contract/accounts.ts'
import { mayHaveCopy } from './copy-session.ts'
import { CallFailure } from './failure.ts'
import { loadOffline } from './offline.ts'
import { send } from './send.ts'
import { endSession } from './session.ts'
import { accessToken, refreshToken } from './tokens.ts'

/** Most milliseconds for which a database that does not respond may delay a sign-out. */
const PATIENCE_MS = 500

/** Signs out once the database says so too: it outlives a browser that is killed in the next seconds (app/revived-session.ts). */
export const signOutDurably = async (): Promise<void> => {
  const tooLate = new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
  const noted = mayHaveCopy() && loadOffline().then((offline) => offline?.noteSignOut())
  await Promise.race([noted, tooLate]).catch(() => undefined)
  signOut()
}

/** Signs out here at once, and on the server as soon as it responds. */
export const signOut = (): void => {
  const access = accessToken()
  const refresh = refreshToken()
  endSession('left')
  endOnServer(access, refresh).catch(() => undefined)
}

/** Renews an expired access token for this alone: the session would otherwise stay valid for a month. */
const endOnServer = async (access: string | undefined, refresh_token: string | undefined): Promise<void> => {
  try {
    await send(accounts.logout, {}, access)
  } catch (failure) {
    if (!(failure instanceof CallFailure && failure.status === 401) || refresh_token === undefined)
      throw failure
    const { value } = await send(accounts.refresh, { body: { refresh_token } }, undefined)
    await send(accounts.logout, {}, value.access_token)
  }
}
