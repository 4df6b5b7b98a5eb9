import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { createConnectionLimit } from './connection-limit.ts'

const socketOf = (remoteAddress: string) =>
  Object.defineProperty(new Socket(), 'remoteAddress', { value: remoteAddress })

it('counts the connections of an IPv6 network together, and those of others apart', () => {
  const told: string[] = []
  const limit = createConnectionLimit({ most: 1, onTooMany: (address) => told.push(address) })
  expect(limit.add(socketOf('2001:db8:0:1::1'))).toBe(true)
  expect(limit.add(socketOf('2001:db8:0:1:ffff::2'))).toBe(false)
  expect(limit.add(socketOf('2001:db8:0:2::1'))).toBe(true)
  expect(limit.add(socketOf('192.0.2.1'))).toBe(true)
  expect(limit.add(socketOf('::ffff:192.0.2.1'))).toBe(false)
  expect(limit.add(socketOf('2001:db8:0:1::3'))).toBe(false)
  expect(told).toEqual(['2001:db8:0:1:ffff::2', '::ffff:192.0.2.1'])
})

it('tells of a hundred networks at most', () => {
  const told: string[] = []
  const limit = createConnectionLimit({ most: 0, onTooMany: (address) => told.push(address) })
  for (let host = 0; host < 200; host += 1) expect(limit.add(socketOf(`192.0.2.${host}`))).toBe(false)
  expect(told).toHaveLength(100)
})
