import { accounts } from '@kopilka/contract/accounts.ts'
import { describe, expect } from 'vitest'
import { readConfig } from '../config.ts'
import { test } from '../testing/fixtures.ts'

/** How many of 51 failed sign-ins, each with another forwarded address, are refused by the limit for one address. */
const it = test.extend(
  'refusedWith',
  ({ startApp }) =>
    async (TRUST_PROXY: string, forwarded: (turn: number) => string) => {
      const app = await startApp({ settings: { RATE_LIMIT: 'on', TRUST_PROXY } })
      let refused = 0
      for (let turn = 1; turn <= 51; turn += 1) {
        const { status } = await app.request(
          accounts.login,
          { body: { email: `${turn}@example.org`, password: 'wrong!' } },
          { headers: { 'x-forwarded-for': forwarded(turn) } },
        )
        if (status === 429) refused += 1
      }
      return refused
    },
)

describe('X-Forwarded-For', () => {
  it('is ignored by default', async ({ refusedWith }) => {
    expect(await refusedWith('', (turn) => `10.1.1.${turn}`)).toBe(1)
  })

  it('is ignored from an address that TRUST_PROXY does not name', async ({ refusedWith }) => {
    expect(await refusedWith('192.0.2.0/24,2001:db8::/32', (turn) => `10.1.1.${turn}`)).toBe(1)
  })

  it('is used from a proxy that TRUST_PROXY names', async ({ refusedWith }) => {
    expect(await refusedWith('192.0.2.1, 127.0.0.0/8', (turn) => `10.1.1.${turn}`)).toBe(0)
  })

  it('may have a port, of an address and of a named proxy', async ({ refusedWith }) => {
    expect(await refusedWith('127.0.0.1', (turn) => `10.1.1.1:${40_000 + turn}`)).toBe(1)
    expect(await refusedWith('127.0.0.1,192.0.2.1', (turn) => `10.1.1.${turn}:1234, 192.0.2.1:${turn}`)).toBe(
      0,
    )
  })

  it('is used for the chain of named proxies only, not for addresses that a client put before it', async ({
    refusedWith,
  }) => {
    expect(await refusedWith('127.0.0.1,192.0.2.1', (turn) => `10.1.1.${turn}, 203.0.113.9, 192.0.2.1`)).toBe(
      1,
    )
  })
})

describe('TRUST_PROXY', () => {
  it.each([
    ['', []],
    ['127.0.0.1', ['127.0.0.1']],
    ['::1, 10.0.0.0/8 ,2001:db8::/32', ['::1', '10.0.0.0/8', '2001:db8::/32']],
  ])('accepts %j', (text, ranges) => {
    expect(readConfig({ TRUST_PROXY: text }).TRUST_PROXY).toEqual(ranges)
  })

  it.each([
    'true',
    '1',
    'loopback',
    '10.0.0.0/33',
    '10.0.0.0/0',
    '::/129',
    '10.0.0.1/8/8',
    '127.0.0.1,',
    'proxy.local',
  ])('refuses %j', (text) => {
    expect(() => readConfig({ TRUST_PROXY: text })).toThrow(/^Неверная настройка TRUST_PROXY=/)
  })
})
