import { connect } from 'node:net'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { expect, onTestFinished, vi } from 'vitest'
import { test as it } from '../testing/fixtures.ts'
import { createLargeTransfers } from './large-transfers.ts'
import { createRateLimits } from './rate-limits/rate-limits.ts'

const ALL = 20
const CALLER = { owner_id: 'a', session_id: 'b' }

/** Serves at the address that it resolves to. */
async function serving(handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>) {
  const server = fastify({ forceCloseConnections: true })
  server.route({ method: ['GET', 'POST'], url: '/', handler })
  onTestFinished(() => server.close())
  return server.listen({ host: '127.0.0.1', port: 0 })
}

it('makes four long responses of an owner in one iteration of the event loop, then one by one', async ({
  app,
}) => {
  const transfers = createLargeTransfers(createRateLimits(app.db, app.now, { RATE_LIMIT: 'off' }))
  /** How many of the responses that are asked for at once are made in each iteration. */
  const madeInIterations = async (letters: number): Promise<readonly number[]> => {
    const made = new Map<number, number>()
    let [iteration, isRunning] = [0, true]
    const make = async () => {
      made.set(iteration, (made.get(iteration) ?? 0) + 1)
      return { text: 'x'.repeat(letters) }
    }
    const begin: (() => void)[] = []
    const address = await serving(async (request, reply) => {
      await new Promise<void>((resolve) => {
        begin.push(resolve)
        if (begin.length < ALL) return
        for (const go of begin) go()
        const next = () => {
          iteration += 1
          if (isRunning) setImmediate(next)
        }
        setImmediate(next)
      })
      return transfers.sendJson(make, { request, reply, caller: CALLER, mayBeLong: true })
    })
    const lengths = Array.from({ length: ALL }, async () => (await (await fetch(address)).text()).length)
    expect(new Set(await Promise.all(lengths))).toEqual(new Set([letters + '{"text":""}'.length]))
    isRunning = false
    return [...made.values()]
  }
  expect(await madeInIterations(100)).toEqual([ALL])
  expect(await madeInIterations(100_000)).toEqual([4, ...Array.from({ length: ALL - 4 }, () => 1)])
})

it('makes few for clients that read nothing', async ({ app }) => {
  const transfers = createLargeTransfers(createRateLimits(app.db, app.now, { RATE_LIMIT: 'off' }))
  let [made, refused] = [0, 0]
  const make = async () => {
    made += 1
    // More than the buffers of a connection take.
    return { text: 'x'.repeat(20_000_000) }
  }
  const address = await serving((request, reply) =>
    transfers.sendJson(make, { request, reply, caller: CALLER, mayBeLong: true }).catch((error: unknown) => {
      refused += 1
      throw error
    }),
  )
  for (let opened = 0; opened < 60; opened += 1) {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  }
  // Two are being sent, and fifty may wait.
  await vi.waitFor(() => expect(refused).toBeGreaterThanOrEqual(8), { timeout: 20_000 })
  expect(made).toBeLessThanOrEqual(10)
})

it('does two writes at a time whose responses may be long, and refuses others before they are done', async ({
  app,
}) => {
  const transfers = createLargeTransfers(createRateLimits(app.db, app.now, { RATE_LIMIT: 'off' }))
  let [done, refused] = [0, 0]
  const make = async () => {
    done += 1
    return { text: 'x'.repeat(20_000_000) }
  }
  const address = await serving((request, reply) =>
    transfers.sendJson(make, { request, reply, caller: CALLER, mayBeLong: true }).catch((error: unknown) => {
      refused += 1
      throw error
    }),
  )
  for (let opened = 0; opened < 60; opened += 1) {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 0\r\n\r\n')
  }
  await vi.waitFor(() => expect(refused).toBe(8), { timeout: 20_000 })
  expect(done).toBe(2)
})

it('keeps two dozen long responses of all owners, and drops the one that is not read for longest', async ({
  app,
}) => {
  let ahead = 0
  const transfers = createLargeTransfers(
    createRateLimits(app.db, app.now, { RATE_LIMIT: 'off' }),
    () => performance.now() + ahead,
  )
  const make = async () => ({ text: 'x'.repeat(20_000_000) })
  let owners = 0
  const dropped: number[] = []
  const address = await serving((request, reply) => {
    owners += 1
    const owner = owners
    request.raw.socket.once('close', () => dropped.push(owner))
    const caller = { owner_id: `owner ${owners}`, session_id: 'x' }
    return transfers.sendJson(make, { request, reply, caller, mayBeLong: true })
  })
  for (let opened = 0; opened < 24; opened += 1) {
    const socket = connect(Number(new URL(address).port), '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await vi.waitFor(() => expect(owners).toBe(opened + 1))
  }
  const status = async () => {
    const response = await fetch(address)
    await response.body?.cancel()
    return response.status
  }
  // Without the application's handler of errors.
  expect(await status()).toBe(500)
  // Their connections take the first megabytes a moment after they have asked.
  await vi.waitFor(async () => {
    ahead += 6_000
    expect(await status()).toBe(200)
  })
  // The two others are those whose statuses were asked for.
  expect(dropped.filter((owner) => owner <= 24)).toHaveLength(1)
})
