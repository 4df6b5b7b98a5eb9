import { isIPv6 } from 'node:net'

/**
 * Whom an IP address stands for when requests are counted: an IPv4 address for itself, an IPv6 address for its /64
 * network, which is the least that a provider gives to one customer.
 */
export function networkOf(ip: string): string {
  const address = ip.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(address)) return address
  const [left = [], right = []] = address.split('::').map((part) => part.split(':').filter((group) => group))
  // Dotted groups at the end stand for two.
  const written = left.length + right.length + (address.includes('.') ? 1 : 0)
  const groups = [...left, ...Array.from({ length: 8 - written }, () => '0'), ...right]
  return groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')
}
