import { site } from '@kopilka/contract/site.ts'
import { escapeHtml } from '@kopilka/text/escape-html.ts'
import type { FastifyInstance } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Server } from './serve.ts'

/** RFC 9116 requires an expiry within a year. The file is generated for each request. */
const SECURITY_TXT_VALID_FOR = 180 * 24 * 60 * 60_000

/** Serves the public settings of this server. */
export function serveSite({ serve }: Server, config: Pick<Config, 'SUPPORT_EMAIL' | 'REGISTRATION'>): void {
  serve(site.read, async () => ({ support_email: config.SUPPORT_EMAIL, registration: config.REGISTRATION }))
}

/** Serves /healthz for supervisors: 200 while the process is alive. */
export function serveHealth(app: FastifyInstance): void {
  app.get('/healthz', { logLevel: 'warn' }, (_request, reply) => {
    reply.send({ status: 'ok' })
  })
}

/**
 * Serves /readyz for load balancers: 200 only while the database is available. `pingDatabase` rejects if it is not, and
 * resolves to the machines of one that is spread: without some of them the server still serves the owners of the others.
 */
export function serveReadiness(app: FastifyInstance, pingDatabase: () => Promise<object | undefined>): void {
  app.get('/readyz', { logLevel: 'warn' }, async (_request, reply) => {
    try {
      const machines = await pingDatabase()
      return { status: 'ok', ...(machines && { machines }) }
    } catch {
      return reply.status(503).send({ status: 'database away' })
    }
  })
}

/** Serves /.well-known/security.txt, which says where to report vulnerabilities. */
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

/** Serves /opensearch.xml, with which a browser searches Копилка from its address bar (OpenSearch 1.1, draft 6). */
export function serveOpenSearch(app: FastifyInstance, { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): void {
  const base = escapeHtml(PUBLIC_URL.replace(/\/+$/, ''))
  const description = `<?xml version="1.0" encoding="UTF-8"?>
<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">
  <ShortName>Копилка</ShortName>
  <Description>Поиск в заметках и ссылках</Description>
  <InputEncoding>UTF-8</InputEncoding>
  <Image width="16" height="16" type="image/svg+xml">${base}/favicon.svg</Image>
  <Url type="text/html" method="get" template="${base}/home?search={searchTerms}"/>
</OpenSearchDescription>
`
  app.get('/opensearch.xml', (_request, reply) => {
    reply.type('application/opensearchdescription+xml; charset=utf-8').send(description)
  })
}
