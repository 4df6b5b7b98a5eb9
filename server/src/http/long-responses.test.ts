import fastify from 'fastify'
import { expect, onTestFinished } from 'vitest'
import { test as it } from '../testing/fixtures.ts'
import { createLargeTransfers } from './large-transfers.ts'
import { createRateLimits } from './rate-limits/rate-limits.ts'

const ALL = 20

it('makes at most four long responses of an owner in one turn of the event loop', async ({ app }) => {
  const transfers = createLargeTransfers(createRateLimits(app.db, app.now, { RATE_LIMIT: 'off' }))
  const caller = { owner_id: 'a', session_id: 'b' }
  /** Of responses that are asked for at once: those made in the first turn. */
  const madeInOneTurn = async (letters: number): Promise<number> => {
    let [made, inFirstTurn] = [0, 0]
    const make = async () => {
      made += 1
      return { text: 'x'.repeat(letters) }
    }
    const begin: (() => void)[] = []
    const server = fastify({ forceCloseConnections: true })
    server.get('/', async (request, reply) => {
      await new Promise<void>((resolve) => {
        begin.push(resolve)
        if (begin.length < ALL) return
        for (const go of begin) go()
        setImmediate(() => {
          inFirstTurn = made
        })
      })
      return transfers.sendJson(make, { request, reply, caller, mayBeLong: true })
    })
    onTestFinished(() => server.close())
    const address = await server.listen({ host: '127.0.0.1', port: 0 })
    const lengths = Array.from({ length: ALL }, async () => (await (await fetch(address)).text()).length)
    expect(new Set(await Promise.all(lengths))).toEqual(new Set([letters + '{"text":""}'.length]))
    return inFirstTurn
  }
  expect(await madeInOneTurn(100)).toBe(ALL)
  expect(await madeInOneTurn(100_000)).toBe(4)
})
