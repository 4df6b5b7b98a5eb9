import { Resolver } from 'node:dns/promises'
import { type IncomingMessage, type RequestOptions, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { type BlockList, isIP, type TcpSocketConnectOpts } from 'node:net'
import { AppError, type ErrorCode } from '../errors.ts'
import { isPublic } from './addresses.ts'
import { kindOfHost } from './hosts.ts'

/** The addresses of a name, the better ones first; none where nobody knows the name, or the signal came. */
export type Resolve = (name: string, signal: AbortSignal) => Promise<readonly string[]>

/** What there is to reach, and how it is found. */
export interface Network {
  readonly resolve: Resolve
  /** Addresses that may be reached although they are not public, on any port. */
  readonly allow: BlockList
}

interface Sending {
  readonly headers: Readonly<Record<string, string>>
  /** Ends everything, a response under way too. */
  readonly signal: AbortSignal
}

const HEADER_BYTES = 64 * 1024
/** Bytes that may come over the wire for one page, whatever they are, and responses that announce another one. */
const WIRE_BYTES = 3 * 1024 * 1024
const INFORMATIONAL_RESPONSES = 10
/** Milliseconds for each address of a name but the last. */
const CONNECT_ATTEMPT = 2_000
/** Addresses of a name that are tried. */
const ATTEMPTS = 4

/**
 * Asks name servers, as `127.0.0.1:53`; those of the system if none are named. Not the system's own look-up: it cannot
 * be cancelled, adds search domains and hosts of the machine, and occupies threads that hash passwords.
 */
export const askNameServers =
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
 * Requests `url`; resolves with the head of the response. This is the one way out of the server besides mail: names are
 * looked up once, every address must be allowed, and only those addresses are connected to.
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
  // RFC 6761: these names are nobody's but this machine's, whatever a name server says.
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

/** What Node's types of a request leave out: it is handed on to the connection. */
type ConnectOptions = RequestOptions & { servername: string } & Pick<
    TcpSocketConnectOpts,
    'autoSelectFamily' | 'autoSelectFamilyAttemptTimeout'
  >

/** `addresses` have been checked, and nothing is looked up here. */
function send(
  url: URL,
  name: string,
  addresses: readonly string[],
  { headers, signal }: Sending,
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
    // A connection for this request alone; the agents that Node shares may heed a proxy of the environment.
    agent: false,
    maxHeaderSize: HEADER_BYTES,
    lookup: (_name, { all }, answer) => {
      const [first] = found
      if (all) answer(null, found)
      else answer(null, first?.address ?? '', first?.family)
    },
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: CONNECT_ATTEMPT,
    // Certificates name an address as such; servers are not told it as a name (RFC 6066, section 3).
    servername: isIP(name) === 0 ? name : '',
  }
  return new Promise((resolve, reject) => {
    const request = url.protocol === 'https:' ? requestHttps(options) : requestHttp(options)
    const end = () => reject(new AppError('fetchBroken'))
    // Without a response: a server that wants to speak another protocol gets no further.
    request.on('response', resolve).on('error', reject).on('close', end).end()
    let informational = 0
    request.on('information', () => {
      informational += 1
      if (informational > INFORMATIONAL_RESPONSES) request.destroy()
    })
    request.once('socket', (socket) => {
      let received = 0
      socket.on('data', ({ length }: Buffer) => {
        received += length
        if (received > WIRE_BYTES) request.destroy()
      })
    })
  })
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

/** What went wrong, in our words; `otherwise` is what all errors are that a network does not make. */
export function causeOf(error: unknown, otherwise: ErrorCode): ErrorCode {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return CAUSES[code] ?? (code.startsWith('HPE_') ? 'fetchBroken' : otherwise)
}
