import type { FastifyInstance } from 'fastify'

/**
 * For supervisors and balancers: /healthz while the process lives, /readyz only while the database answers.
 * `askDatabase` fails where it does not.
 */
export function serveHealth(app: FastifyInstance, askDatabase: () => Promise<unknown>): void {
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    try {
      await askDatabase()
      return { status: 'ok' }
    } catch {
      return reply.status(503).send({ status: 'database away' })
    }
  })
}
