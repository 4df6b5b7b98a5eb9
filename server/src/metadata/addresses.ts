import { isIPv4, isIPv6 } from 'node:net'
import { groupsOf, networks } from '../http/ip-address.ts'

/**
 * IPv4 networks that are not public: rows of IANA's IPv4 Special-Purpose Address Registry that are not globally reachable
 * (and two of their neighbours in 192.0.0.0/24), multicast, and one that the registry lacks.
 */
const CLOSED_IPV4 = networks([
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // shared by a provider's customers
  '127.0.0.0/8', // this machine
  '169.254.0.0/16', // link-local; the data of cloud machines
  '172.16.0.0/12', // private
  '192.0.0.0/24', // IETF protocol assignments
  '192.0.2.0/24', // documentation
  '192.88.99.0/24', // 6to4 relays, deprecated
  '192.168.0.0/16', // private
  '198.18.0.0/15', // benchmarking
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
  '168.63.129.16', // the host of a machine in Azure, although the address is public
])

/**
 * Public IPv6 networks: rows of IANA's IPv6 Global Unicast Address Assignments ALLOCATED to a regional registry.
 * Everything else is refused.
 */
const OPEN_IPV6 = networks([
  ...['2001:200::/23', '2001:400::/23', '2001:600::/23', '2001:800::/22', '2001:c00::/23', '2001:e00::/23'],
  ...['2001:1200::/23', '2001:1400::/22', '2001:1800::/23', '2001:1a00::/23', '2001:1c00::/22'],
  ...['2001:2000::/19', '2001:4000::/23', '2001:4200::/23', '2001:4400::/23', '2001:4600::/23'],
  ...['2001:4800::/23', '2001:4a00::/23', '2001:4c00::/23', '2001:5000::/20', '2001:8000::/19'],
  ...['2001:a000::/20', '2001:b000::/20', '2003::/18', '2400::/12', '2410::/12', '2600::/12'],
  ...['2610::/23', '2620::/23', '2630::/12', '2800::/12', '2a00::/12', '2a10::/12', '2c00::/12'],
  // Globally reachable parts of 2001::/23 (IANA IPv6 Special-Purpose Address Registry): AMT and AS112.
  ...['2001:3::/32', '2001:4:112::/48'],
])

/** The network for documentation is inside an allocated one. */
const CLOSED_IPV6 = networks(['2001:db8::/32'])

/** Prefixes whose addresses are IPv4 addresses in the last 32 bits: NAT64 (RFC 6052) and SIIT (RFC 7915). */
const CARRIES_IPV4 = networks(['64:ff9b::/96', '::ffff:0:0:0/96'])

/** Whether an IP address in any notation is public. False for anything that is not an IP address. */
export function isPublic(address: string): boolean {
  if (isIPv4(address)) return !CLOSED_IPV4.check(address)
  if (!isIPv6(address) || address.includes('%')) return false
  if (CARRIES_IPV4.check(address, 'ipv6')) return isPublic(lastIpv4(address))
  return OPEN_IPV6.check(address, 'ipv6') && !CLOSED_IPV6.check(address, 'ipv6')
}

function lastIpv4(ipv6: string): string {
  const [high = 0, low = 0] = groupsOf(ipv6).slice(-2)
  return [high >> 8, high & 255, low >> 8, low & 255].join('.')
}
