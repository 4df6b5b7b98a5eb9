import {
  createServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { type MessageKey, translate } from '@kopilka/contract/messages.ts'
import type { FastifyInstance } from 'fastify'
import { type ConnectionLimitOptions, createConnectionLimit } from './connection-limit.ts'
import { HEADERS } from './headers.ts'
import { networkOf } from './ip-address.ts'
import { createRoutingQueue } from './routing-queue.ts'

/** Most responses under way on one connection. Browsers have one; only a client that pipelines has more. */
const MAX_UNDER_WAY = 20

/** Milliseconds. */
export interface Timeouts {
  /** For the head of a request, from the opening of the connection or the end of the last request. */
  readonly head: number
  /** For a whole request, again from when its body is read: enough for half a megabyte over a slow line. */
  readonly request: number
  /** For a request that sends a file: {@link allowSlowBody}. */
  readonly slowRequest: number
  /**
   * Without a byte in either direction while a response is under way: a client that does not read is disconnected.
   * {@link allowSlowResponse} makes it longer while that response is the next to be sent.
   */
  readonly inactivity: number
  /** The same for the last responses while the server closes. */
  readonly closing: number
  /** Interval at which the first two are checked. */
  readonly check: number
}

const TIMEOUTS: Timeouts = {
  head: 20_000,
  request: 60_000,
  slowRequest: 30 * 60_000,
  inactivity: 75_000,
  closing: 30_000,
  check: 5_000,
}

/**
 * Bytes of a body that are received after the response to it: as many as a save may have, so that whoever is still sending one reads
 * the response.
 */
const MAX_UNWANTED = 8 * 1024 * 1024
/** Milliseconds between two looks at how much has come. */
const UNWANTED_CHECK = 100

/** Pieces in which a body may come however short they are, and bytes that they must have on average where there are more. */
const MAX_TINY_PIECES = 250
const TINY_PIECE = 64

const slowBodies = new WeakSet<IncomingMessage>()

/** Gives a request the time of a file. */
export const allowSlowBody = (request: IncomingMessage): void => void slowBodies.add(request)

/**
 * Most bytes of a request's head. Phones share text in the address of /add (docs/behaviour.md, section 11), where a Cyrillic
 * letter takes six.
 */
export const MAX_HEAD_BYTES = 128 * 1024

/**
 * Most bytes of the headers, without the address: room for a token and for the cookies of a domain that is shared. Some headers
 * are lists, whose elements cost far more than their bytes.
 */
const MAX_HEADER_BYTES = 16 * 1024

/** Milliseconds, as long as the web client waits: the most items that an account may have take minutes. */
const SLOW_RESPONSE = 30 * 60_000

const allowances = new WeakMap<IncomingMessage, () => void>()

/** Gives a response the time of an operation on many items, which sends nothing meanwhile. */
export const allowSlowResponse = (request: IncomingMessage): void => allowances.get(request)?.()

/** Errors of Node's parser by code; any other is a 400. */
const UNREADABLE: Readonly<Record<string, { status: number; message: MessageKey }>> = {
  HPE_HEADER_OVERFLOW: { status: 431, message: 'addressTooLong' },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, message: 'tooLarge' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, message: 'requestTimeout' },
}

