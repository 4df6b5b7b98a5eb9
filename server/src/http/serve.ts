import {
  type AnswerOf,
  API_PREFIX,
  type Endpoint,
  type SummaryOf,
  type ValidRequestOf,
} from '@kopilka/contract/endpoint.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { type Caller, callerOf, type Identify } from './caller.ts'
import { answerFailure, fieldsOf } from './failures.ts'

/** A body is at most this many bytes: 500,000 characters of HTML, each written as `\uXXXX\uXXXX`, and the rest. */
const SIGNED_IN_BODY = 8 * 1024 * 1024
const PUBLIC_BODY = 64 * 1024

const METHODS = ['DELETE', 'GET', 'OPTIONS', 'PATCH', 'POST', 'PUT']

/** What a handler knows of its request. */
type Asked<E extends Endpoint> = ValidRequestOf<E> & {
  /** Only calls for the signed-in have one. */
  caller: E['access'] extends 'signed-in' ? Caller : undefined
  /** The `If-Match` header as sent. */
  ifMatch: string | undefined
  /** Sends the item's version with the answer. */
  setEtag: (etag: string) => void
}

type Handler<E extends Endpoint> = (asked: Asked<E>) => Promise<AnswerOf<E> | SummaryOf<E>>

/** What rooms need to offer their calls. */
export interface Server {
  serve: <E extends Endpoint>(endpoint: E, handler: Handler<E>) => void
  /** To be called once all calls are served: their paths answer 405 to every other method. */
  refuseOtherMethods: () => void
}

/** Turns calls of the contract into routes of `app`. */
export function createServer(app: FastifyInstance, identify: Identify): Server {
  app.removeContentTypeParser('text/plain')
  const served = new Map<string, Set<string>>()

  return {
    serve(endpoint, handler) {
      const url = `${API_PREFIX}${endpoint.path}`
      served.set(url, (served.get(url) ?? new Set()).add(endpoint.method))
      const callers = new WeakMap<FastifyRequest, Caller>()

      app.route({
        method: endpoint.method,
        url,
        bodyLimit: endpoint.access === 'public' ? PUBLIC_BODY : SIGNED_IN_BODY,
        // Before the body is read: nobody unknown makes the server read megabytes.
        onRequest: async (request) => {
          if (endpoint.access === 'signed-in') callers.set(request, await callerOf(request, identify))
        },
        handler: async (request, reply) => {
          const asked = {
            ...validated(endpoint, request),
            caller: callers.get(request),
            ifMatch: request.headers['if-match'],
            setEtag: (etag: string) => void reply.header('etag', etag),
          }
          // The parts were parsed by the endpoint's own schemas just above.
          const answer = await handler(asked as Parameters<typeof handler>[0])
          return reply.status(endpoint.status).send(answer)
        },
        errorHandler: (error, request, reply) =>
          answerFailure(error, request, reply, endpoint.repeatsDetailAsError),
      })
    },

    refuseOtherMethods() {
      for (const [url, allowed] of served) {
        app.route({
          method: METHODS.filter((method) => !allowed.has(method)),
          url,
          onRequest: async (_request, reply) => {
            reply.header('allow', [...allowed, ...(allowed.has('GET') ? ['HEAD'] : [])].join(', '))
            throw new Refusal('methodNotAllowed')
          },
          handler: async () => undefined,
        })
      }
    },
  }
}

function validated(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const parts: Record<string, unknown> = {}
  if (endpoint.params) {
    const params = endpoint.params.safeParse(request.params)
    if (!params.success) throw new Refusal(endpoint.missing ?? 'notFound')
    parts.params = params.data
  }
  if (endpoint.query) {
    const query = endpoint.query.safeParse(request.query)
    if (!query.success) throw new Refusal('queryInvalid', fieldsOf(query.error.issues))
    parts.query = query.data
  }
  if (endpoint.body) {
    const body = endpoint.body.safeParse(request.body ?? {})
    if (!body.success) throw new Refusal('formInvalid', fieldsOf(body.error.issues))
    parts.body = body.data
  }
  return parts
}
