import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../db/schema.ts'

/** For supervisors and balancers: /healthz while the process lives, /readyz only while the database answers. */
export function serveHealth(app: FastifyInstance, db: Db): void {
  app.get('/healthz', { logLevel: 'warn' }, async () => ({ status: 'ok' }))

  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    try {
      await sql`select 1`.execute(db)
      return { status: 'ok' }
    } catch {
      return reply.status(503).send({ status: 'database away' })
    }
  })
}
