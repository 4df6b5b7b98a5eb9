import { site } from '@kopilka/contract/site.ts'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Server } from './serve.ts'

/** RFC 9116 wants an expiry within a year. The file is written anew for each request. */
const SECURITY_TXT_VALID_FOR = 180 * 24 * 60 * 60_000

/** What anyone may know of this server: it stands in public pages. */
export function serveSite({ serve }: Server, config: Pick<Config, 'SUPPORT_EMAIL' | 'REGISTRATION'>): void {
  serve(site.read, async () => ({ support_email: config.SUPPORT_EMAIL, registration: config.REGISTRATION }))
}

/** /healthz, for supervisors: 200 while the process lives. */
export function serveHealth(app: FastifyInstance): void {
  app.get('/healthz', { logLevel: 'warn' }, (_request, reply) => {
    reply.send({ status: 'ok' })
  })
}

/** /readyz, for load balancers: 200 only while the database answers. `pingDatabase` fails where it does not. */
export function serveReadiness(app: FastifyInstance, pingDatabase: () => Promise<unknown>): void {
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    try {
      await pingDatabase()
      return { status: 'ok' }
    } catch {
      return reply.status(503).send({ status: 'database away' })
    }
  })
}

/** /.well-known/security.txt: where to report a vulnerability. */
export function serveSecurityTxt(
  app: FastifyInstance,
  { SUPPORT_EMAIL }: Pick<Config, 'SUPPORT_EMAIL'>,
  clock: Clock,
): void {
  app.get('/.well-known/security.txt', (_request, reply) => {
    const lines = [
      `Contact: mailto:${encodeURI(SUPPORT_EMAIL)}`,
      `Expires: ${new Date(clock() + SECURITY_TXT_VALID_FOR).toISOString()}`,
      'Preferred-Languages: ru, en',
      '',
    ]
    reply.type('text/plain; charset=utf-8').send(lines.join('\n'))
  })
}
