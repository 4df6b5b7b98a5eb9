/** A rate limit; requests over it get 429. */
export interface Rate {
  readonly times: number
  readonly seconds: number
  /** What is counted: an owner, an IP address, an email, or a known device. */
  readonly per: 'owner' | 'address' | 'account' | 'browser'
  /** Counts only what fails: sign-ins and unknown tokens. */
  readonly counts: 'calls' | 'failures'
}

const MINUTE = 60
const QUARTER_HOUR = 15 * MINUTE
const HOUR = 60 * MINUTE

/**
 * All rate limits. `signedIn` and `signedOut` apply to all calls of that access but those that count towards `copies`, `pages` to
 * everything that is not a call, the others to calls that name them.
 */
export const RATE_LIMITS = {
  signedIn: { times: 600, seconds: MINUTE, per: 'owner', counts: 'calls' },
  /** A client that makes its first copy of a large account leaves its user's requests alone. */
  copies: { times: 600, seconds: MINUTE, per: 'owner', counts: 'calls' },
  signedOut: { times: 600, seconds: MINUTE, per: 'address', counts: 'calls' },
  /** Pages, files and everything that is not a call; a page has some fifteen files. */
  pages: { times: 3_000, seconds: MINUTE, per: 'address', counts: 'calls' },
  registration: { times: 10, seconds: HOUR, per: 'address', counts: 'calls' },
  signInToAccount: { times: 10, seconds: QUARTER_HOUR, per: 'account', counts: 'failures' },
  signInFromAddress: { times: 50, seconds: QUARTER_HOUR, per: 'address', counts: 'failures' },
  /** Replaces the two above for a known device of the account. */
  signInFromKnownBrowser: { times: 10, seconds: QUARTER_HOUR, per: 'browser', counts: 'failures' },
  /** Unknown API tokens. A token that is valid works on from the same address. */
  unknownToken: { times: 50, seconds: QUARTER_HOUR, per: 'address', counts: 'failures' },
  passwordReset: { times: 5, seconds: HOUR, per: 'account', counts: 'calls' },
  passwordResetFromAddress: { times: 20, seconds: HOUR, per: 'address', counts: 'calls' },
  passwordChange: { times: 10, seconds: QUARTER_HOUR, per: 'owner', counts: 'calls' },
  /** A file of an account may have gigabytes. */
  exports: { times: 30, seconds: QUARTER_HOUR, per: 'owner', counts: 'calls' },
  imports: { times: 30, seconds: HOUR, per: 'owner', counts: 'calls' },
  extraction: { times: 30, seconds: MINUTE, per: 'owner', counts: 'calls' },
} as const satisfies Record<string, Rate>

/**
 * A request counts once more for each so many bytes of its body, and of its response unless that is a download. A file that is
 * sent goes to the disk as it comes, two of an owner at a time: a minute has room for fifty pictures of ten megabytes.
 */
const BYTES_PER_COUNT = { json: 100_000, file: 1_000_000 } as const
export type SentBytes = keyof typeof BYTES_PER_COUNT

/** A body or response counts no more often than this: an import of any size may begin. */
const MAX_COUNTS = 100

/** How often a request with so many bytes counts towards `signedIn` or `copies`, besides once. */
export const countsOf = (bytes: number, kind: SentBytes = 'json'): number =>
  Math.min(MAX_COUNTS, Math.floor(bytes / BYTES_PER_COUNT[kind]))

export type RateLimitName = keyof typeof RATE_LIMITS
