import { constants } from 'node:crypto'
import { Resolver } from 'node:dns/promises'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type BlockList, isIP, type Socket, type TcpNetConnectOpts } from 'node:net'
import { DEFAULT_CIPHERS } from 'node:tls'
import { AppError, type ErrorCode } from '../errors.ts'
import { isPublic } from './addresses.ts'
import { kindOfHost } from './hosts.ts'

/** Resolves a name to its addresses, preferred ones first; to none if the name is unknown or the signal aborts. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** The resolver and the addresses that may be reached. */
export interface Network {
  readonly resolve: Resolve
  /** Addresses that may be reached, on any port, although they are not public. */
  readonly allow: BlockList
}

interface Sending {
  readonly headers: Readonly<Record<string, string>>
  /** Aborts everything, including a response under way. */
  readonly signal: AbortSignal
  /** What may still come over the wire, for this request and those that follow its redirects. */
  readonly budget: WireBudget
}

/** Bytes, small pieces and informational responses that are left. */
export interface WireBudget {
  bytes: number
  smallPieces: number
  informational: number
}

/** `bytes`: absent, those of a page. */
export const newWireBudget = (bytes = WIRE_BYTES): WireBudget => ({
  bytes,
  smallPieces: SMALL_PIECES,
  informational: INFORMATIONAL_RESPONSES,
})

const HEADER_BYTES = 64 * 1024
/** Most bytes over the wire for one page, including informational responses and redirects. */
const WIRE_BYTES = 3 * 1024 * 1024
/**
 * Most pieces of less than {@link SMALL_BYTES} for one page: each takes 3 µs, and over TLS a piece is read for each record, of
 * which thousands may come at once.
 */
const SMALL_PIECES = 2_048
const SMALL_BYTES = 512
/** Most informational responses for one page, redirects included. */
const INFORMATIONAL_RESPONSES = 10
/** Bytes that are read and parsed at once, where Node takes 64 KB: parsed chunks of one byte, that takes 50 ms. */
const READ_BYTES = 4 * 1024
/** Milliseconds to connect to each address of a name except the last. */
const CONNECT_ATTEMPT = 2_000
/** Milliseconds between two looks at bytes that carry no data: over TLS a server can send key updates without end. */
const COUNT_EVERY = 50
/**
 * Of TLS 1.2: without DHE, whose numbers the server chooses, so long that one handshake keeps the event loop for a second, before the
 * certificate is judged; browsers have none of it either. And no handshake after the first, which a server may ask for without end.
 */
const HANDSHAKE = {
  ciphers: `${DEFAULT_CIPHERS}:!kDHE`,
  secureOptions: constants.SSL_OP_NO_RENEGOTIATION,
}
/** Most addresses of a name that are tried. */
const ATTEMPTS = 4

/**
 * Creates a resolver that queries name servers (`127.0.0.1:53`), by default those of the system. The system's own look-up
 * is not used: it cannot be cancelled, adds search domains and names of the hosts file, and occupies threads that hash
 * passwords.
 */
export const createResolver =
  (servers?: readonly string[]): Resolve =>
  async (name, signal) => {
    const resolver = new Resolver({ timeout: 2_000, tries: 2 })
    if (servers) resolver.setServers(servers)
    const cancel = () => resolver.cancel()
    signal.addEventListener('abort', cancel)
    const answers = await Promise.allSettled([resolver.resolve4(name), resolver.resolve6(name)])
    signal.removeEventListener('abort', cancel)
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
  }

/**
 * Requests `url`; resolves with the head of the response. Besides mail, all outgoing connections of the server are made
 * here: a name is looked up once, every address must be allowed, and only those addresses are connected to.
 */
export async function get(url: URL, sending: Sending, network: Network): Promise<IncomingMessage> {
  const name = url.hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '')
  const addresses = await addressesOf(name, sending.signal, network)
  const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
  for (const address of addresses) {
    const fault = faultOf(address, port, network.allow)
    if (fault) throw new AppError(fault)
  }
  try {
    return await send(url, name, addresses, sending)
  } catch (error) {
    if (error instanceof AppError) throw error
    throw new AppError(causeOf(error, url.protocol === 'https:' ? 'fetchTls' : 'fetchBroken'))
  }
}

