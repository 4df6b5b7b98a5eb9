import { accounts } from '@kopilka/contract/accounts.ts'
import { CallFailure } from './failure.ts'
import { send } from './send.ts'
import { endSession } from './session.ts'
import { accessToken, refreshToken } from './tokens.ts'

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
