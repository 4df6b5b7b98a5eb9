import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import fastify, { type FastifyInstance, type onRequestHookHandler } from 'fastify'
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest'
import { allowSlowResponse, createConnections, type Timeouts } from './connections.ts'

/** Larger than the socket buffers of the system. */
const LARGE = 'слово '.repeat(2_000_000)

const KEPT = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
const CLOSING = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
const NEVER = 'GET /never HTTP/1.1\r\nhost: x\r\n\r\n'

let app: FastifyInstance
let sockets: Socket[]
/** Number of requests that reached the route that never responds. */
let begun: number
/** Lets the slow route respond. */
let respond: (() => void) | undefined
beforeEach(() => {
  sockets = []
  begun = 0
  respond = undefined
})
afterEach(async () => {
  for (const socket of sockets) socket.destroy()
  await app.close()
})

async function listen(
  timeouts?: Partial<Timeouts>,
  limit?: Parameters<typeof createConnections>[2],
): Promise<void> {
  const connections = createConnections(timeouts, undefined, limit)
  app = fastify({ serverFactory: connections.createServer, clientErrorHandler: connections.refuseUnreadable })
  connections.closeWith(app)
  app.get('/', async () => 'done')
  app.get('/large', async () => LARGE)
  app.get('/never', () => {
    begun += 1
    return new Promise(() => {})
  })
  app.get('/slow', async ({ raw }) => {
    allowSlowResponse(raw)
    await new Promise<void>((resolve) => {
      respond = resolve
    })
    return 'done'
  })
  app.post('/', async () => 'done')
  app.post(
    '/refused',
    { onRequest: (_request, reply) => void reply.code(401).send('refused') },
    async () => '',
  )
  const onRequest: onRequestHookHandler = (_request, _reply, done) => {
    respond = done
  }
  app.post('/held', { onRequest }, async () => 'done')
  await app.listen({ port: 0, host: '127.0.0.1' })
}

/** Opens a connection and sends `text`; resolves once the server has seen it. */
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

it('sends a response under way completely, however late it is read', async () => {
  await listen()
  const reader = await open('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(reader, 'readable')
  const closed = app.close()
  // Connections that are cut when it stops listening have been cut by now.
  await expect.poll(() => app.server.listening).toBe(false)
  const parts: Buffer[] = []
  for await (const part of reader) parts.push(part)
  await closed
  const [head = '', body = ''] = Buffer.concat(parts).toString('utf8').split('\r\n\r\n')
  expect(head).toMatch(/^HTTP\/1.1 200 /)
  expect(body.length).toBe(LARGE.length)
})

it('does not wait for ever for a client that sends half a request or reads half a response', async () => {
  await listen({ closing: 100 })
  const sender = await open(
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf',
  )
  const reader = await open('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  await once(reader, 'readable')
  const cut = once(sender, 'close')
  await app.close()
  await cut
})

/** Everything received on a connection until the server closes it. */
async function received(socket: Socket): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of socket) parts.push(part)
  return Buffer.concat(parts).toString('utf8')
}

it.each([
  ['nothing came', ''],
  ['half a head came', 'GET / HTT'],
  [
    'half a body came',
    'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 100\r\n\r\nhalf',
  ],
])('responds 408 where %s in time', async (_, text) => {
  await listen({ head: 50, request: 50, check: 10 })
  const response = await received(await open(text))
  expect(response).toMatch(/^HTTP\/1.1 408 Request Timeout\r\n/)
  expect(response).toContain('x-content-type-options: nosniff\r\n')
  expect(response).toContain('{"detail":"Запрос не пришёл вовремя. Попробуйте ещё раз."}')
})

const REFUSED =
  'POST /refused HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 99999999\r\n\r\n'

/** Goes on to send, so that the connection is never idle, until it is closed, if only by a reset. */
async function closedBeside(socket: Socket): Promise<void> {
  const closed = new Promise((resolve) => socket.once('close', resolve))
  socket.on('error', () => {})
  const sending = setInterval(() => socket.write('x'), 10)
  socket.resume()
  await closed
  clearInterval(sending)
}

