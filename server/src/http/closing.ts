import type { FastifyInstance } from 'fastify'

/** A closing server lets each connection go with the answer under way on it; kept open, one would hold up the end. */
export function closeWithLastAnswers(app: FastifyInstance): void {
  let closing = false
  app.addHook('preClose', async () => {
    closing = true
  })
  app.addHook('onSend', async (_request, reply) => {
    if (closing) reply.header('connection', 'close')
  })
}
