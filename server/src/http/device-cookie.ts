import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

const COOKIE = 'kopilka_browser'
const SECRET = new RegExp(`(?:^|;) *${COOKIE}=([\\w-]{43})(?:;|$)`)
const YEAR = 365 * 24 * 60 * 60

/** The device (a browser or program) a request comes from, by the cookie that it was given when it signed in. */
export interface DeviceCookie {
  /** As sent, by whoever made it: 32 bytes in base64url. Undefined where there is none. */
  readonly secret: string | undefined
  /** Has the device keep `secret` for a year. It is sent back to the sign-in call only. */
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
