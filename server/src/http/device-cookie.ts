import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

const COOKIE = 'kopilka_browser'
const SECRET = new RegExp(`(?:^|;) *${COOKIE}=([\\w-]{43})(?:;|$)`)
const YEAR = 365 * 24 * 60 * 60

/** The device (a browser or program) of a request, identified by a cookie set at sign-in. */
export interface DeviceCookie {
  /** The secret as sent, which the server may not have issued: 32 bytes in base64url. Undefined without a cookie. */
  readonly secret: string | undefined
  /** Sets the cookie for a year. Browsers send it to the sign-in call only. */
  remember(secret: string): void
}

export const deviceCookieOf = (request: FastifyRequest, reply: FastifyReply): DeviceCookie => ({
  secret: SECRET.exec(request.headers.cookie ?? '')?.[1],
  remember(secret) {
    const path = `${API_PREFIX}${accounts.login.path}`.slice(0, -1)
    const secure = request.protocol === 'https' ? '; Secure' : ''
    reply.header(
      'set-cookie',
      `${COOKIE}=${secret}; Path=${path}; Max-Age=${YEAR}; HttpOnly; SameSite=Strict${secure}`,
    )
  },
})
