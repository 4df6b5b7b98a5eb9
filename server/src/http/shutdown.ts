import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** Milliseconds in which a client neither reads nor sends: longer than any call takes. */
const PATIENCE = 30_000

/**
 * A closing server lets each connection go with the last answer under way on it: whole, however slowly it is read,
 * unless the client stands still for `patience`. One on which nothing is under way is let go at once.
 */
export function closeWithLastAnswers(app: FastifyInstance, patience = PATIENCE): void {
  let closing = false
  /** How many on each connection. */
  const underWay = new Map<Socket, number>()
  const change = (socket: Socket, by: 1 | -1): void => {
    const count = (underWay.get(socket) ?? 0) + by
    if (underWay.has(socket)) underWay.set(socket, count)
    if (closing && count === 0) socket.destroySoon()
  }

  app.server.on('connection', (socket) => {
    underWay.set(socket, 0)
    socket.once('close', () => underWay.delete(socket))
  })
  app.server.on('request', ({ socket }, answer) => {
    change(socket, 1)
    answer.once('close', () => change(socket, -1))
  })
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
  // What Node does when it stops listening. Its own way cuts off an answer that is written but has not left yet, and
  // waits for ever for a connection that knownDevices opened ahead of need, or on which half a request came.
  app.server.closeIdleConnections = () => {
    for (const [socket, answers] of underWay) {
      if (answers === 0) socket.destroySoon()
      else socket.setTimeout(patience, () => socket.destroy())
    }
  }
}
