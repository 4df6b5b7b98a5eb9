import type { Session } from '@kopilka/contract/accounts.ts'

/** Where the pair is kept (docs/specification.md, section 9). */
const ACCESS = 'access_token'
const REFRESH = 'refresh_token'
/** When this sign-in began: distinguishes it from the next one, which may be another user's. Renewals keep it. */
const SIGNED_IN_AT = 'signed_in_at'
/** Who is signed in (profile.ts). */
const PROFILE = 'profile'

/** The access token; present means signed in. */
export const accessToken = (): string | undefined => localStorage.getItem(ACCESS) ?? undefined

export const refreshToken = (): string | undefined => localStorage.getItem(REFRESH) ?? undefined

/** The sign-in the tokens belong to; absent when signed out. */
export const currentSignIn = (): string | undefined =>
  accessToken() === undefined ? undefined : (localStorage.getItem(SIGNED_IN_AT) ?? '')

export const markSignIn = (): void => localStorage.setItem(SIGNED_IN_AT, String(Date.now()))

export const storeTokens = ({ access_token, refresh_token }: Session): void => {
  // The refresh token first: other tabs act on the access token, and must find its fellow.
  localStorage.setItem(REFRESH, refresh_token)
  localStorage.setItem(ACCESS, access_token)
}

export const storedProfile = (): string | null => localStorage.getItem(PROFILE)

/** Where the browser has no room for it, the page opens signed in only where the server responds. */
export const storeProfile = (profile: string): void => {
  try {
    localStorage.setItem(PROFILE, profile)
  } catch {
    localStorage.removeItem(PROFILE)
  }
}

export const dropTokens = (): void => {
  localStorage.removeItem(PROFILE)
  localStorage.removeItem(SIGNED_IN_AT)
  localStorage.removeItem(REFRESH)
  localStorage.removeItem(ACCESS)
}

/** Called when another tab has signed in, renewed or signed out, or may have while this page lay frozen. */
export const onTokensElsewhere = (listener: () => void): void => {
  window.addEventListener('storage', ({ key }) => {
    // No key: the whole storage was cleared.
    if (key === ACCESS || key === null) listener()
  })
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) listener()
  })
}
