import { LOCALES, type Locale } from '@kopilka/contract/field-messages.ts'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** The signed-in user of a request, and the session it belongs to. */
export interface Caller {
  readonly owner_id: string
  readonly session_id: string
}

/** Finds the caller an access token belongs to. */
export type Identify = (accessToken: string) => Promise<Caller | undefined>

/** The caller of a request; undefined without a valid access token. */
export async function callerOf(request: FastifyRequest, identify: Identify): Promise<Caller | undefined> {
  const [, token] = request.headers.authorization?.match(/^Bearer +(\S+)$/i) ?? []
  return token === undefined ? undefined : identify(token)
}

/** The language to respond in: English only where Accept-Language names it before Russian. */
export function localeOf(request: FastifyRequest): Locale {
  const best = new Negotiator(request.raw).language([...LOCALES])
  return LOCALES.find((locale) => locale === best) ?? LOCALES[0]
}
