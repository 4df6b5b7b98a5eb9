import { METHODS as httpMethods } from 'node:http'
import {
  API_PREFIX,
  type Endpoint,
  type ResponseOf,
  type SummaryResponseOf,
  type ValidRequestOf,
} from '@kopilka/contract/endpoint.ts'
import { emailKey } from '@kopilka/contract/fields.ts'
import type { Locale } from '@kopilka/contract/messages.ts'
import { RATE_LIMITS, type RateLimitName } from '@kopilka/contract/rate-limits.ts'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { type Caller, callerOf, type Identify } from './caller.ts'
import { type Browser, browserOf } from './device-cookie.ts'
import { answerFailure, fieldsOf } from './errors.ts'
import { networkOf } from './ip-address.ts'
import { checkBodyHeaders, readJsonOnly } from './json-body.ts'
import type { Limits, Use } from './limits.ts'
import { localeOf } from './locale.ts'

/** A body is at most this many bytes: 500,000 characters of HTML, each written as `\uXXXX\uXXXX`, and the rest. */
const SIGNED_IN_BODY = 8 * 1024 * 1024
const PUBLIC_BODY = 64 * 1024

/** Every method there is; CONNECT never comes as a request. */
const METHODS = httpMethods.filter((method) => method !== 'CONNECT')

/** What a handler knows of its request. */
type Asked<E extends Endpoint> = ValidRequestOf<E> & {
  /** Only calls for the signed-in have one. */
  caller: E['access'] extends 'signed-in' ? Caller : undefined
  /** Where the request came from, as limits count it. */
  address: string
  browser: Browser
  /** The language the answer should be in. */
  locale: Locale
  /** The `If-Match` header as sent. */
  ifMatch: string | undefined
  /** Of calls that may be repeated: the `Idempotency-Key`. */
  idempotencyKey: string | undefined
  /** Sends the item's version with the answer. */
  setEtag: (etag: string) => void
}

type Handler<E extends Endpoint> = (asked: Asked<E>) => Promise<ResponseOf<E> | SummaryResponseOf<E>>

/** What rooms need to offer their calls. */
export interface Server {
  /** `open` throws where the call is not to be had at all, before anything of the request is looked at. */
  serve: <E extends Endpoint>(endpoint: E, handler: Handler<E>, open?: () => void) => void
  /** To be called once all calls are served: their paths answer 405 to every other method. */
  refuseOtherMethods: () => void
}

interface ServerParts {
  identify: Identify
  limits: Limits
}

/** Turns calls of the contract into routes of `app`. */
export function createServer(app: FastifyInstance, { identify, limits }: ServerParts): Server {
  readJsonOnly(app)
  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method, { hasBody: true })
  }
  // An expectation that nobody knows is no reason to refuse: the request is answered like any other.
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  const served = new Map<string, Set<string>>()

  /** Who asks, counted; throws where nobody unknown may, and where it is too often. */
  async function admit({ access }: Endpoint, request: FastifyRequest): Promise<Caller | undefined> {
    const caller = access === 'signed-in' ? await callerOf(request, identify) : undefined
    await limits.request(
      caller ? { rate: 'signedIn', who: caller.owner_id } : { rate: 'signedOut', who: networkOf(request.ip) },
    )
    if (access === 'signed-in' && !caller) throw new AppError('unauthorized')
    return caller
  }

  return {
    serve(endpoint, handler, open) {
      const url = `${API_PREFIX}${endpoint.path}`
      served.set(url, (served.get(url) ?? new Set()).add(endpoint.method))
      const callers = new WeakMap<FastifyRequest, Caller>()
      const rateLimits = (endpoint.rateLimits ?? []).filter((rate) => RATE_LIMITS[rate].counts === 'calls')

      app.route({
        method: endpoint.method,
        url,
        bodyLimit: endpoint.access === 'public' ? PUBLIC_BODY : SIGNED_IN_BODY,
        // Before the body is read: nobody unknown makes the server read megabytes.
        onRequest: async (request) => {
          open?.()
          const caller = await admit(endpoint, request)
          if (caller) callers.set(request, caller)
          checkBodyHeaders(request)
        },
        handler: async (request, reply) => {
          const [parts, caller] = [validated(endpoint, request), callers.get(request)]
          if (rateLimits.length > 0) {
            const address = networkOf(request.ip)
            await limits.take(usesOf(rateLimits, { caller, address, body: parts.body }))
          }
          const asked = {
            ...parts,
            caller,
            // Few calls ask for these.
            get address() {
              return networkOf(request.ip)
            },
            get browser() {
              return browserOf(request, reply)
            },
            get locale() {
              return localeOf(request)
            },
            ifMatch: request.headers['if-match'],
            idempotencyKey: endpoint.takesIdempotencyKey && idempotencyKeyOf(request),
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
      for (const [url, methods] of served) {
        const allowed = new Set([...methods, ...(methods.has('GET') ? ['HEAD'] : [])])
        app.route({
          method: METHODS.filter((method) => !allowed.has(method)),
          url,
          onRequest: async (_request, reply) => {
            reply.header('allow', [...allowed].join(', '))
            throw new AppError('methodNotAllowed')
          },
          handler: async () => undefined,
        })
      }
    },
  }
}

function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[!-~]{1,255}$/.test(key)) throw new AppError('idempotencyKeyInvalid')
  return key
}

function validated(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const parts: Record<string, unknown> = {}
  if (endpoint.params) {
    const params = endpoint.params.safeParse(request.params)
    if (!params.success) throw new AppError(endpoint.missing ?? 'notFound')
    parts.params = params.data
  }
  if (endpoint.query) {
    const query = endpoint.query.safeParse(request.query)
    if (!query.success) throw new AppError('queryInvalid', fieldsOf(query.error.issues))
    parts.query = query.data
  }
  if (endpoint.body) {
    const body = endpoint.body.safeParse(request.body ?? {})
    if (!body.success) throw new AppError('formInvalid', fieldsOf(body.error.issues))
    parts.body = body.data
  }
  return parts
}

/** Whom each of a call's limits counts. */
function usesOf(
  rateLimits: readonly RateLimitName[],
  { caller, address, body }: { caller: Caller | undefined; address: string; body: unknown },
): Use[] {
  return rateLimits.map((rate) => {
    switch (RATE_LIMITS[rate].per) {
      case 'owner':
        return { rate, who: caller?.owner_id ?? address }
      case 'account':
        return { rate, who: emailKey((body as { email: string }).email) }
      default:
        return { rate, who: address }
    }
  })
}
