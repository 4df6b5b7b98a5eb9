import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import type { FastifyReply } from 'fastify'
import { describe, expect } from 'vitest'
import type { TestApp } from '../testing/create-test-app.ts'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { afterIterations } from '../threads/yield-to-event-loop.ts'
import { createAdmission } from './admission.ts'

const SETTINGS = { RATE_LIMIT: 'on', TRUST_PROXY: '127.0.0.1' }

const it = test.extend('options', { scope: 'file' }, () => ({ settings: SETTINGS }))

/** A reply that is under way until `close` is called. */
function newReply({ isGone = false } = {}) {
  const raw = Object.assign(new EventEmitter(), { req: { socket: { destroyed: isGone } } })
  return { reply: { raw } as unknown as FastifyReply, close: () => raw.emit('close') }
}

describe('the requests of a source', () => {
  /** Requests by name, and the names of those that have begun. */
  function starting() {
    const { begin } = createAdmission({ RATE_LIMIT: 'on' })
    const begun: string[] = []
    return {
      begun,
      ask(source: string, name: string, options?: { isGone: boolean }) {
        const { reply, close } = newReply(options)
        void begin(source, reply).then(() => begun.push(name))
        return { close }
      },
    }
  }
  const settled = () => new Promise<void>((resolve) => afterIterations(resolve, 100))

  it('begin four at a time, in their order, and hold up no other source', async () => {
    const { begun, ask } = starting()
    const [first] = ['1', '2', '3', '4', '5', '6'].map((name) => ask('a', name))
    ask('b', 'other')
    await Promise.resolve()
    await Promise.resolve()
    expect(begun).toEqual(['1', '2', '3', '4', 'other'])
    first?.close()
    await new Promise(setImmediate)
    expect(begun).toHaveLength(5)
    await expect.poll(() => begun).toContain('5')
    await expect.poll(() => begun).toEqual(['1', '2', '3', '4', 'other', '5', '6'])
  })

  it('begin again at once when none waits', async () => {
    const { begun, ask } = starting()
    for (const name of ['1', '2', '3', '4']) ask('a', name).close()
    await new Promise(setImmediate)
    for (const name of ['5', '6', '7', '8']) ask('a', name)
    await Promise.resolve()
    await Promise.resolve()
    expect(begun).toHaveLength(8)
  })

  it('never begin once their connections are closed, and leave their places to others', async () => {
    const { begun, ask } = starting()
    const running = ['1', '2', '3', '4'].map((name) => ask('a', name))
    for (let count = 0; count < 500; count += 1) ask('a', 'gone', { isGone: true })
    ask('a', '5')
    for (const { close } of running) close()
    await settled()
    expect(begun).toEqual(['1', '2', '3', '4', '5'])
  })
})

/** Sends requests on a new connection; calls `onResponse` for each response. */
async function open(app: TestApp, onResponse: () => void): Promise<Socket> {
  const socket = connect(Number(new URL(app.address).port), '127.0.0.1')
  await once(socket, 'connect')
  return socket.on('data', (bytes) => {
    for (const _ of bytes.toString('latin1').matchAll(/HTTP\/1\.1 \d/g)) onResponse()
  })
}

const head = (path: string, headers: Record<string, string>) =>
  `GET ${path} HTTP/1.1\r\n${Object.entries({ host: 'x', ...headers })
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`

describe('a burst of one source', () => {
  const [CONNECTIONS, PIPELINED] = [5, 20]

  it.for([
    ['calls', `${API_PREFIX}${accounts.me.path}`, 'owner'],
    ["calls of linkding's API", '/linkding/api/user/profile/', 'owner'],
    ['public calls', `${API_PREFIX}/site/`, 'address'],
    ['pages', '/readyz', 'address'],
  ] as const)('of %s leaves room for the request of another', async ([, path, source], { app }) => {
    const from = (at: number) => ({ 'x-forwarded-for': `10.9.${path.length}.${at}` })
    const headersOf = async (at: number): Promise<Record<string, string>> =>
      source === 'owner'
        ? { authorization: `Bearer ${(await newAccount(app, from(at))).auth.token}` }
        : from(at)
    const [many, one] = [head(path, await headersOf(1)), head(path, await headersOf(2))]
    let received = 0
    let before: number | undefined
    const sockets: Socket[] = []
    for (let count = 0; count < CONNECTIONS; count += 1)
      sockets.push(
        await open(app, () => {
          received += 1
        }),
      )
    const other = await open(app, () => {
      before = received
    })
    for (const socket of sockets) socket.write(many.repeat(PIPELINED))
    other.write(one)
    await expect.poll(() => received, { timeout: 20_000 }).toBe(CONNECTIONS * PIPELINED)
    expect(before).toBeLessThan((CONNECTIONS * PIPELINED) / 2)
    for (const socket of [...sockets, other]) socket.destroy()
  })
})
