/** How often something may be done before 429 is answered. */
export interface Rate {
  readonly times: number
  readonly seconds: number
  /** Whose doing is counted: an owner's, an IP address's, that of whoever names an email, or one browser's. */
  readonly per: 'owner' | 'address' | 'account' | 'browser'
  /** Counts failed sign-ins only. */
  readonly counts: 'calls' | 'failures'
}

const MINUTE = 60
const QUARTER_HOUR = 15 * MINUTE
const HOUR = 60 * MINUTE

/** Every rate limit. `signedIn` and `signedOut` hold for all calls of that access, `pages` for all that is no call; the others where a call names them. */
export const RATE_LIMITS = {
  signedIn: { times: 600, seconds: MINUTE, per: 'owner', counts: 'calls' },
  signedOut: { times: 600, seconds: MINUTE, per: 'address', counts: 'calls' },
  /** Pages, files and whatever is no call; a page is some fifteen files. */
  pages: { times: 3_000, seconds: MINUTE, per: 'address', counts: 'calls' },
  registration: { times: 10, seconds: HOUR, per: 'address', counts: 'calls' },
  signInToAccount: { times: 10, seconds: QUARTER_HOUR, per: 'account', counts: 'failures' },
  signInFromAddress: { times: 50, seconds: QUARTER_HOUR, per: 'address', counts: 'failures' },
  /** In place of the two above, for a browser that was signed in to the account before. */
  signInFromKnownBrowser: { times: 10, seconds: QUARTER_HOUR, per: 'browser', counts: 'failures' },
  passwordReset: { times: 5, seconds: HOUR, per: 'account', counts: 'calls' },
  passwordResetFromAddress: { times: 20, seconds: HOUR, per: 'address', counts: 'calls' },
  passwordChange: { times: 10, seconds: QUARTER_HOUR, per: 'owner', counts: 'calls' },
  extraction: { times: 30, seconds: MINUTE, per: 'owner', counts: 'calls' },
} as const satisfies Record<string, Rate>

export type RateLimitName = keyof typeof RATE_LIMITS
