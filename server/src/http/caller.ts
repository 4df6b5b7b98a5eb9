import { LOCALES, type Locale } from '@kopilka/contract/field-messages.ts'
import type { TokenScope } from '@kopilka/contract/tokens.ts'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** The signed-in user of a request. */
export interface Caller {
  readonly owner_id: string
  /** The session of the request, or the API token: its id. */
  readonly session_id: string
}

/** Whom a token identifies. `scope`: of an API token; `account`: a session, which may do everything. */
export interface Identity {
  readonly caller: Caller
  readonly scope: TokenScope | 'account'
}

/** Finds whom an access token or an API token belongs to. `address`: the IP address that it came from. */
export type Identify = (token: string, address: string) => Promise<Identity | undefined>

/** The token of the header `Authorization: Bearer`. */
export const bearerOf = ({ headers }: FastifyRequest): string | undefined =>
  headers.authorization?.match(/^Bearer +(\S+)$/i)?.[1]

/** Characters of Accept-Language that are read: browsers send some fifty. */
const LANGUAGES_READ = 200

/** The language to respond in: English only where Accept-Language names it before Russian. */
export function localeOf({ headers }: FastifyRequest): Locale {
  const languages = headers['accept-language']?.slice(0, LANGUAGES_READ)
  const best = new Negotiator({ headers: { 'accept-language': languages } }).language([...LOCALES])
  return LOCALES.find((locale) => locale === best) ?? LOCALES[0]
}
