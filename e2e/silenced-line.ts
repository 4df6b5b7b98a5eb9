import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

/** Bytes that a slow line brings at once, and the milliseconds between: 20 KB a second. */
const [PART, EVERY_MS] = [2_000, 100]

/** A line to a server, over which responses may stop coming while it takes connections and requests as before. */
export interface SilencedLine {
  readonly address: string
  /** Responses come as over a poor mobile line from now on: what is asked for later comes behind what is on its way. */
  slowDown(): void
  /** What is asked from now on reaches the server, and no response comes back. */
  silence(): void
  /** Ends what waits for a response, as a line does that is there again. */
  resume(): void
  close(): Promise<void>
}

export async function startSilencedLine(target: string): Promise<SilencedLine> {
  const { hostname, port } = new URL(target)
  const open = new Set<Socket>()
  let silent = false
  let timer: ReturnType<typeof setInterval> | undefined
  const queue: { client: Socket; data: Buffer }[] = []
  const bringPart = () => {
    const [first] = queue
    if (!first) return
    first.client.write(first.data.subarray(0, PART))
    first.data = first.data.subarray(PART)
    if (first.data.length === 0) queue.shift()
  }
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname)
    open.add(client)
    client.on('error', () => {})
    upstream.on('error', () => client.destroy())
    client.pipe(upstream)
    upstream.on('data', (data) => {
      if (timer) queue.push({ client, data })
      else if (!silent) client.write(data)
    })
    upstream.on('close', () => {
      if (!timer) client.destroySoon()
    })
    client.on('close', () => {
      open.delete(client)
      // The server does what it was asked.
      upstream.destroySoon()
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const endAll = () => {
    for (const client of open) client.destroy()
  }
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    slowDown: () => {
      timer ??= setInterval(bringPart, EVERY_MS)
    },
    silence: () => {
      silent = true
    },
    resume: () => {
      silent = false
      endAll()
    },
    close: () => {
      clearInterval(timer)
      endAll()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
