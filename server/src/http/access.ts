import type { CallScope } from '@kopilka/contract/endpoint.ts'
import type { RateLimitName } from '@kopilka/contract/rate-limits.ts'
import { TOKEN_PREFIX, type TokenScope } from '@kopilka/contract/tokens.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Admission } from './admission.ts'
import { bearerOf, type Caller, type Identify } from './caller.ts'
import { networkOf } from './ip-address.ts'
import type { RateLimits } from './rate-limits/rate-limits.ts'

/** The scopes of tokens that suffice. A session suffices for all but the feed. */
export const SUFFICIENT: Readonly<Record<CallScope | 'feed', readonly TokenScope[]>> = {
  read: ['read', 'write'],
  write: ['write'],
  account: [],
  feed: ['feed'],
}

interface Dependencies {
  identify: Identify
  rateLimits: RateLimits
  admission: Admission
}

interface Wanted {
  scope: CallScope | 'feed'
  /** The token, where it is not in the header `Authorization`. */
  token?: string | undefined
  /** How often the request counts. */
  times?: number
  /** What it counts towards where it has a caller. */
  limit?: RateLimitName | undefined
}

/** Identifies and counts the senders of requests. */
export type Access = ReturnType<typeof createAccess>

export function createAccess({ identify, rateLimits, admission }: Dependencies) {
  return {
    /** Counts a request that needs no caller, and resolves when it may begin. Throws 'rateLimited'. */
    async admitAnyone({ ip }: FastifyRequest, reply: FastifyReply, times = 1): Promise<void> {
      const network = networkOf(ip)
      await rateLimits.request({ limit: 'signedOut', key: network }, times)
      await admission.begin(network, reply)
    },

    /**
     * Counts a request and resolves to its caller when it may begin. Throws 'rateLimited', 'unauthorized', and 'tokenForAccount' or 'tokenScope'
     * where the token does not suffice.
     */
    async admit(
      request: FastifyRequest,
      reply: FastifyReply,
      { scope, times = 1, limit = 'signedIn', ...wanted }: Wanted,
    ): Promise<Caller> {
      const token = wanted.token ?? bearerOf(request)
      const identity = token === undefined ? undefined : await identify(token, request.ip)
      const network = networkOf(request.ip)
      await rateLimits.request(
        identity ? { limit, key: identity.caller.owner_id } : { limit: 'signedOut', key: network },
        times,
      )
      await admission.begin(identity?.caller.owner_id ?? network, reply)
      if (!identity) {
        const unknown = async () => {
          throw new AppError('unauthorized')
        }
        // Access tokens expire every day and are no attempt; an API token that is unknown may be one.
        return token?.startsWith(TOKEN_PREFIX)
          ? rateLimits.attempt([{ limit: 'unknownToken', key: network }], unknown)
          : unknown()
      }
      const suffices =
        // No session's token is to stand in an address.
        identity.scope === 'account' ? scope !== 'feed' : SUFFICIENT[scope].includes(identity.scope)
      if (!suffices) throw new AppError(scope === 'account' ? 'tokenForAccount' : 'tokenScope')
      return identity.caller
    },
  }
}
