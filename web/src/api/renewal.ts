import { accounts } from '@kopilka/contract/accounts.ts'
import { CallFailure } from './failure.ts'
import { send } from './send.ts'
import { accessToken, refreshToken, storeTokens } from './tokens.ts'

/** Local storage reaches other tabs with a delay: the next tab must not renew with the old token. */
const STORAGE_SPREADS_MS = 250

/** One at a time in all tabs. Browsers have locks on https and localhost only; elsewhere the server bears a race. */
const alone = <T>(work: () => Promise<T>): Promise<T> => {
  if (!('locks' in navigator)) return work()
  return new Promise((resolve, reject) => {
    const held = async () => {
      await work().then(resolve, reject)
      await new Promise((done) => setTimeout(done, STORAGE_SPREADS_MS))
    }
    navigator.locks.request('kopilka-renewal', held).catch(reject)
  })
}

const renewUnlessDone = async (dead: string): Promise<boolean> => {
  const refresh_token = refreshToken()
  if (accessToken() !== dead || refresh_token === undefined) return accessToken() !== undefined
  try {
    const { value } = await send(accounts.refresh, { body: { refresh_token } }, undefined)
    // Another tab has renewed meanwhile, and its pair is the later one; or the user has signed out.
    if (refreshToken() !== refresh_token) return accessToken() !== undefined
    storeTokens(value)
    return true
  } catch (failure) {
    if (!(failure instanceof CallFailure && (failure.status === 400 || failure.status === 401))) throw failure
    return refreshToken() !== refresh_token && accessToken() !== undefined
  }
}

let underWay: Promise<boolean> | undefined

/** Puts a new pair in the place of the dead access token's, or finds another tab's; false where only signing in helps. */
export const renewTokens = (dead: string): Promise<boolean> => {
  underWay ??= alone(() => renewUnlessDone(dead)).finally(() => {
    underWay = undefined
  })
  return underWay
}
