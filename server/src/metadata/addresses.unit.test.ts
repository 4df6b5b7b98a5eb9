import { describe, expect, it } from 'vitest'
import { isPublic, networks } from './addresses.ts'

describe('leads into the open internet', () => {
  it.each([
    ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '172.15.255.255', '172.32.0.0', '223.255.255.255'],
    ...['2a00:1450:4010:c0e::65', '2A00:1450:4010:C0E:0:0:0:65', '2606:4700::1111', '2001:db7:ffff::1'],
    ...['2001:db9::1', '64:ff9b::1.1.1.1', '::ffff:0:1.1.1.1', '2001:3::1', '2c0f:fb50::1'],
  ])('%s', (address) => {
    expect(isPublic(address)).toBe(true)
  })
})

describe('does not lead into the open internet, or nobody knows where', () => {
  it.each([
    ...['0.0.0.0', '0.255.255.255', '10.0.0.1', '10.255.255.255', '100.64.0.0', '100.127.255.255'],
    ...['127.0.0.1', '127.255.255.254', '169.254.169.254', '172.16.0.0', '172.31.255.255', '192.168.0.1'],
    ...['192.0.0.192', '198.18.0.1', '198.19.255.255', '203.0.113.9', '224.0.0.1', '255.255.255.255'],
    ...['::', '::1', '0:0:0:0:0:0:0:1', '::7f00:1', '::127.0.0.1', '::ffff:1.1.1.1', '::ffff:127.0.0.1'],
    ...['fe80::1', 'fe80::1%lo', 'fec0::1', 'fc00::1', 'fdff::1', 'ff02::1', '2001:db8::1', '2001::1'],
    ...['2002:7f00:1::', '2002:101:101::', '3fff::1', '5f00::1', '4000::1', '2d00::1', '3000::1'],
    ...['64:ff9b::127.0.0.1', '64:ff9b::a00:1', '64:ff9b:1::1.1.1.1', '::ffff:0:10.0.0.1', '100::1'],
    ...['', 'localhost', 'example.org', '1.1.1', '1.1.1.1.', '01.1.1.1', '1.1.1.1/32', '[2606:4700::1]'],
  ])('%s', (address) => {
    expect(isPublic(address)).toBe(false)
  })
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
