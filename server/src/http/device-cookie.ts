import { randomBytes } from 'node:crypto'
import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'

const COOKIE = 'kopilka_browser'
const SECRET = new RegExp(`(?:^|;) *${COOKIE}=([\\w-]{43})(?:;|$)`)
const YEAR = 365 * 24 * 60 * 60

/** The browser (or program) a request comes from, by a secret that it was given when it signed in. */
export interface Browser {
  /** Undefined for one that was given none, or threw it away. */
  readonly secret: string | undefined
  /** Gives it a secret to keep for a year, the one it has if it has one. It is sent back to the sign-in call only. */
  remember(): string
}

export function browserOf(request: FastifyRequest, reply: FastifyReply): Browser {
  const secret = SECRET.exec(request.headers.cookie ?? '')?.[1]
  return {
    secret,
    remember() {
      const kept = secret ?? randomBytes(32).toString('base64url')
      const path = `${API_PREFIX}${accounts.login.path}`.slice(0, -1)
      const secure = request.protocol === 'https' ? '; Secure' : ''
      reply.header(
        'set-cookie',
        `${COOKIE}=${kept}; Path=${path}; Max-Age=${YEAR}; HttpOnly; SameSite=Strict${secure}`,
      )
      return kept
    },
  }
}
