import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

/** What came of asking for a while. */
interface Sample {
  /** Milliseconds from each request to the last byte of its answer. */
  readonly latencies: number[]
  /** Of all connections together. */
  readonly milliseconds: number
}

/** What came back. */
export interface Answer {
  readonly status: number
  readonly body: string
}

/** Connections that are kept open, each asking again as soon as it was answered. */
export interface Load {
  /** `next` writes the requests, {@link writeRequest}; throws where one is not answered with `status`. */
  ask(next: () => Buffer, status: number, milliseconds: number): Promise<Sample>
  close(): void
}

interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: unknown
}

/** The bytes of a request, ready to be sent as often as one likes. */
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
    async ask(next, status, milliseconds) {
      const start = performance.now()
      const latencies: number[] = []
      await Promise.all(
        open.map(async (connection) => {
          for (let now = performance.now(); now < start + milliseconds; ) {
            const answer = await connection.ask(next())
            const before = now
            now = performance.now()
            latencies.push(now - before)
            if (answer.status !== status) throw new Error(`Answered ${answer.status}: ${textOf(answer)}`)
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

/** Asks once, on a connection of its own. */
export async function askOnce(port: number, request: Request): Promise<Answer> {
  const connection = await openConnection(port)
  try {
    const answer = await connection.ask(writeRequest(request))
    return { status: answer.status, body: textOf(answer) }
  } finally {
    connection.close()
  }
}

interface RawAnswer {
  readonly status: number
  readonly bytes: Buffer
  readonly bodyStart: number
}

interface Connection {
  ask(request: Buffer): Promise<RawAnswer>
  close(): void
}

const textOf = ({ bytes, bodyStart }: RawAnswer): string => bytes.toString('utf8', bodyStart)

/** As little of HTTP as a yardstick and a product speak: what loads them must cost less than they do. */
async function openConnection(port: number): Promise<Connection> {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  let waiting: PromiseWithResolvers<RawAnswer> | undefined
  let received: Buffer[] = []
  let missing: number | undefined
  let head = { status: 0, bodyStart: 0 }

  function settle(): void {
    const bytes = received.length === 1 && received[0] ? received[0] : Buffer.concat(received)
    received = []
    missing = undefined
    waiting?.resolve({ ...head, bytes })
  }

  socket.on('data', (part) => {
    received.push(part)
    if (missing === undefined) {
      const begun = Buffer.concat(received)
      const read = readHead(begun)
      if (!read) return
      head = read
      missing = read.length - begun.length
    } else missing -= part.length
    if (missing <= 0) settle()
  })
  socket.on('error', (error) => waiting?.reject(error))
  socket.on('close', () => waiting?.reject(new Error('The server has closed the connection.')))

  return {
    ask(request) {
      waiting = Promise.withResolvers()
      socket.write(request)
      return waiting.promise
    },
    close: () => void socket.destroy(),
  }
}

/** Undefined until all of the head is there. `length`: of the whole answer in bytes. */
function readHead(bytes: Buffer): { status: number; bodyStart: number; length: number } | undefined {
  const end = bytes.indexOf('\r\n\r\n')
  if (end < 0) return undefined
  const text = bytes.toString('latin1', 0, end)
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(text) ?? []
  const status = Number(text.slice(9, 12))
  if (length === undefined && status !== 204) throw new Error(`An answer without its length:\n${text}`)
  const bodyStart = end + 4
  return { status, bodyStart, length: bodyStart + Number(length ?? 0) }
}
