import type { Locale } from '@kopilka/contract/field-messages.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { get, type Network, newWireBudget } from './connection.ts'
import { ENCODINGS, readBody } from './page-body.ts'
import { targetOf } from './targets.ts'

/** A fetched page. */
export interface FetchedPage {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The `Content-Type` header; empty if there is none. */
  readonly contentType: string
}

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])
const PAGE_TYPES = /^(?:text\/html|application\/xhtml\+xml|)$/

const REASONS: Readonly<Record<number, ErrorCode>> = {
  401: 'fetchForbidden',
  402: 'fetchForbidden',
  403: 'fetchForbidden',
  404: 'fetchMissing',
  410: 'fetchMissing',
  429: 'fetchForbidden',
  451: 'fetchForbidden',
}

const LANGUAGES: Readonly<Record<Locale, string>> = { ru: 'ru,en;q=0.5', en: 'en,ru;q=0.5' }

/** Request headers: no cookies, no referrer, only the user's language. */
const headersFor = (locale: Locale) => ({
  'user-agent': 'Mozilla/5.0 (compatible; Kopilka)',
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
  'accept-language': LANGUAGES[locale],
  'accept-encoding': ENCODINGS,
})

interface Fetching {
  readonly locale: Locale
  readonly signal: AbortSignal
  readonly network: Network
}

/**
 * Fetches the page at an address, following redirects. Throws an {@link AppError} whose code says why it cannot be
 * fetched.
 */
export async function fetchPage(
  address: string,
  { locale, signal, network }: Fetching,
): Promise<FetchedPage> {
  const sending = { headers: headersFor(locale), signal, budget: newWireBudget() }
  let url = targetOf(address)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await get(url, sending, network)
    const { statusCode: status = 0, headers } = response
    if (REDIRECTS.has(status) && headers.location !== undefined) {
      response.destroy()
      url = targetOf(asText(headers.location), url)
      continue
    }
    const contentType = headers['content-type'] ?? ''
    const fault = faultOf(status, contentType)
    if (fault) {
      response.destroy()
      throw new AppError(fault)
    }
    return { bytes: new Uint8Array(await readBody(response, signal)), contentType }
  }
  throw new AppError('fetchTooManyRedirects')
}

function faultOf(status: number, contentType: string): ErrorCode | undefined {
  if (status < 200 || status > 299) return REASONS[status] ?? 'fetchFailed'
  const [type = ''] = contentType.split(';')
  return PAGE_TYPES.test(type.trim().toLowerCase()) ? undefined : 'fetchNotPage'
}

/** Decodes a header: Node returns its bytes as Latin-1, but servers write addresses in UTF-8. */
function asText(header: string): string {
  const text = Buffer.from(header, 'latin1').toString()
  return text.includes('\uFFFD') ? header : text
}
