import type { Failure } from '@kopilka/contract/errors.ts'
import type { Locale } from '@kopilka/contract/field-messages.ts'
import { type MessageKey, type MessageRef, translate } from '@kopilka/contract/messages.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { AppError, DatabaseUnavailable } from '../errors.ts'
import { localeOf } from './caller.ts'
import { mayBeLarge } from './large-transfers.ts'

/** The status of a failure by its code; any other is a 400. */
const STATUSES: Readonly<Partial<Record<MessageKey, number>>> = {
  unauthorized: 401,
  registrationClosed: 403,
  tokenForAccount: 403,
  tokenScope: 403,
  apiTokenQuota: 403,
  fileQuota: 403,
  itemQuota: 403,
  tagQuota: 403,
  textQuota: 403,
  exportLinkDead: 404,
  notFound: 404,
  noteNotFound: 404,
  linkNotFound: 404,
  tagNotFound: 404,
  itemNotFound: 404,
  operationNotFound: 404,
  trashedNotFound: 404,
  versionNotFound: 404,
  importNotFound: 404,
  fileNotFound: 404,
  apiTokenNotFound: 404,
  methodNotAllowed: 405,
  operationUndone: 409,
  mergeUnderWay: 409,
  importQuota: 409,
  importNotReady: 409,
  importRunning: 409,
  importDone: 409,
  changesGone: 410,
  changedMeanwhile: 412,
  tooLarge: 413,
  importTooLarge: 413,
  fileTooLarge: 413,
  notJson: 415,
  importNotFile: 415,
  fileNotSent: 415,
  fileNotPicture: 415,
  fileSvg: 415,
  encodedBody: 415,
  idempotencyKeyReused: 422,
  rateLimited: 429,
  internal: 500,
  tooSlow: 503,
  databaseUnavailable: 503,
  importDiskFull: 507,
}

export const statusOf = (code: MessageKey): number => STATUSES[code] ?? 400

/** Failures of requests whose bodies are not read to their end. */
const REFUSED_EARLY: ReadonlySet<number> = new Set([404, 405, 409, 413, 429, 507])
/** The same where a request does not say how long its body is, as that of no browser: anybody may have these failures. */
const REFUSED_UNANNOUNCED: ReadonlySet<number> = new Set([401, 403, 415])

/**
 * Closes the connection after a failure where more of a large body would come. A client that still sends could miss the response: it
 * reads that of other failures, such as the 401 after which a browser renews its token, and goes on to send for as long as
 * connections.ts allows.
 */
export function closeEarly(status: number, request: FastifyRequest, reply: FastifyReply): void {
  if (request.raw.complete || !mayBeLarge(request)) return
  const isUnannounced = request.headers['content-length'] === undefined
  if (REFUSED_EARLY.has(status) || (isUnannounced && REFUSED_UNANNOUNCED.has(status)))
    reply.header('connection', 'close')
}

/** Errors of Fastify itself by their code; any other below 500 is a bad request. */
const FRAMEWORK: Readonly<Record<string, MessageKey>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'notJson',
  FST_ERR_CTP_BODY_TOO_LARGE: 'tooLarge',
  FST_ERR_BAD_URL: 'notFound',
}

/** Retry-After, in seconds, while the database is unavailable. */
const DATABASE_RETRY_AFTER = 5

interface ErrorResponse {
  message: MessageKey
  status?: number
  fields?: Readonly<Record<string, readonly MessageRef[]>>
  retryAfter?: number | undefined
}

function responseOf(error: FastifyError | AppError | DatabaseUnavailable): ErrorResponse {
  if (error instanceof AppError) {
    const { code, fields, retryAfter } = error
    return { message: code, fields, retryAfter }
  }
  if (error instanceof DatabaseUnavailable)
    return { message: 'databaseUnavailable', retryAfter: DATABASE_RETRY_AFTER }
  const known = FRAMEWORK[error.code]
  if (known) return { message: known }
  if (error.statusCode && error.statusCode < 500) return { message: 'badRequest', status: error.statusCode }
  return { message: 'internal' }
}

function translated(
  { message, fields = {} }: ErrorResponse,
  locale: Locale,
  repeatAsError: boolean,
): Failure {
  const detail = translate(message, locale)
  const messages = Object.entries(fields).map(([field, refs]) => [
    field,
    refs.map((ref) => translate(ref, locale)),
  ])
  return { ...Object.fromEntries(messages), detail, ...(repeatAsError && { error: detail }) }
}

/** The client closed the connection before it had sent the whole body. */
const ABORTED: ErrorResponse = { message: 'badRequest' }

/** A stream that the body is written to ends the request with an error of its own. */
const isAborted = (error: Error, { raw }: FastifyRequest): boolean =>
  error === raw.errored && 'code' in error && error.code === 'ECONNRESET'

/** Responds with an error. `repeatAsError`: the call's screens read `error` instead of `detail`. */
export function sendError(
  error: FastifyError | AppError | DatabaseUnavailable,
  request: FastifyRequest,
  reply: FastifyReply,
  repeatAsError = false,
): FastifyReply {
  const response = isAborted(error, request) ? ABORTED : responseOf(error)
  const { status = statusOf(response.message) } = response
  if (status >= 500) request.log.error({ err: error }, 'request failed')
  closeEarly(status, request, reply)
  if (response.retryAfter !== undefined) reply.header('retry-after', response.retryAfter)
  return reply.status(status).send(translated(response, localeOf(request), repeatAsError))
}

/** The message keys of validation issues by field; an issue inside a list belongs to the list's field. */
export function fieldErrorsOf(issues: readonly z.core.$ZodIssue[]): Record<string, MessageRef[]> {
  const fields: Record<string, MessageRef[]> = {}
  for (const { path, message } of issues) {
    const [field] = path
    if (typeof field !== 'string') continue
    // The contract's rules give a message key; `translate` turns any other text into 'wrongType'.
    const ref = message as MessageRef
    const known = fields[field] ?? []
    fields[field] = known.includes(ref) ? known : [...known, ref]
  }
  return fields
}
