import type { IncomingMessage } from 'node:http'
import type { Locale } from '@kopilka/contract/field-messages.ts'
import { AppError, type ErrorCode } from '../errors.ts'
import { get, type Network, newWireBudget } from './connection.ts'
import { bodyOf, ENCODINGS, readBody } from './page-body.ts'
import { targetOf } from './targets.ts'

/** A fetched page. */
export interface FetchedPage {
  readonly bytes: Uint8Array<ArrayBuffer>
  /** The `Content-Type` header; empty if there is none. */
  readonly contentType: string
}

const MAX_REDIRECTS = 5
const REDIRECTS = new Set([301, 302, 303, 307, 308])

const REASONS: Readonly<Record<number, ErrorCode>> = {
  401: 'fetchForbidden',
  402: 'fetchForbidden',
  403: 'fetchForbidden',
  404: 'fetchMissing',
  410: 'fetchMissing',
  429: 'fetchBusy',
  451: 'fetchForbidden',
}

const LANGUAGES: Readonly<Record<Locale, string>> = { ru: 'ru,en;q=0.5', en: 'en,ru;q=0.5' }

/** Request headers: no cookies, no referrer, only the user's language. */
const headersFor = (locale: Locale, accept: string) => ({
  'user-agent': 'Mozilla/5.0 (compatible; Kopilka)',
  accept,
  'accept-language': LANGUAGES[locale],
  'accept-encoding': ENCODINGS,
})

interface Fetching {
  readonly locale: Locale
  readonly signal: AbortSignal
  readonly network: Network
}

interface Wanted {
  /** The `Accept` header. */
  readonly accept: string
  /** Media types, in lower case. */
  readonly types: RegExp
  /** The error of other types. */
  readonly otherType: ErrorCode
  /** Most bytes over the wire; absent: those of a page. */
  readonly wireBytes?: number
}

/** The response at an address, after redirects. Throws an {@link AppError} whose code says why there is none. */
async function open(
  address: string,
  { accept, types, otherType, wireBytes }: Wanted,
  { locale, signal, network }: Fetching,
): Promise<IncomingMessage> {
  const sending = { headers: headersFor(locale, accept), signal, budget: newWireBudget(wireBytes) }
  let url = targetOf(address)
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await get(url, sending, network)
    const { statusCode: status = 0, headers } = response
    if (REDIRECTS.has(status) && headers.location !== undefined) {
      response.destroy()
      url = targetOf(asText(headers.location), url)
      continue
    }
    const [type = ''] = (headers['content-type'] ?? '').split(';')
    const isWanted = types.test(type.trim().toLowerCase())
    const fault = faultOf(status) ?? (isWanted ? undefined : otherType)
    if (fault) {
      response.destroy()
      throw new AppError(fault)
    }
    return response
  }
  throw new AppError('fetchTooManyRedirects')
}

const PAGE: Wanted = {
  accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
  types: /^(?:text\/html|application\/xhtml\+xml|)$/,
  otherType: 'fetchNotPage',
}

/**
 * Fetches the page at an address, following redirects. Throws an {@link AppError} whose code says why it cannot be
 * fetched.
 */
export async function fetchPage(address: string, fetching: Fetching): Promise<FetchedPage> {
  const response = await open(address, PAGE, fetching)
  const contentType = response.headers['content-type'] ?? ''
  return { bytes: new Uint8Array(await readBody(response, fetching.signal)), contentType }
}

/** Room for what surrounds the bytes of a picture: headers, and the lengths of chunks. */
const OVERHEAD = 1024 * 1024

const PICTURE: Wanted = {
  accept: 'image/avif,image/webp,image/png,image/jpeg,image/gif,image/*;q=0.5',
  // Some servers send pictures as files; what they are shows in their content.
  types: /^(?:image\/.+|application\/octet-stream|binary\/octet-stream|)$/,
  otherType: 'fetchNotPicture',
}

/** Errors of pages, and what they are for pictures. */
const OF_PICTURES: Readonly<Partial<Record<ErrorCode, ErrorCode>>> = {
  fetchScheme: 'fetchPictureScheme',
  fetchTooSlow: 'fetchPictureSlow',
  fetchMissing: 'fetchPictureMissing',
  fetchForbidden: 'fetchPictureForbidden',
  fetchFailed: 'fetchPictureFailed',
  fetchDamaged: 'fileDamaged',
}

/**
 * Fetches the picture at an address in the same way and gives its bytes, up to one more than `maxBytes`, to `take` as they come. A
 * response that breaks off ends.
 */
export async function fetchPicture<T>(
  address: string,
  { maxBytes, ...fetching }: Fetching & { maxBytes: number },
  take: (bytes: AsyncIterable<Uint8Array>) => Promise<T>,
): Promise<T> {
  const wireBytes = maxBytes + maxBytes / 8 + OVERHEAD
  const response = await open(address, { ...PICTURE, wireBytes }, fetching)
  return take(bodyOf(response, fetching.signal, { maxBytes: maxBytes + 1 }))
}

/** Converts the error of a page to that of a picture. */
export const toPictureError = (error: AppError): AppError => {
  const code = OF_PICTURES[error.code]
  return code ? new AppError(code) : error
}

const faultOf = (status: number): ErrorCode | undefined =>
  status < 200 || status > 299 ? (REASONS[status] ?? 'fetchFailed') : undefined

/** Decodes a header: Node returns its bytes as Latin-1, but servers write addresses in UTF-8. */
function asText(header: string): string {
  const text = Buffer.from(header, 'latin1').toString()
  return text.includes('\uFFFD') ? header : text
}
