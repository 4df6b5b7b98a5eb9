/** Characters that mail servers or readers ignore: invisible ones, and the quotes around a local part. */
const IGNORED = /[\p{Cf}\p{Default_Ignorable_Code_Point}"\\]/gu

/** An ASCII character that host names cannot have; a URL parser would end the host there. */
const NOT_IN_HOST = /(?![a-z\d._-])\p{ASCII}/u

const fold = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(IGNORED, '').normalize('NFKC')

/** A domain in ASCII (UTS #46) as in DNS; unchanged if it is not a domain. */
function toAscii(domain: string): string {
  if (NOT_IN_HOST.test(domain)) return domain
  return URL.parse(`http://${domain}`)?.hostname.replace(/\.+$/, '') || domain
}

/**
 * A key shared by all spellings of a mailbox: letter case, full-width letters, invisible characters, quotes and the
 * Unicode form of the domain make no difference. Accounts are unique by it, and rate limits count by it.
 */
export function emailKey(email: string): string {
  const at = email.lastIndexOf('@')
  return `${fold(email.slice(0, at))}@${toAscii(fold(email.slice(at + 1)))}`
}
