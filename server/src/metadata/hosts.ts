import { isIPv4, isIPv6 } from 'node:net'
import { isPublic } from './addresses.ts'

/** What a host in a URL is: an address in the open internet, one that is not (or a spelling meant to deceive), a name. */
export type HostKind = 'public' | 'closed' | 'name'

/** A part of an IPv4 address as inet_aton reads it: decimal, octal, hexadecimal. */
const NUMBER = /^(?:0x[\da-f]*|\d+)$/i

/** Tells what a host is, as someone wrote it or as a URL holds it; IPv6 with or without its brackets. */
export function kindOfHost(host: string): HostKind {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (isIPv6(bare)) return isPublic(bare) ? 'public' : 'closed'
  if (/[%/:[\]\\\s]/.test(bare)) return 'closed'
  const labels = bare.split('.')
  const [last = ''] = labels.slice(-1)
  const numbers = labels.filter((label) => NUMBER.test(label))
  if (numbers.length === labels.length && labels.length <= 4) return kindOfNumbers(bare)
  // An address with a dot too many is none, and a loose reader may take it for one all the same.
  const filled = labels.filter((label) => label !== '')
  if (filled.length < labels.length && filled.length === numbers.length) return 'closed'
  return labels.slice(0, last === '' ? -1 : undefined).includes('') ? 'closed' : 'name'
}

/** One to four numbers: the URL standard reads them as inet_aton did. */
function kindOfNumbers(numbers: string): HostKind {
  const address = URL.parse(`http://${numbers}/`)?.hostname ?? ''
  return isIPv4(address) && isPublic(address) ? 'public' : 'closed'
}
