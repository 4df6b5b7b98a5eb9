import { isIPv4, isIPv6 } from 'node:net'
import { isPublic } from './addresses.ts'

/** Kind of a host: a public address, another address (or a deceptive notation), or a name. */
export type HostKind = 'public' | 'closed' | 'name'

/** A part of an IPv4 address as read by inet_aton: decimal, octal or hexadecimal. */
const NUMBER = /^(?:0x[\da-f]*|\d+)$/i

/** The kind of a host, as typed or from a URL; IPv6 with or without brackets. */
export function kindOfHost(host: string): HostKind {
  const bare = host.replace(/^\[(.*)\]$/, '$1')
  if (isIPv6(bare)) return isPublic(bare) ? 'public' : 'closed'
  if (/[%/:[\]\\\s]/.test(bare)) return 'closed'
  const labels = bare.split('.')
  const [last = ''] = labels.slice(-1)
  const numbers = labels.filter((label) => NUMBER.test(label))
  if (numbers.length === labels.length && labels.length <= 4) return kindOfNumbers(bare)
  // An address with an extra dot is invalid, but lenient parsers may accept it.
  const filled = labels.filter((label) => label !== '')
  if (filled.length < labels.length && filled.length === numbers.length) return 'closed'
  return labels.slice(0, last === '' ? -1 : undefined).includes('') ? 'closed' : 'name'
}

/** Kind of one to four numbers, which the URL standard reads like inet_aton. */
function kindOfNumbers(numbers: string): HostKind {
  const address = URL.parse(`http://${numbers}/`)?.hostname ?? ''
  return isIPv4(address) && isPublic(address) ? 'public' : 'closed'
}
