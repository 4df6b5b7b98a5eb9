import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'

/** RFC 9116 wants an expiry within a year. The file is made anew for each request. */
const VALID_FOR = 180 * 24 * 60 * 60_000

/** Where to tell of a weakness: /.well-known/security.txt. */
export function serveSecurityTxt(
  app: FastifyInstance,
  { SUPPORT_EMAIL }: Pick<Config, 'SUPPORT_EMAIL'>,
  clock: Clock,
): void {
  app.get('/.well-known/security.txt', async (_request, reply) =>
    reply
      .type('text/plain; charset=utf-8')
      .send(
        [
          `Contact: mailto:${encodeURI(SUPPORT_EMAIL)}`,
          `Expires: ${new Date(clock() + VALID_FOR).toISOString()}`,
          'Preferred-Languages: ru, en',
          '',
        ].join('\n'),
      ),
  )
}
