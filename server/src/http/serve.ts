import { Readable } from 'node:stream'
import { emailKey } from '@kopilka/contract/email-key.ts'
import {
  API_PREFIX,
  type Endpoint,
  MAX_BODY_BYTES,
  maxBodyBytesOf,
  type ResponseOf,
  type SummaryResponseOf,
  type ValidRequestOf,
} from '@kopilka/contract/endpoint.ts'
import type { Locale } from '@kopilka/contract/field-messages.ts'
import { RATE_LIMITS, type RateLimitName } from '@kopilka/contract/rate-limits.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { AppError } from '../errors.ts'
import type { Pool } from '../threads/pool.ts'
import type { Access } from './access.ts'
import { type Caller, localeOf } from './caller.ts'
import { allowSlowResponse } from './connections.ts'
import { type DeviceCookie, deviceCookieOf } from './device-cookie.ts'
import { fieldErrorsOf, sendError } from './errors.ts'
import { networkOf } from './ip-address.ts'
import { checkBodyHeaders, createBodyParser } from './json-body.ts'
import { type LargeTransfers, signalOf, timesOf } from './large-transfers.ts'
import { hasTooManyPairs } from './query-string.ts'
import type { CounterKey } from './rate-limits/counters.ts'
import type { RateLimits } from './rate-limits/rate-limits.ts'
import { fileError, type ReceivedFile, receivedFileOf, takeFile } from './received-file.ts'

/** The request of a handler. */
type Asked<E extends Endpoint> = ValidRequestOf<E> & {
  /** The file of a call that takes one. */
  file: E['takesFile'] extends string ? ReceivedFile : undefined
  /** Undefined for public calls. */
  caller: E['access'] extends 'signed-in' ? Caller : undefined
  /** Key of the client's address, for rate limits. */
  address: string
  device: DeviceCookie
  /** The language to respond in. */
  locale: Locale
  /** The `If-Match` header as sent. */
  ifMatch: string | undefined
  /** The `Idempotency-Key` of calls that take one. */
  idempotencyKey: string | undefined
  /** Aborts once nobody waits for the response any more. */
  signal: AbortSignal
  /** Sets the ETag of the response. */
  setEtag: (etag: string) => void
  /** Waits until the owner may be sent another long response: before what it will hold is read. */
  waitToRespond: () => Promise<void>
  /** Sends the id of the operation that can be undone. */
  setOperation: (id: string) => void
}

/** A file to download, or to be shown in a page. */
export interface SentFile {
  /** As the browser is to call it. */
  readonly name: string
  readonly mediaType: string
  /** Is read as fast as the client takes it, and returned when the connection closes. */
  readonly bytes: AsyncIterable<Uint8Array>
  /** Absent: it is downloaded. Otherwise its address gives these bytes for ever. */
  readonly shown?: { readonly size: number; readonly etag: string }
}

type Handled<E extends Endpoint> = E extends { sendsFile: true }
  ? SentFile
  : ResponseOf<E> | SummaryResponseOf<E>

type Handler<E extends Endpoint> = (asked: Asked<E>) => Promise<Handled<E>>

/** Serves calls; given to all modules. */
export interface Server {
  /** Serves a call. `precondition` may throw before the body is read, for a call that is turned off. */
  serve: <E extends Endpoint>(endpoint: E, handler: Handler<E>, precondition?: () => void) => void
  /** The methods of the calls at a path, for 405; undefined if no call has that path. */
  methodsAt: (path: string) => readonly string[] | undefined
}

interface ServerDependencies {
  access: Access
  rateLimits: RateLimits
  transfers: LargeTransfers
  /** Parses large bodies. */
  pool: Pool
}

