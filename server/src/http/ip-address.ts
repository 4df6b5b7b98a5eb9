import { isIPv6 } from 'node:net'

/** The eight groups of an IPv6 address in any of its spellings, as numbers. */
export function groupsOf(ipv6: string): number[] {
  const [address = ''] = ipv6.split('%')
  // Dotted groups at the end stand for two.
  const inGroups = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${(a * 256 + +b).toString(16)}:${(c * 256 + +d).toString(16)}`,
  )
  const [left = [], right = []] = inGroups.split('::').map((part) => part.split(':').filter((group) => group))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

/**
 * Whom an IP address stands for when requests are counted: an IPv4 address for itself, an IPv6 address for its /64
 * network, which is the least that a provider gives to one customer.
 */
export function networkOf(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(address)) return address
  return groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}
