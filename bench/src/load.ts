import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** Latencies of a window. */
interface Sample {
  /** Milliseconds from each request to the last byte of its response. */
  readonly latencies: number[]
  /** Length of the window, in milliseconds. */
  readonly milliseconds: number
}

interface Response {
  readonly status: number
  readonly body: string
}

/** Keep-alive connections, each of which sends its next request as soon as it has the last response. */
export interface Load {
  /** Sends what `next` returns (see {@link writeRequest}) for so long; throws on a response of another status. */
  send(next: () => Buffer, status: number, milliseconds: number): Promise<Sample>
  close(): void
}

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The bytes of an HTTP request. */
export function writeRequest({ method, path, headers, body }: Request): Buffer {
  const text = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: 'localhost',
    ...headers,
    ...(body !== undefined && {
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(text)),
    }),
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${text}`)
}

/** Opens `connections` to a port of this machine. */
export async function openLoad(port: number, connections: number): Promise<Load> {
  const open = await Promise.all(Array.from({ length: connections }, () => openConnection(port)))
  return {
    async send(next, status, milliseconds) {
      const start = performance.now()
      const latencies: number[] = []
      await Promise.all(
        open.map(async (connection) => {
          for (let now = performance.now(); now < start + milliseconds; ) {
            const request = next()
            const before = performance.now()
            const response = await connection.send(request)
            now = performance.now()
            latencies.push(now - before)
            if (response.status !== status) throw new Error(`Status ${response.status}: ${textOf(response)}`)
          }
        }),
      )
      return { latencies, milliseconds: performance.now() - start }
    },
    close() {
      for (const connection of open) connection.close()
    },
  }
}

/** Sends one request on a connection of its own. */
export async function sendOnce(port: number, request: Request): Promise<Response> {
  const connection = await openConnection(port)
  try {
    const response = await connection.send(writeRequest(request))
    return { status: response.status, body: textOf(response) }
  } finally {
    connection.close()
  }
}

interface Head {
  readonly status: number
  readonly bodyStart: number
  readonly isChunked: boolean
}

interface RawResponse extends Head {
  readonly bytes: Buffer
}

/** JSON has no line breaks of its own: in a body of JSON these are the chunks' lengths and its end. */
const CHUNK_HEADS = /(?:^|\r\n)[\da-f]+\r\n/gi
const LAST_CHUNK = Buffer.from('\r\n0\r\n\r\n')

interface Connection {
  send(request: Buffer): Promise<RawResponse>
  close(): void
}

const textOf = ({ bytes, bodyStart, isChunked }: RawResponse): string => {
  const text = bytes.toString('utf8', bodyStart)
  return isChunked ? text.replace(CHUNK_HEADS, '').trimEnd() : text
}

/** Speaks only the HTTP that baseline and product use: the load generator must cost less than what it loads. */
async function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let waiting: PromiseWithResolvers<RawResponse> | undefined
  let received: Buffer[] = []
  let missing: number | undefined
  let head: Head = { status: 0, bodyStart: 0, isChunked: false }

  function settle(): void {
    const bytes = received.length === 1 && received[0] ? received[0] : Buffer.concat(received)
    received = []
    missing = undefined
    waiting?.resolve({ ...head, bytes })
  }

  function receive(part: Buffer): void {
    received.push(part)
    if (missing === undefined) {
      const begun = Buffer.concat(received)
      const read = readHead(begun)
      if (!read) return
      head = read
      missing = read.length - begun.length
    } else missing -= part.length
    if (head.isChunked ? endsWithLastChunk(received) : missing <= 0) settle()
  }

  socket.on('data', (part) => {
    try {
      receive(part)
    } catch (error) {
      waiting?.reject(error)
    }
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('The server has closed the connection.')))

  return {
    send(request) {
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close: () => void socket.destroy(),
  }
}

function endsWithLastChunk(received: readonly Buffer[]): boolean {
  const [last = Buffer.of()] = received.slice(-1)
  const end = last.length < LAST_CHUNK.length ? Buffer.concat(received) : last
  return end.subarray(-LAST_CHUNK.length).equals(LAST_CHUNK)
}

/** Undefined until the whole head has arrived. `length`: of the whole response in bytes; of a chunked one unknown. */
function readHead(bytes: Buffer): (Head & { length: number }) | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const text = bytes.toString('latin1', 0, end)
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? []
  const isChunked = /\r\ntransfer-encoding: chunked/i.test(text)
  const status = Number(text.slice(9, 12))
  if (length === undefined && !isChunked && status !== 204)
    throw new Error(`A response without its length:\n${text}`)
  const bodyStart = end + 4
  return { status, bodyStart, isChunked, length: bodyStart + Number(length ?? 0) }
}