/** Turns calls of the contract into routes of `app`. */
export function createServer(
  app: FastifyInstance,
  { access, rateLimits, transfers, pool }: ServerDependencies,
): Server {
  const bodyOf = createBodyParser(app, pool)
  const served = new Map<string, { pattern: RegExp; methods: string[] }>()
  const callers = new WeakMap<FastifyRequest, Caller>()

  function register(endpoint: Endpoint): string {
    const { path, method } = endpoint
    const url = `${API_PREFIX}${path}`
    const pattern = new RegExp(`^${url.replace(/:\w+/g, '[^/]+')}?$`)
    const { methods } = served.get(url) ?? { methods: [] }
    served.set(url, { pattern, methods: [...methods, method, ...(hasHead(endpoint) ? ['HEAD'] : [])] })
    return url
  }

  /** Identifies and counts the caller; throws what {@link Access} throws. */
  async function admit(endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { scope, takesFile, maxBodyBytes = takesFile ? Number.POSITIVE_INFINITY : 0 } = endpoint
    const limit = endpoint.countsTowards
    const kind = takesFile ? 'file' : 'json'
    const times = timesOf(request, kind)
    const caller = scope ? await access.admit(request, reply, { scope, times, limit }) : undefined
    if (caller) callers.set(request, caller)
    else await access.admitAnyone(request, reply, times)
    transfers.countUnannounced({ request, caller }, kind)
    checkBodyHeaders(request)
    if (caller && maxBodyBytes > MAX_BODY_BYTES)
      await transfers.waitToReceive(caller.owner_id, request, reply)
  }

  return {
    serve(endpoint, handler, precondition) {
      const limits = (endpoint.rateLimits ?? []).filter((limit) => RATE_LIMITS[limit].counts === 'calls')

      const route = (options: RouteOptions) =>
        endpoint.takesFile
          ? takeFile(app, endpoint.takesFile, (scope) => scope.route(options))
          : void app.route(options)
      route({
        method: endpoint.method,
        url: register(endpoint),
        bodyLimit: maxBodyBytesOf(endpoint),
        exposeHeadRoute: hasHead(endpoint),
        // Runs before the body is read, so that no stranger makes the server read megabytes.
        onRequest: (request, reply, done) => {
          admit(endpoint, request, reply)
            .then(precondition)
            .then(() => done(), done)
        },
        handler: async (request, reply) => {
          if (endpoint.goesInSteps) allowSlowResponse(request.raw)
          const parts: Record<string, unknown> = validated(endpoint, request)
          const caller = callers.get(request)
          if (endpoint.body)
            parts.body = await bodyOf(endpoint, request, { reply, owner_id: caller?.owner_id })
          if (limits.length > 0) {
            const address = networkOf(request.ip)
            await rateLimits.take(countersOf(limits, { caller, address, body: parts.body }))
          }
          const waitToRespond = async () => {
            if (caller) await transfers.waitToRespond(caller.owner_id, reply)
          }
          const asked = Object.assign(contextOf(endpoint, request, reply), parts, { caller, waitToRespond })
          const make = async () => {
            // The parts were parsed by the endpoint's own schemas just above.
            const response = await handler(asked as Parameters<typeof handler>[0])
            reply.status(endpoint.status)
            return response
          }
          // Its handler returns a file; the compiler does not know which type of endpoint this is.
          if (endpoint.sendsFile)
            return sendFile((await make()) as unknown as SentFile, request, reply, (bytes) => {
              if (caller) transfers.count(caller.owner_id, bytes, 'file')
            })
          const { mayBeLong, countsTowards: limit } = endpoint
          return transfers.sendJson(make, { request, reply, caller, mayBeLong, limit })
        },
        errorHandler: (error, request, reply) =>
          sendError(
            endpoint.takesFile ? fileError(error, endpoint.takesFile) : error,
            request,
            reply,
            endpoint.repeatsDetailAsError,
          ),
      })
    },

    methodsAt(path) {
      const decoded = decodedPath(path)
      const matching = [...served.values()].filter(({ pattern }) => pattern.test(decoded))
      if (matching.length === 0) return undefined
      return [...new Set(matching.flatMap((each) => each.methods))]
    },
  }
}

