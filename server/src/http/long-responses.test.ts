import { connect, type Socket } from 'node:net'
import fastify, { type FastifyReply, type FastifyRequest } from 'fastify'
import { describe, expect, onTestFinished, vi } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
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
  const [first, ...later] = await madeInIterations(100_000)
  expect(first).toBe(4)
  // Two may have their turn in one iteration, where that of the other was over before it asked.
  expect(Math.max(...later)).toBeLessThanOrEqual(2)
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

describe('with two dozen long responses in memory', () => {
  /** Serves long responses to the owner whom the address names; `dropped` has the owners whose connections have ended. */
  const start = async (app: TestApp) => {
    const clock = { ahead: 0 }
    const transfers = createLargeTransfers(
      createRateLimits(app.db, app.now, { RATE_LIMIT: 'off' }),
      () => performance.now() + clock.ahead,
    )
    const dropped: string[] = []
    let asked = 0
    const address = await serving(async (request, reply) => {
      asked += 1
      const owner_id = String(request.headers.owner)
      request.raw.socket.once('close', () => dropped.push(owner_id))
      const caller = { owner_id, session_id: 'x' }
      const make = async () => ({ text: 'x'.repeat(20_000_000) })
      return transfers.sendJson(make, { request, reply, caller, mayBeLong: true })
    })
    return {
      clock,
      dropped,
      /** A client that reads only when told to. */
      async open(owner: string): Promise<Socket> {
        const before = asked
        const socket = connect(Number(new URL(address).port), '127.0.0.1')
        onTestFinished(() => void socket.destroy())
        socket.on('error', () => {}).write(`GET / HTTP/1.1\r\nhost: x\r\nowner: ${owner}\r\n\r\n`)
        await vi.waitFor(() => expect(asked).toBe(before + 1))
        return socket
      },
      /** The status for another owner; 500 without the application's handler of errors. */
      async status(owner: string): Promise<number> {
        const response = await fetch(address, { headers: { owner } })
        await response.body?.cancel()
        return response.status
      },
    }
  }

  const readSome = async (socket: Socket) => {
    const wanted = socket.bytesRead + 1_000_000
    socket.on('data', () => socket.bytesRead >= wanted && socket.pause()).resume()
    await vi.waitFor(() => expect(socket.bytesRead).toBeGreaterThanOrEqual(wanted))
    socket.removeAllListeners('data')
  }

  it('refuses others, until the one that nobody has read of for longest has waited too long', async ({
    app,
  }) => {
    const { clock, dropped, open, status } = await start(app)
    const reading = await open('reading')
    for (let opened = 1; opened < 24; opened += 1) await open(`silent ${opened}`)
    expect(await status('other')).toBe(500)
    await vi.waitFor(
      async () => {
        await readSome(reading)
        clock.ahead += 6_000
        expect(await status('other')).toBe(200)
      },
      { timeout: 20_000 },
    )
    expect(dropped.filter((owner) => owner !== 'other')).toEqual(['silent 1'])
  })

  it('drops the newest of the owner who has most', async ({ app }) => {
    const { dropped, open, status } = await start(app)
    for (let opened = 0; opened < 4; opened += 1)
      for (let owner = 1; owner <= 6; owner += 1) await open(`owner ${owner}`)
    expect(await status('other')).toBe(200)
    expect(dropped.filter((owner) => owner !== 'other')).toEqual(['owner 1'])
  })
})
