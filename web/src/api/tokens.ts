import type { Session } from '@kopilka/contract/accounts.ts'

/** Where the pair is kept (specification, section 9). */
const ACCESS = 'access_token'
const REFRESH = 'refresh_token'

/** The access token; present means signed in. */
export const accessToken = (): string | undefined => localStorage.getItem(ACCESS) ?? undefined

export const refreshToken = (): string | undefined => localStorage.getItem(REFRESH) ?? undefined

export const storeTokens = ({ access_token, refresh_token }: Session): void => {
  // The refresh token first: other tabs act on the access token, and must find its fellow.
  localStorage.setItem(REFRESH, refresh_token)
  localStorage.setItem(ACCESS, access_token)
}

export const dropTokens = (): void => {
  localStorage.removeItem(REFRESH)
  localStorage.removeItem(ACCESS)
}

/** Called when another tab has signed in, renewed or signed out; answers the function that ends it. */
export const onTokensElsewhere = (listener: (signedIn: boolean) => void): (() => void) => {
  const heard = (event: StorageEvent) => {
    // No key: the whole storage was cleared.
    if (event.key === ACCESS || event.key === null) listener(accessToken() !== undefined)
  }
  window.addEventListener('storage', heard)
  return () => window.removeEventListener('storage', heard)
}
