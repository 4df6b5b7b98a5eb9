import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

const COOKIE = 'kopilka_browser'
const SECRETS = new RegExp(`(?:^|;) *${COOKIE}=([\\w-]{43}(?:\\.[\\w-]{43})*)(?:;|$)`)
const YEAR = 365 * 24 * 60 * 60
/** Most accounts for which a browser is known: those that signed in last. */
const AT_MOST = 10

/** The device (a browser or program) of a request, identified by a cookie set at sign-in: a secret for each of its accounts. */
export interface DeviceCookie {
  /** As sent, the latest first. The server may have issued none of them. Each is 32 bytes in base64url. */
  readonly secrets: readonly string[]
  /** Sets the cookie for a year, with the other secrets behind this one. Browsers send it to the sign-in call only. */
  remember(secret: string): void
}

export function deviceCookieOf(request: FastifyRequest, reply: FastifyReply): DeviceCookie {
  const secrets =
    SECRETS.exec(request.headers.cookie ?? '')?.[1]
      ?.split('.')
      .slice(0, AT_MOST) ?? []
  return {
    secrets,
    remember(secret) {
      const path = `${API_PREFIX}${accounts.login.path}`.slice(0, -1)
      const secure = request.protocol === 'https' ? '; Secure' : ''
      const value = [...new Set([secret, ...secrets])].slice(0, AT_MOST).join('.')
      reply.header(
        'set-cookie',
        `${COOKIE}=${value}; Path=${path}; Max-Age=${YEAR}; HttpOnly; SameSite=Strict${secure}`,
      )
    },
  }
}
