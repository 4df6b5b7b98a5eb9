import { accounts } from '@kopilka/contract/accounts.ts'
import { emailKey } from '@kopilka/contract/email-key.ts'
import type { Db } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { RateLimits } from '../http/rate-limits/rate-limits.ts'
import type { Server } from '../http/serve.ts'
import { findDevice } from './known-devices.ts'
import type { Sessions, VerifiedUser } from './sessions.ts'
import { newSecret } from './tokens.ts'

interface Dependencies {
  db: Db
  sessions: Sessions
  rateLimits: RateLimits
  ownerOf: (email: string) => Promise<string | undefined>
  /** Throws 'wrongCredentials', after the same time for an unknown email. */
  checkCredentials: (credentials: { email: string; password: string }) => Promise<VerifiedUser>
}

/** Serves sign-in, renewal and sign-out. */
export function serveSessions(
  { serve }: Server,
  { db, sessions, rateLimits, ownerOf, checkCredentials }: Dependencies,
): void {
  serve(accounts.login, async ({ body, address, device }) => {
    const account = emailKey(body.email)
    const { secrets } = device
    const known =
      secrets.length === 0
        ? undefined
        : await findDevice(db, { email: body.email, owner_id: await ownerOf(body.email), secrets })
    const counters =
      known === undefined
        ? [
            { limit: 'signInToAccount', key: account } as const,
            { limit: 'signInFromAddress', key: address } as const,
          ]
        : [{ limit: 'signInFromKnownBrowser', key: `${account}\0${known}` } as const]
    return rateLimits.attempt(counters, async (counters) => {
      const proof = await checkCredentials(body)
      const secret = known ?? newSecret()
      const session = await sessions.begin(proof, { device: secret, counters })
      device.remember(secret)
      return session
    })
  })

  serve(accounts.refresh, async ({ body }) => {
    const session = await sessions.renew(body.refresh_token)
    if (!session) throw new AppError('unauthorized')
    return session
  })

  serve(accounts.logout, async ({ caller }) => {
    await sessions.end(caller)
    return {}
  })
}