/** A file costs as much whether or not its bytes are sent, so none is made for its headers alone. */
const hasHead = ({ method, sendsFile }: Endpoint): boolean => method === 'GET' && !sendsFile

/** Only the owner's own browser may keep it. */
const FOR_EVER = 'private, max-age=31536000, immutable'
/** Opened as a page, a file runs and loads nothing. */
const SANDBOX = "sandbox; default-src 'none'"

/**
 * Sends a file. Where it cannot be finished the connection breaks, so that no part is taken for the whole. `count`: called with the
 * bytes of one that is shown; downloads have a limit of their own.
 */
function sendFile(
  { name, mediaType, bytes, shown }: SentFile,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  count: (bytes: number) => void,
): FastifyReply {
  if (shown) {
    const { size, etag } = shown
    reply.headers({ etag, 'cache-control': FOR_EVER, 'content-security-policy': SANDBOX })
    if (headers['if-none-match']?.includes(etag)) return reply.status(304).send()
    count(size)
    reply.headers({ 'content-length': size, 'content-disposition': `inline; filename="${name}"` })
    return reply.type(mediaType).send(Readable.from(bytes, { objectMode: false }))
  }
  const ascii = name.replace(/[^\w.-]+/g, '_')
  const encoded = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`)
  return reply
    .header('content-disposition', `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`)
    .type(mediaType)
    .send(Readable.from(bytes, { objectMode: false }))
}

/** The path as the router reads it: without a host, decoded except for reserved characters. */
function decodedPath(path: string): string {
  const bare = path.replace(/^https?:\/\/[^/]*/i, '').replace(/#.*/, '')
  try {
    return decodeURI(bare)
  } catch {
    return bare
  }
}

/** The parts of a handler's request besides the validated ones. */
const contextOf = (endpoint: Endpoint, request: FastifyRequest, reply: FastifyReply) => ({
  get file() {
    return endpoint.takesFile ? receivedFileOf(request, endpoint.takesFile) : undefined
  },
  get address() {
    return networkOf(request.ip)
  },
  get device() {
    return deviceCookieOf(request, reply)
  },
  get locale() {
    return localeOf(request)
  },
  get signal() {
    return signalOf(reply)
  },
  ifMatch: request.headers['if-match'],
  idempotencyKey: endpoint.takesIdempotencyKey && idempotencyKeyOf(request),
  setEtag: (etag: string) => void reply.header('etag', etag),
  setOperation: (id: string) => void reply.header('operation', id),
})

function idempotencyKeyOf({ headers }: FastifyRequest): string | undefined {
  const key = headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || !/^[!-~]{1,255}$/.test(key)) throw new AppError('idempotencyKeyInvalid')
  return key
}

/** The parameters of the path and the query. */
function validated(endpoint: Endpoint, request: FastifyRequest): Record<string, unknown> {
  const parts: Record<string, unknown> = {}
  if (endpoint.params) {
    const params = endpoint.params.safeParse(request.params)
    if (!params.success) throw new AppError(endpoint.missing ?? 'notFound')
    parts.params = params.data
  }
  if (endpoint.query) {
    if (hasTooManyPairs(request.url)) throw new AppError('queryInvalid')
    const query = endpoint.query.safeParse(request.query)
    if (!query.success) throw new AppError('queryInvalid', fieldErrorsOf(query.error.issues))
    parts.query = query.data
  }
  return parts
}

/** The counters of a call's rate limits. */
function countersOf(
  limits: readonly RateLimitName[],
  { caller, address, body }: { caller: Caller | undefined; address: string; body: unknown },
): CounterKey[] {
  return limits.map((limit) => {
    switch (RATE_LIMITS[limit].per) {
      case 'owner':
        return { limit, key: caller?.owner_id ?? address }
      case 'account':
        return { limit, key: emailKey((body as { email: string }).email) }
      default:
        return { limit, key: address }
    }
  })
}