async function addressesOf(
  name: string,
  signal: AbortSignal,
  { resolve }: Network,
): Promise<readonly string[]> {
  if (kindOfHost(name) !== 'name') return [name]
  // RFC 6761: these names mean this machine, whatever a name server says.
  if (/(?:^|\.)localhost$/.test(name)) return ['127.0.0.1']
  const addresses = await resolve(name, signal)
  if (signal.aborted) throw new AppError('fetchTooSlow')
  if (addresses.length === 0) throw new AppError('fetchUnknownHost')
  return addresses
}

function faultOf(address: string, port: number, allow: BlockList): ErrorCode | undefined {
  if (isIP(address) !== 0 && allow.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')) return undefined
  if (!isPublic(address)) return 'fetchClosedAddress'
  return port === 80 || port === 443 || (port >= 8000 && port <= 8999) ? undefined : 'fetchClosedPort'
}

/** Options that Node passes on to the connection, missing in its types. */
type ConnectOptions = RequestOptions &
  typeof HANDSHAKE & { servername: string } & Pick<
    TcpNetConnectOpts,
    'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout' | 'onread'
  >

/** Sends the request to `addresses`, which have been checked. Looks nothing up. */
function send(
  url: URL,
  name: string,
  addresses: readonly string[],
  { headers, signal, budget }: Sending,
): Promise<IncomingMessage> {
  const found = addresses
    .slice(0, ATTEMPTS)
    .map((address) => ({ address, family: isIP(address) === 6 ? 6 : 4 }))
  const options: ConnectOptions = {
    host: name,
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { host: url.host, ...headers },
    signal,
    // A connection for this request alone: Node's shared agents may use a proxy from the environment.
    agent: false,
    maxHeaderSize: HEADER_BYTES,
    lookup: (_name, { all }, callback) => {
      const [first] = found
      if (all) callback(null, found)
      else callback(null, first?.address ?? '', first?.family)
    },
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT,
    onread: {
      buffer: Buffer.allocUnsafeSlow(READ_BYTES),
      callback(this: Socket, bytes, buffer) {
        return this.push(Buffer.copyBytesFrom(buffer, 0, bytes))
      },
    },
    // SNI has host names only, no addresses (RFC 6066, section 3).
    servername: isIP(name) === 0 ? name : '',
    ...HANDSHAKE,
  }
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(options) : requestHttp(options)
    const end = () => reject(new AppError('fetchBroken'))
    // Node closes the connection without a response if a server switches protocols.
    request.on('response', resolve).on('error', reject).on('close', end).end()
    // Node goes on to parse what came in the same piece, a response perhaps.
    const drop = () => {
      end()
      request.destroy()
    }
    request.on('information', () => {
      budget.informational -= 1
      if (budget.informational < 0) drop()
    })
    request.once('socket', (socket) => {
      let counted = 0
      const count = () => {
        const received = Math.max(counted, receivedBy(socket))
        budget.bytes -= received - counted
        counted = received
        if (budget.bytes < 0 || budget.smallPieces < 0) drop()
      }
      const timer = setInterval(count, COUNT_EVERY)
      socket.once('close', () => clearInterval(timer))
      socket.on('data', ({ length }: Buffer) => {
        if (length < SMALL_BYTES) budget.smallPieces -= 1
        count()
      })
    })
  })
}

/** Bytes that came over the wire: `bytesRead` of a TLS connection are those that it has decrypted. */
function receivedBy(socket: Socket & { _handle?: { _parent?: { bytesRead: number } } | null }): number {
  return socket._handle?._parent?.bytesRead ?? socket.bytesRead
}

const CAUSES: Readonly<Record<string, ErrorCode>> = {
  ABORT_ERR: 'fetchTooSlow',
  ETIMEDOUT: 'fetchTooSlow',
  ECONNREFUSED: 'fetchRefused',
  EHOSTUNREACH: 'fetchRefused',
  ENETUNREACH: 'fetchRefused',
  EADDRNOTAVAIL: 'fetchRefused',
  ECONNRESET: 'fetchBroken',
  EPIPE: 'fetchBroken',
}

/** Maps a network error to an error code; any other error is `otherwise`. */
export function causeOf(error: unknown, otherwise: ErrorCode): ErrorCode {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return CAUSES[code] ?? (code.startsWith('HPE_') ? 'fetchBroken' : otherwise)
}
