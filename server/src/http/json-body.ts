import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'

const CHARSET = /;\s*charset\s*=\s*"?([^\s";]*)/i
const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** What a request says of its body must be something we read; asked before the body is. Throws 'notJson' or 'encodedBody'. */
export function checkBodyHeaders({ headers }: FastifyRequest): void {
  const encoding = headers['content-encoding']
  if (encoding && encoding.trim().toLowerCase() !== 'identity') throw new AppError('encodedBody')
  const charset = CHARSET.exec(headers['content-type'] ?? '')?.[1]
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) throw new AppError('notJson')
}

/** Bodies are JSON in UTF-8 and nothing else; an empty one is none. Keys that could reach a prototype are refused. */
export function readJsonOnly(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined)
    try {
      parse(request, UTF8.decode(body as Buffer), done)
    } catch {
      done(new AppError('malformedJson'))
    }
  })
}
