import { AppError } from '../errors.ts'
import { kindOfHost } from './hosts.ts'

/** The host of an address as it was written, with a scheme before it or without. */
const WRITTEN_HOST = /^\s*(?:[a-z][a-z\d+.-]*:)?[\\/]{2,}(?:[^\\/?#]*@)?(\[[^\]]*\]|[^\\/?#:]*)/i

/** Reads the address of a page, relative to `base` if there is one; throws a {@link AppError} for what is never opened. */
export function targetOf(text: string, base?: URL): URL {
  const url = URL.parse(text, base?.href)
  if (!url) throw new AppError('fetchBroken')
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw new AppError('fetchScheme')
  if (url.username !== '' || url.password !== '') throw new AppError('fetchCredentials')
  if (isDisguised(url, text)) throw new AppError('fetchClosedAddress')
  return url
}

/** Whether a host is an address to the machine and not to the eye: a dot after it, other digits, percent signs. */
function isDisguised({ hostname }: URL, text: string): boolean {
  const [, written] = WRITTEN_HOST.exec(text) ?? []
  const kind = kindOfHost(hostname)
  return written !== undefined && kind !== 'name' && kindOfHost(written) !== kind
}
