import { BlockList, type IPVersion, isIP, isIPv6 } from 'node:net'

/**
 * Parses an IP address with or without a port (`192.0.2.1:80`, `[2001:db8::1]:80`). `family` is undefined if it is not an
 * address.
 */
export function addressIn(text: string): { address: string; family: IPVersion | undefined } {
  const [, bracketed, dotted] = /^(?:\[([^\]]*)\](?::\d+)?|([\d.]+):\d+)$/.exec(text) ?? []
  const address = bracketed ?? dotted ?? text
  const version = isIP(address)
  return { address, family: version === 0 ? undefined : version === 6 ? 'ipv6' : 'ipv4' }
}

/** A list of networks (`10.0.0.0/8`) and single addresses, to check whether an address is in one of them. */
export function networks(ranges: readonly string[]): BlockList {
  const list = new BlockList()
  for (const range of ranges) {
    const [address = '', prefix] = range.split('/')
    const family = isIPv6(address) ? 'ipv6' : 'ipv4'
    list.addSubnet(address, Number(prefix ?? (family === 'ipv6' ? 128 : 32)), family)
  }
  return list
}

/** The eight groups of an IPv6 address in any notation, as numbers. */
export function groupsOf(ipv6: string): number[] {
  const [address = ''] = ipv6.split('%')
  // An IPv4 address at the end stands for two groups.
  const inGroups = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, a, b, c, d) => `${(a * 256 + +b).toString(16)}:${(c * 256 + +d).toString(16)}`,
  )
  const [left = [], right = []] = inGroups.split('::').map((part) => part.split(':').filter((group) => group))
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => '0')
  return [...left, ...zeros, ...right].map((group) => Number.parseInt(group, 16))
}

/**
 * The key under which a client's address is counted: an IPv4 address itself, or the /64 network of an IPv6 address, the
 * smallest that a provider assigns to a customer.
 */
export function networkOf(ip: string): string {
  const address = addressIn(ip).address.replace(/^::ffff:(?=\d+\.)/i, '')
  if (!isIPv6(address)) return address
  return groupsOf(address)
    .slice(0, 4)
    .map((group) => group.toString(16))
    .join(':')
}
