import fastify, {
  type FastifyError,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import type { Config } from '../config.ts'
import { createConnections, MAX_HEAD_BYTES } from './connections.ts'
import { sendError } from './errors.ts'
import { headersAt, headersFor, sendHeaders } from './headers.ts'
import { addressIn, networks } from './ip-address.ts'
import { parseQueryString } from './query-string.ts'
import { type AdmitPage, isApi } from './static.ts'

/** Logs one line for each request. It has the route and not the URL, because queries hold what users search for. */
class RequestLog extends LogController {
  override incomingRequest(): void {}
  override routeNotFound(): void {}

  override requestCompleted(
    _error: Error | null | undefined,
    { log, method, routeOptions }: FastifyRequest,
    { statusCode, elapsedTime }: FastifyReply,
  ): void {
    const milliseconds = Math.round(elapsedTime * 10) / 10
    log.info({ method, route: routeOptions.url, status: statusCode, milliseconds }, 'request')
  }
}

/** Whether a hop in `X-Forwarded-For` is one of the named proxies; some proxies write `ip:port`. */
function trusts(ranges: readonly string[]): (hop: string) => boolean {
  const proxies = networks(ranges)
  return (hop) => {
    const { address, family } = addressIn(hop)
    return family !== undefined && proxies.check(address, family)
  }
}

/** Calls validate with the schemas of the contract. Fastify's own compilers, which it would load at the start, take some megabytes. */
function noSchemas(): never {
  throw new Error('Routes have no schemas of Fastify: declare the call in contract/src.')
}

/**
 * A Fastify instance without routes: connections, security headers, error responses, the log. `admitPage`: for addresses that no route
 * can have.
 */
export function createHttpServer(
  {
    LOG_LEVEL,
    TRUST_PROXY,
    PUBLIC_URL,
    RATE_LIMIT,
  }: Pick<Config, 'LOG_LEVEL' | 'TRUST_PROXY' | 'PUBLIC_URL' | 'RATE_LIMIT'>,
  admitPage: AdmitPage,
): FastifyInstance {
  const isProxy = trusts(TRUST_PROXY)
  const connections = createConnections({}, headersAt(PUBLIC_URL), {
    isProxy,
    onTooMany: (address) =>
      app.log.warn(
        { address },
        'too many connections of one address: name it in TRUST_PROXY if it is a proxy',
      ),
    ...(RATE_LIMIT === 'off' && { most: Number.POSITIVE_INFINITY }),
  })
  const app = fastify({
    logger: { level: LOG_LEVEL, base: null },
    logController: new RequestLog(),
    trustProxy: TRUST_PROXY.length > 0 && isProxy,
    // So that ids of any length are looked up and give 404.
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: MAX_HEAD_BYTES,
      querystringParser: parseQueryString,
    },
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
    serverFactory: connections.createServer,
    clientErrorHandler: connections.refuseUnreadable,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      reply.headers(headersFor(request, PUBLIC_URL))
      admitPage(request, reply).then(
        () => {
          // An address that cannot be decoded is redirected to the root, like an unknown one.
          if (request.method === 'GET' && !isApi(request.url)) return void reply.redirect('/')
          sendError(error, request, reply)
        },
        (refusal) => sendError(refusal, request, reply),
      )
    },
  })
  sendHeaders(app, PUBLIC_URL)
  connections.closeWith(app)
  app.setErrorHandler<FastifyError>((error, request, reply) => sendError(error, request, reply))
  return app
}
