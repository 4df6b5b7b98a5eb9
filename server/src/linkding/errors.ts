import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type { AppError, DatabaseUnavailable } from '../errors.ts'
import { closeEarly, sendError } from '../http/errors.ts'
import { InvalidFields } from './sent.ts'

type Thrown = FastifyError | AppError | DatabaseUnavailable | InvalidFields

interface DjangoError {
  status: number
  body: Readonly<Record<string, unknown>>
}

/** Errors that Django REST Framework words, by our code: clients compare some of them. */
function djangoErrorOf(error: Thrown, { method, headers }: FastifyRequest): DjangoError | undefined {
  if (error instanceof InvalidFields) return { status: 400, body: error.fields }
  const detail = (status: number, text: string): DjangoError => ({ status, body: { detail: text } })
  switch ('code' in error ? error.code : '') {
    case 'unauthorized':
      return detail(401, unauthorized(headers.authorization))
    case 'linkNotFound':
      return detail(404, 'No Bookmark matches the given query.')
    case 'tagNotFound':
      return detail(404, 'No Tag matches the given query.')
    case 'notFound':
      return detail(404, 'Not found.')
    case 'methodNotAllowed':
      return detail(405, `Method "${method}" not allowed.`)
    case 'malformedJson':
      return detail(400, 'JSON parse error - the body has to be JSON in UTF-8.')
    case 'notJson':
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return detail(415, `Unsupported media type "${headers['content-type'] ?? ''}" in request.`)
  }
  return undefined
}

function unauthorized(header: string | undefined): string {
  if (header === undefined || header === '') return 'Authentication credentials were not provided.'
  const parts = header.trim().split(/\s+/).length
  if (parts === 1) return 'Invalid token header. No credentials provided.'
  return parts > 2 ? 'Invalid token header. Token string should not contain spaces.' : 'Invalid token.'
}

/** Responds with an error as Django REST Framework does; what it does not know has our own sentence as `detail`. */
export function sendDjangoError(error: Thrown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const found = djangoErrorOf(error, request)
  if (!found) return sendError(error as FastifyError | AppError | DatabaseUnavailable, request, reply)
  closeEarly(found.status, request, reply)
  if (found.status === 401) reply.header('www-authenticate', 'Token')
  return reply.status(found.status).send(found.body)
}
