import { expect, it } from 'vitest'
import { groupsOf, networkOf } from './ip-address.ts'

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
