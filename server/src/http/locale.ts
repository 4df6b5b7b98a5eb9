import { LOCALES, type Locale } from '@kopilka/contract/messages.ts'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** The language to answer in: English only where Accept-Language names it before Russian. */
export function localeOf(request: FastifyRequest): Locale {
  const best = new Negotiator(request.raw).language([...LOCALES])
  return LOCALES.find((locale) => locale === best) ?? LOCALES[0]
}
