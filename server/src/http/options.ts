import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { translate } from '@kopilka/contract/messages.ts'
import type { FastifyError, FastifyReply, FastifyRequest, FastifyServerOptions } from 'fastify'
import type { Config } from '../config.ts'
import { answerFailure } from './errors.ts'
import { HEADERS, headersFor } from './headers.ts'
import { RequestLog } from './request-log.ts'
import { isApi } from './static.ts'

/** Milliseconds to receive a whole request: half a megabyte over a poor line, but nobody holds a connection for ever. */
const REQUEST_TIMEOUT = 60_000

/** How Fastify is set up. */
export function serverOptions({
  LOG_LEVEL,
  TRUST_PROXY,
}: Pick<Config, 'LOG_LEVEL' | 'TRUST_PROXY'>): FastifyServerOptions {
  return {
    logger: { level: LOG_LEVEL, base: null },
    logController: new RequestLog(),
    trustProxy: TRUST_PROXY.length > 0 ? [...TRUST_PROXY] : false,
    // An id of any length is looked at, and is not found: Node reads no more than this of a request's head.
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 16_384 },
    requestTimeout: REQUEST_TIMEOUT,
    forceCloseConnections: 'idle',
    return503OnClosing: false,
    frameworkErrors: (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
      // An address that cannot be decoded is an unknown one, and those lead to the root.
      if (request.method === 'GET' && !isApi(request.url)) return void reply.redirect('/')
      answerFailure(error, request, reply.headers(headersFor(request)))
    },
    clientErrorHandler: answerUnreadable,
  }
}

/** What is no HTTP at all has no request to answer to: the sentence goes straight to the socket. */
function answerUnreadable(error: Error & { code?: string }, socket: Socket): void {
  if (!socket.writable || error.code === 'ECONNRESET') return void socket.destroy()
  const status = error.code === 'HPE_HEADER_OVERFLOW' ? 431 : 400
  const body = JSON.stringify({ detail: translate('badRequest', 'ru') })
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      'connection: close',
      ...Object.entries(HEADERS).map(([name, value]) => `${name}: ${value}`),
      '',
      body,
    ].join('\r\n'),
  )
}
