import { readFileSync } from 'node:fs'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import type { FastifyInstance } from 'fastify'

/** Serves the description of the API: openapi.json for programs, /api/docs for readers. */
export function serveApiDocs(app: FastifyInstance): void {
  const serveOnceMade = (url: string, type: string, make: () => string | Promise<string>) => {
    // Bytes, which all responses share: Node copies a text for each client that does not read it.
    let made: Buffer | undefined
    app.get(url, async (_request, reply) => {
      made ??= Buffer.from(await make())
      return reply.type(`${type}; charset=utf-8`).send(made)
    })
  }
  serveOnceMade(`${API_PREFIX}/openapi.json`, 'application/json', async () => {
    const { describeApi } = await import('./openapi.ts')
    return JSON.stringify(describeApi())
  })
  serveOnceMade('/api/docs', 'text/html', async () => {
    const [{ describeApi }, { docsPage }] = await Promise.all([import('./openapi.ts'), import('./page.ts')])
    return docsPage(describeApi())
  })
  serveOnceMade('/api/docs.css', 'text/css', () => readFileSync(new URL('docs.css', import.meta.url), 'utf8'))
}
