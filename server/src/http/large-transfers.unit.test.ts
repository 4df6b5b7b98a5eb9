import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import fastify, { type FastifyReply } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { signalOf } from './large-transfers.ts'

/** A server whose handler is given the reply of each request; `open` sends requests and resolves to the connection. */
async function serving(handler: (reply: FastifyReply, path: string) => Promise<void>) {
  const app = fastify({ forceCloseConnections: true })
  app.get('/*', async (request, reply) => {
    reply.hijack()
    await handler(reply, request.url)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  const { port } = app.server.address() as AddressInfo
  return async (...paths: string[]) => {
    const socket = connect(port, '127.0.0.1')
    await once(socket, 'connect')
    socket.write(paths.map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
    return socket
  }
}

it('is aborted for a client that has gone before', async () => {
  const [begun, signal] = [Promise.withResolvers<void>(), Promise.withResolvers<AbortSignal>()]
  const open = await serving(async (reply) => {
    begun.resolve()
    await once(reply.raw, 'close')
    signal.resolve(signalOf(reply))
  })
  const socket = await open('/')
  await begun.promise
  socket.destroy()
  expect((await signal.promise).aborted).toBe(true)
})

it('is one for a reply, however often it is asked for', async () => {
  const listeners: number[] = []
  const same = Promise.withResolvers<boolean>()
  const open = await serving(async (reply) => {
    const { socket } = reply.raw.req
    listeners.push(socket.listenerCount('close'))
    const [first, ...others] = Array.from({ length: 5 }, () => signalOf(reply))
    listeners.push(socket.listenerCount('close'))
    same.resolve(others.every((other) => other === first))
  })
  await open('/')
  expect(await same.promise).toBe(true)
  const [before = 0, after] = listeners
  expect(after).toBe(before + 1)
})

it('is aborted for a response that waits behind another one of its connection', async () => {
  const [begun, aborted] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const open = await serving(async (reply, path) => {
    if (path !== '/second') return
    signalOf(reply).addEventListener('abort', () => aborted.resolve())
    begun.resolve()
  })
  const socket = await open('/first', '/second')
  await begun.promise
  socket.destroy()
  await aborted.promise
})

it('is aborted once a response is sent, and leaves nothing at the connection', async () => {
  const signals: AbortSignal[] = []
  const sockets = new Set<number>()
  const open = await serving(async (reply) => {
    signals.push(signalOf(reply))
    sockets.add(reply.raw.req.socket.listenerCount('close'))
    reply.raw.end('x')
  })
  const socket = await open('/')
  for (let sent = 1; sent < 4; sent += 1) {
    await once(socket, 'data')
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
  }
  await once(socket, 'data')
  socket.destroy()
  expect(signals.slice(0, 3).map(({ aborted }) => aborted)).toEqual([true, true, true])
  expect(sockets.size).toBe(1)
})
