import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fastify, { type FastifyInstance } from 'fastify'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { closeWithLastAnswers } from './shutdown.ts'

/** More than the system takes over from us while nobody reads. */
const LARGE = 'слово '.repeat(2_000_000)

let app: FastifyInstance
let sockets: Socket[]
beforeEach(() => {
  app = fastify()
  sockets = []
  app.get('/large', async () => LARGE)
  app.post('/', async () => 'done')
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await app.close()
})

async function listen(patience?: number): Promise<void> {
  closeWithLastAnswers(app, patience)
  await app.listen({ port: 0, host: '127.0.0.1' })
}

/** A connection on which `text` was sent. By then the server has seen it. */
async function open(text: string): Promise<Socket> {
  const address = app.server.address()
  const seen = once(app.server, 'connection')
  const socket = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1')
  sockets.push(socket)
  await once(socket, 'connect')
  await seen
  socket.write(text)
  return socket
}

it.each([
  ['nothing was ever asked', ''],
  ['half a request came', 'GET /large HTT'],
])('does not wait for a connection on which %s', async (_, text) => {
  await listen()
  const ended = once(await open(text), 'close')
  await app.close()
  await ended
})

it('sends an answer under way to its end, however late it is read', async () => {
  await listen()
  const reader = await open('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(reader, 'readable')
  const closed = app.close()
  // What it cuts off when it stops listening, it has cut off by then.
  await expect.poll(() => app.server.listening).toBe(false)
  const parts: Buffer[] = []
  for await (const part of reader) parts.push(part)
  await closed
  const [head = '', body = ''] = Buffer.concat(parts).toString('utf8').split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 200 /)
  expect(body.length).toBe(LARGE.length)
})

it('does not wait for ever for a client that sends half of what it announced, or reads half of the answer', async () => {
  await listen(100)
  const sender = await open(
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf',
  )
  const reader = await open('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(reader, 'readable')
  const cut = once(sender, 'close')
  await app.close()
  await cut
})
