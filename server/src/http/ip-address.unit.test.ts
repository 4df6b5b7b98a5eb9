import { describe, expect, it } from 'vitest'
import { addressIn, groupsOf, networkOf, networks } from './ip-address.ts'

it.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::1', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['2001:db8::', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['64:ff9b::192.0.2.7', '64:ff9b:0:0'],
  ['fe80::1%eth0', 'fe80:0:0:0'],
  ['192.0.2.7:4711', '192.0.2.7'],
  ['[2001:db8:1:2::1]:4711', '2001:db8:1:2'],
  ['unknown', 'unknown'],
])('counts %s as %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network)
})

it.each([
  ['::', [0, 0, 0, 0, 0, 0, 0, 0]],
  ['2001:DB8::a:b', [0x2001, 0xdb8, 0, 0, 0, 0, 0xa, 0xb]],
  ['1:2:3:4:5:6:7:8', [1, 2, 3, 4, 5, 6, 7, 8]],
  ['64:ff9b::192.0.2.7', [0x64, 0xff9b, 0, 0, 0, 0, 0xc000, 0x207]],
  ['1:2:3:4:5:6:192.0.2.7', [1, 2, 3, 4, 5, 6, 0xc000, 0x207]],
  ['fe80::1%eth0', [0xfe80, 0, 0, 0, 0, 0, 0, 1]],
])('reads %s in groups', (ip, groups) => {
  expect(groupsOf(ip)).toEqual(groups)
})

it.each([
  ['192.0.2.7:80', '192.0.2.7', 'ipv4'],
  ['[2001:db8::1]:80', '2001:db8::1', 'ipv6'],
  ['[2001:db8::1]', '2001:db8::1', 'ipv6'],
  ['2001:db8::1', '2001:db8::1', 'ipv6'],
  ['192.0.2.7:', '192.0.2.7:', undefined],
  ['unknown:80', 'unknown:80', undefined],
  ['_hidden', '_hidden', undefined],
])('finds the address in %s', (text, address, family) => {
  expect(addressIn(text)).toEqual({ address, family })
})

describe('networks', () => {
  const list = networks(['10.0.0.0/8', '192.0.2.1', 'fd00::/8', '2001:db8::1'])

  it.each(['10.255.0.1', '192.0.2.1'])('hold %s', (address) => {
    expect(list.check(address)).toBe(true)
  })
  it.each(['11.0.0.0', '192.0.2.2'])('do not hold %s', (address) => {
    expect(list.check(address)).toBe(false)
  })
  it.each(['fdab::1', '2001:db8::1'])('hold %s', (address) => {
    expect(list.check(address, 'ipv6')).toBe(true)
  })
  it.each(['fe00::', '2001:db8::2'])('do not hold %s', (address) => {
    expect(list.check(address, 'ipv6')).toBe(false)
  })
})