it('receives the rest of a body after the response for no longer than one that is read', async () => {
  await listen({ request: 300 })
  const socket = await open(REFUSED)
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 401 /)
  await closedBeside(socket)
})

it('receives eight megabytes of a body after the response at most', async () => {
  await listen()
  const socket = await open(REFUSED)
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 401 /)
  socket.write(Buffer.alloc(9_000_000))
  await closedBeside(socket)
})

it('keeps the connection after the rest of a body that nobody wanted', async () => {
  await listen()
  const socket = await open(REFUSED.replace('99999999', '2000000'))
  expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1.1 401 /)
  socket.write(Buffer.alloc(2_000_000))
  socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  expect(await received(socket)).toMatch(/^HTTP\/1.1 200 [\s\S]*done$/)
})

it('disconnects a client that does not read', async () => {
  await listen({ inactivity: 50 })
  const closed = once(app.server, 'request').then(([, response]) => once(response, 'close'))
  await open('GET /large HTTP/1.1\r\nhost: x\r\n\r\n')
  await closed
})

it('lets a client wait for an operation on many items', async () => {
  await listen({ inactivity: 50 })
  const slow = await open('GET /slow HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
  await expect.poll(() => respond).toBeDefined()
  // A client that came later has been disconnected.
  await once((await open('GET /never HTTP/1.1\r\nhost: x\r\n\r\n')).resume(), 'close')
  respond?.()
  expect(await received(slow)).toMatch(/done$/)
})

it.each([
  ['/slow', '/large'],
  ['/large', '/slow'],
])('gives that time to no other response: of %s and %s', async (first, second) => {
  await listen({ inactivity: 50 })
  const connected = once(app.server, 'connection')
  await open([first, second].map((path) => `GET ${path} HTTP/1.1\r\nhost: x\r\n\r\n`).join(''))
  const [socket] = await connected
  const closed = once(socket, 'close')
  await expect.poll(() => respond).toBeDefined()
  respond?.()
  await closed
})

it('gives a body its time from when it is read', async () => {
  await listen({ request: 60_000 })
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const asked = once(app.server, 'request')
  const sender = await open(
    'POST /held HTTP/1.1\r\nhost: x\r\nconnection: close\r\ncontent-type: text/plain\r\ncontent-length: 8\r\n\r\nhalf',
  )
  const read = once((await asked)[0], 'resume')
  await vi.waitFor(() => expect(respond).toBeDefined())
  vi.advanceTimersByTime(50_000)
  respond?.()
  await read
  vi.advanceTimersByTime(50_000)
  sender.write('half')
  expect(await received(sender)).toMatch(/^HTTP\/1.1 200 /)
})

it('serves twenty pipelined requests, and disconnects a client that sends more', async () => {
  await listen()
  const request = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'
  const last = 'GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n'
  const few = await received(await open(request.repeat(19) + last))
  expect(few.match(/HTTP\/1.1 200 OK/g)).toHaveLength(20)
  let parsed = 0
  app.server.on('request', () => {
    parsed += 1
  })
  const many = await open('GET /never HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2_000))
  await once(many.resume(), 'close')
  expect(begun).toBe(20)
  // What came after the connection was cut is not even parsed.
  expect(parsed).toBe(21)
})

const CHUNKED = 'HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ntransfer-encoding: chunked\r\n\r\n'

it.each([
  ['it is wanted', `POST / ${CHUNKED}`],
  ['it is refused', `POST /refused ${CHUNKED}`],
])(
  'disconnects a client that sends a body in thousands of tiny chunks, whether or not %s',
  async (_, head) => {
    // Nothing else is to disconnect it.
    await listen({ request: 10 * 60_000, inactivity: 10 * 60_000 })
    let pieces = 0
    app.server.on('request', (request) => {
      const push = request.push.bind(request)
      request.push = (piece: unknown) => {
        if (piece !== null) pieces += 1
        return push(piece)
      }
    })
    const socket = await open(head)
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.on('error', () => {})
    socket.resume().write('1\r\nx\r\n'.repeat(50_000))
    await closed
    expect(pieces).toBeLessThanOrEqual(250)
  },
)

it.each([
  ['few tiny ones', '1\r\nx\r\n', 250],
  ['many short ones', `46\r\n${'x'.repeat(70)}\r\n`, 12_000],
])('receives a body in chunks: %s', async (_, chunk, count) => {
  await listen()
  const head = `POST / ${CHUNKED}`.replace('host: x', 'host: x\r\nconnection: close')
  expect(await received(await open(`${head}${chunk.repeat(count)}0\r\n\r\n`))).toMatch(/^HTTP\/1.1 200 /)
})

const countOpen = () =>
  new Promise<number>((resolve) => app.server.getConnections((_, count) => resolve(count)))

it('refuses connections of an address that has too many under way, and takes others once it has fewer', async () => {
  await listen({}, { most: 2 })
  const [first] = [await open(NEVER), await open(NEVER)]
  await expect.poll(() => begun).toBe(2)
  const refused = await open(CLOSING)
  refused.on('error', () => {})
  let bytes = 0
  refused.on('data', ({ length }) => {
    bytes += length
  })
  await once(refused, 'close')
  expect(bytes).toBe(0)
  first.destroy()
  await expect.poll(countOpen).toBe(1)
  expect(await received(await open(CLOSING))).toMatch(/^HTTP\/1.1 200 /)
})

it('closes the connection that has been idle for the longest time when its address opens one too many', async () => {
  await listen({}, { most: 3 })
  const openIdle = async (request: string) => {
    const socket = await open(request)
    await once(socket, 'data')
    return socket
  }
  const [first, second] = [await openIdle(KEPT), await openIdle(KEPT)]
  first.write(KEPT)
  await once(first, 'data')
  await open(NEVER)
  await expect.poll(() => begun).toBe(1)
  const ended = once(second.resume(), 'close')
  expect(await received(await open(CLOSING))).toMatch(/^HTTP\/1.1 200 /)
  await ended
  first.write(CLOSING)
  expect(await received(first)).toMatch(/^HTTP\/1.1 200 /)
})

it('closes no connection on which a body still arrives that is refused', async () => {
  await listen({}, { most: 2 })
  const head = 'POST /refused HTTP/1.1\r\nhost: x\r\ncontent-type: text/plain\r\ncontent-length: 10\r\n\r\n'
  const sending = await open(head)
  const [answer] = await once(sending, 'data')
  expect(String(answer)).toMatch(/^HTTP\/1.1 401 /)
  await open(NEVER)
  await expect.poll(() => begun).toBe(1)
  const refused = await open(CLOSING)
  refused.on('error', () => {})
  await once(refused.resume(), 'close')
  expect(sending.destroyed).toBe(false)
  sending.write('x'.repeat(10))
  sending.write(CLOSING)
  expect(await received(sending)).toMatch(/^HTTP\/1.1 200 /)
})

it('takes any number of connections of a proxy', async () => {
  await listen({}, { most: 1, isProxy: (address) => address === '127.0.0.1' })
  await open(NEVER)
  expect(await received(await open(CLOSING))).toMatch(/^HTTP\/1.1 200 /)
})

it('refuses a request without a host with security headers and a message', async () => {
  await listen()
  const response = await received(await open('GET / HTTP/1.1\r\n\r\n'))
  expect(response).toMatch(/^HTTP\/1.1 400 Bad Request\r\n/)
  expect(response).toContain('x-content-type-options: nosniff\r\n')
})

it('refuses headers of more than 16 KB with a message, however short each is', async () => {
  await listen()
  const requestOf = (headers: string) => `GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${headers}\r\n`
  expect(await received(await open(requestOf(`cookie: ${'x'.repeat(16_000)}\r\n`)))).toMatch(
    /^HTTP\/1.1 200 /,
  )
  for (const headers of [
    `accept-language: ${'a,'.repeat(8_192)}\r\n`,
    `x-ab: ${'c'.repeat(30)}\r\n`.repeat(500),
  ]) {
    const response = await received(await open(requestOf(headers)))
    expect(response).toMatch(/^HTTP\/1.1 431 Request Header Fields Too Large\r\n/)
    expect(response).toContain('x-content-type-options: nosniff\r\n')
    expect(response).toContain('{"detail":"Заголовки запроса длиннее 16 КБ.')
  }
})
