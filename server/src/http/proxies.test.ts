import { accounts } from '@kopilka/contract/accounts.ts'
import { describe, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { createTestApp } from '../testing/create-test-app.ts'

/** How many of 51 failures to sign in, each from another forwarded address, are refused as one address's. */
async function refusedWith(TRUST_PROXY: string, forwarded: (turn: number) => string): Promise<number> {
  const app = await createTestApp({ settings: { RATE_LIMIT: 'on', TRUST_PROXY } })
  let refused = 0
  for (let turn = 1; turn <= 51; turn += 1) {
    const { status } = await app.request(
      accounts.login,
      { body: { email: `${turn}@example.org`, password: 'wrong!' } },
      { headers: { 'x-forwarded-for': forwarded(turn) } },
    )
    if (status === 429) refused += 1
  }
  await app.close()
  return refused
}

describe('X-Forwarded-For', () => {
  it('is believed of nobody by default', async () => {
    expect(await refusedWith('', (turn) => `10.1.1.${turn}`)).toBe(1)
  })

  it('is not believed of whom TRUST_PROXY does not name', async () => {
    expect(await refusedWith('192.0.2.0/24,2001:db8::/32', (turn) => `10.1.1.${turn}`)).toBe(1)
  })

  it('is believed of a proxy that it names', async () => {
    expect(await refusedWith('192.0.2.1, 127.0.0.0/8', (turn) => `10.1.1.${turn}`)).toBe(0)
  })

  it('is believed as far as the chain of proxies goes: what a client wrote before it counts for nothing', async () => {
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
  ])('takes %j', (text, ranges) => {
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
