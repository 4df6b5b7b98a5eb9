import { expect, it } from 'vitest'
import { kindOfHost } from './hosts.ts'

it.each([
  ...['example.org', 'example.org.', 'localhost', 'пример.рф', 'a', '1.example', '1.2.3.4.5', '0x1.example.'],
])('%s is a name', (host) => {
  expect(kindOfHost(host)).toBe('name')
})

it.each(['1.1.1.1', '16843009', '0x01.0x01.257', '1.1', '0101.1', '[2606:4700::1111]', '2606:4700::1111'])(
  '%s is a public address',
  (host) => {
    expect(kindOfHost(host)).toBe('public')
  },
)

it.each([
  ...['127.0.0.1', '127.1', '0177.1', '2130706433', '0x7f000001', '0', '[::1]', '::1', '[::ffff:7f00:1]'],
  ...['', '.', '1.1.1.1.', '.1.1.1.1', '1..1', 'a..b', '.example.org', 'example.org..', '256.1.1.1', '09.1'],
  ...['1.1.1.1%lo', '[fe80::1%lo]', '1.1.1.1/32', 'a b', '[::1', '4294967296', '1.1.1.1:80'],
])('%s is closed', (host) => {
  expect(kindOfHost(host)).toBe('closed')
})
