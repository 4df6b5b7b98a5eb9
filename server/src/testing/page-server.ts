import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'

export type PageServer = Awaited<ReturnType<typeof startPageServer>>

/** A real web server on this machine. */
export async function startPageServer(listener: RequestListener, { host = '127.0.0.1', port = 0 } = {}) {
  const server = createServer(listener)
  const open = new Set<Socket>()
  let connections = 0
  server.on('connection', (socket) => {
    connections += 1
    open.add(socket)
    socket.once('close', () => open.delete(socket))
  })
  await once(server.listen(port, host), 'listening')
  const bound = server.address() as AddressInfo

  return {
    port: bound.port,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${bound.port}`,
    /** Number of connections so far, and of those open now. */
    connections: () => connections,
    open: () => open.size,
    async close(): Promise<void> {
      server.closeAllConnections()
      for (const socket of open) socket.destroy()
      server.close()
      await once(server, 'close')
    },
  }
}
