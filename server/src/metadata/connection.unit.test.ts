import { afterEach, describe, expect, it, vi } from 'vitest'
import { networks } from '../http/ip-address.ts'
import { startNameServer, type Zone } from '../testing/name-server.ts'
import { createResolver, get, newWireBudget, type Resolve } from './connection.ts'

const ZONE: Zone = {
  'both.test': { aaaa: ['2606:4700:0:0:0:0:0:1111'], a: ['1.1.1.1', '1.0.0.1'] },
  'six.test': { aaaa: ['2606:4700:0:0:0:0:0:1111'] },
  'empty.test': {},
  'chain.test': { cname: 'link.test' },
  'link.test': { cname: 'inside.test' },
  'inside.test': { a: ['10.0.0.1'] },
  'mixed.test': { cname: 'mix.test' },
  'mix.test': { a: ['1.1.1.1', '169.254.169.254'] },
  'circle.test': { cname: 'nobody.test' },
}

let server: Awaited<ReturnType<typeof startNameServer>>
afterEach(() => server.close())

async function names(zone?: Zone): Promise<Resolve> {
  server = await startNameServer(zone)
  return createResolver([server.address])
}
const never = new AbortController().signal

describe('name servers', () => {
  it.each([
    ['both.test', ['1.1.1.1', '1.0.0.1', '2606:4700::1111']],
    ['six.test', ['2606:4700::1111']],
    ['chain.test', ['10.0.0.1']],
    ['empty.test', []],
    ['circle.test', []],
    ['nobody.test', []],
  ])('say of %s: %j', async (name, addresses) => {
    const resolve = await names(ZONE)
    expect(await resolve(name, never)).toEqual(addresses)
  })

  it.each([
    ['chain.test', 'fetchClosedAddress'],
    ['mixed.test', 'fetchClosedAddress'],
    ['nobody.test', 'fetchUnknownHost'],
  ])('say where %s leads, and it is refused: %s', async (name, reason) => {
    const network = { resolve: await names(ZONE), allow: networks([]) }
    const sending = { headers: {}, signal: never, budget: newWireBudget() }
    const asking = get(new URL(`http://${name}/`), sending, network)
    await expect(asking).rejects.toThrow(reason)
    // Once for each family.
    expect(server.queries()).toBe(2)
  })

  it('that do not respond are not waited for after the signal', async () => {
    const resolve = await names()
    const ending = new AbortController()
    const asking = resolve('silent.test', ending.signal)
    await vi.waitFor(() => expect(server.queries()).toBe(2))
    ending.abort()
    expect(await asking).toEqual([])
  })
})