const TIMED_OUT = Object.assign(new Error(), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/**
 * Limits of every connection: their number, timeouts, pipelining, and an orderly end. `sent`: headers of what is refused before
 * routing.
 */
export function createConnections(
  timeouts: Partial<Timeouts> = {},
  sent = HEADERS,
  limit: ConnectionLimitOptions = {},
) {
  const {
    head,
    request: wholeRequest,
    slowRequest,
    inactivity,
    closing: closingTimeout,
    check,
  } = { ...TIMEOUTS, ...timeouts }
  let closing = false
  /** In the order in which they are sent. */
  const underWay = new Map<Socket, Set<ServerResponse>>()
  const slow = new WeakSet<ServerResponse>()
  const connectionLimit = createConnectionLimit(limit)

  /** The time is that of the response that is sent next: responses behind it do not extend it. */
  function limitInactivity(socket: Socket, [next]: Iterable<ServerResponse>): void {
    if (next && !closing) socket.setTimeout(slow.has(next) ? SLOW_RESPONSE : inactivity)
  }

  /** Whether the request is passed on to the routes. */
  function admit(request: IncomingMessage, response: ServerResponse): boolean {
    const { socket } = request
    const responses = underWay.get(socket) ?? new Set()
    responses.add(response)
    connectionLimit.setIdle(socket, false)
    // Those of Fastify, of a file's stream and ours are eleven for a screen; Node warns above ten.
    response.setMaxListeners(20)
    const timer = setTimeout(() => {
      if (!request.complete && !slowBodies.has(request)) refuseUnreadable(TIMED_OUT, socket)
    }, wholeRequest)
    // A body may have to wait for its turn before it is read.
    const restart = () => void timer.refresh()
    request.once('resume', restart)
    allowances.set(request, () => {
      slow.add(response)
      limitInactivity(socket, responses)
    })
    response.once('close', () => {
      clearTimeout(timer)
      request.off('resume', restart)
      if (!request.complete) limitUnwanted(request, socket)
      responses.delete(response)
      if (closing && responses.size === 0) socket.destroySoon()
      if (responses.size === 0 && request.complete) connectionLimit.setIdle(socket, true)
      limitInactivity(socket, responses)
    })
    if (closing || isReadWithBody(request)) response.shouldKeepAlive = false
    if (responses.size > MAX_UNDER_WAY) {
      socket.destroy()
      return false
    }
    const refuse = (status: number, message: MessageKey) => {
      const { body, headers } = errorResponse(message, sent)
      response.writeHead(status, headers).end(body)
      return false
    }
    if (headerBytesOf(request) > MAX_HEADER_BYTES) return refuse(431, 'headersTooLong')
    if (request.httpVersion === '1.1' && request.headers.host === undefined) return refuse(400, 'badRequest')
    return true
  }

  /** Ends the connection unless the rest of a body, which nobody wants any more, comes soon and is short. */
  function limitUnwanted(request: IncomingMessage, socket: Socket): void {
    const most = socket.bytesRead + MAX_UNWANTED
    const end = performance.now() + wholeRequest
    // Node passes on nothing of what it receives after the response.
    const timer = setInterval(() => {
      if (request.complete || socket.destroyed) {
        clearInterval(timer)
        if (underWay.get(socket)?.size === 0) connectionLimit.setIdle(socket, true)
      } else if (socket.bytesRead > most || performance.now() > end) socket.destroy()
    }, UNWANTED_CHECK)
  }

  /** Responds to what is not HTTP or came too slowly. There may be no request object, so it writes to the socket. */
  function refuseUnreadable(error: Error & { code?: string }, socket: Socket): void {
    const begun = [...(underWay.get(socket) ?? [])].some(({ headersSent }) => headersSent)
    if (!socket.writable || begun || error.code === 'ECONNRESET') return void socket.destroy()
    const { status, message } = UNREADABLE[error.code ?? ''] ?? { status: 400, message: 'badRequest' }
    const { body, headers } = errorResponse(message, sent)
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
    socket.end([`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, '', body].join('\r\n'))
  }

  return {
    /** For Fastify's `serverFactory`. */
    createServer(handler: RequestListener): Server {
      const options = {
        maxHeaderSize: MAX_HEAD_BYTES,
        headersTimeout: head,
        requestTimeout: Math.max(wholeRequest, slowRequest),
        connectionsCheckingInterval: check,
        // Node's own response would lack our headers and message.
        requireHostHeader: false,
      }
      const requests = createRoutingQueue()
      const server = createServer(options, (request, response) => {
        if (!admit(request, response)) return
        const { socket } = request
        requests.add(networkOf(socket.remoteAddress ?? ''), () => {
          if (socket.destroyed) return false
          handler(request, response)
          return true
        })
      })
      server.setTimeout(inactivity)
      // Longer than proxies and browsers keep idle connections, so that none of them sends into a closed one.
      server.keepAliveTimeout = 72_000
      // Before Node's own, which would make a parser for one that is refused.
      const [serveConnection] = server.listeners('connection')
      if (!serveConnection) throw new Error('Node serves connections in another way.')
      server.removeAllListeners('connection')
      server.on('connection', (socket) => {
        requests.connected()
        if (!connectionLimit.add(socket)) return void socket.destroy()
        serveConnection.call(server, socket)
        limitParsing(socket)
        underWay.set(socket, new Set())
        // Each response under way waits for its end.
        socket.setMaxListeners(10 + 3 * MAX_UNDER_WAY)
        socket.once('close', () => underWay.delete(socket))
      })
      // Requests with an unknown expectation are served like any other.
      server.on('checkExpectation', (request, response) => server.emit('request', request, response))
      // Called when Node stops listening. Node's own function cuts off a response that is written but not yet sent, and
      // waits for ever for a connection that a browser opened in advance or that has half a request.
      server.closeIdleConnections = () => {
        for (const [socket, responses] of underWay) {
          if (responses.size === 0) socket.destroySoon()
          else socket.setTimeout(closingTimeout, () => socket.destroy())
        }
      }
      return server
    },

    refuseUnreadable,

    /**
     * On closing, each connection ends after its last response, however slowly that is read. Idle connections end at
     * once.
     */
    closeWith(app: FastifyInstance): void {
      app.addHook('preClose', (done) => {
        closing = true
        for (const response of [...underWay.values()].flatMap((responses) => [...responses]))
          response.shouldKeepAlive = false
        done()
      })
    },
  }
}

/** Each header with its colon, blank and line break. Node refuses thousands of headers itself. */
const headerBytesOf = ({ rawHeaders }: IncomingMessage): number =>
  rawHeaders.reduce((sum, { length }) => sum + length + 2, 0)

/** A read has no use for a body, of which Node would go on to receive the rest. */
const isReadWithBody = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') &&
  (headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0)

/** The key under which Node's parser has its function for each piece of a body. */
const ON_BODY = 3

/** Node's parser of a connection, which its types leave out. */
interface Parser {
  onIncoming?: (request: IncomingMessage, keepsAlive: boolean) => number
  [ON_BODY]?: ((this: Parser, piece: Uint8Array) => void) | undefined
}

/** In Node's parser: nothing after these headers is HTTP. */
const NOT_HTTP = 2

/** Node's own function. Parsers are used again for other connections, so that a later one could have ours. */
let onBody: Parser[typeof ON_BODY]

/**
 * Node goes on to parse what had come before a connection was cut, thousands of requests, and aborts each with an error and
 * its stack: most of a second for twenty connections that pipeline.
 *
 * It also makes a buffer of each chunk of a body, hundreds of bytes for one, and even of what nobody wants any more: a save in chunks
 * of one byte took all memory, and what one connection had sent at once held the event loop up for most of a second.
 */
function limitParsing(socket: Socket & { parser?: Parser }): void {
  const { parser } = socket
  const parse = parser?.onIncoming
  if (!parser || !parse) return
  let [pieces, bytes] = [0, 0]
  parser.onIncoming = (request, keepsAlive) => {
    ;[pieces, bytes] = [0, 0]
    return socket.destroyed ? NOT_HTTP : parse(request, keepsAlive)
  }
  onBody ??= parser[ON_BODY]
  const original = onBody
  if (!original) return
  const limited = (piece: Uint8Array) => {
    pieces += 1
    bytes += piece.length
    if (pieces <= MAX_TINY_PIECES || bytes >= pieces * TINY_PIECE) return original.call(parser, piece)
    // Without the function Node makes no buffers of the rest that it has received.
    parser[ON_BODY] = undefined
    socket.destroy()
  }
  parser[ON_BODY] = limited
  socket.once('close', () => {
    parser[ON_BODY] = original
  })
}

/** An error response before routing, in the default language. */
function errorResponse(message: MessageKey, sent: typeof HEADERS) {
  const body = JSON.stringify({ detail: translate(message, 'ru') })
  const headers = {
    ...sent,
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  }
  return { body, headers }
}
