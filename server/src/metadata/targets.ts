import { AppError } from '../errors.ts'
import { kindOfHost } from './hosts.ts'

/** The host of an address as typed, with or without a scheme. */
const WRITTEN_HOST = /^\s*(?:[a-z][a-z\d+.-]*:)?[\\/]{2,}(?:[^\\/?#]*@)?(\[[^\]]*\]|[^\\/?#:]*)/i

/**
 * Parses the address of a page, relative to `base` if given. Throws an {@link AppError} for addresses that are never
 * opened.
 */
export function targetOf(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new AppError('fetchBroken')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new AppError('fetchScheme')
  if (url.username !== '' || url.password !== '') throw new AppError('fetchCredentials')
  if (isDisguised(url, text)) throw new AppError('fetchClosedAddress')
  return url
}

/** Whether a host is an IP address in a notation that hides it: a trailing dot, other digits, percent signs. */
function isDisguised({ hostname }: URL, text: string): boolean {
  const [, written] = WRITTEN_HOST.exec(text) ?? []
  const kind = kindOfHost(hostname)
  return written !== undefined && kind !== 'name' && kindOfHost(written) !== kind
}
