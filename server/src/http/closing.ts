import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'

/** A closing server lets each connection go with the answer under way on it; kept open, one would hold up the end. */
export function closeWithLastAnswers(app: FastifyInstance): void {
  let closing = false
  // Browsers connect ahead of need, and to Node a connection that never asked for anything is not idle.
  const silent = new Set<Socket>()
  app.server.on('connection', (socket) => {
    silent.add(socket)
    socket.once('close', () => silent.delete(socket))
  })
  app.server.on('request', ({ socket }) => silent.delete(socket))
  app.addHook('preClose', async () => {
    closing = true
    for (const socket of silent) socket.destroy()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}
