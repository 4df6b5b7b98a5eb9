import type { Failure } from '@kopilka/contract/errors.ts'
import type { Locale } from '@kopilka/contract/field-messages.ts'
import { type MessageRef, translate } from '@kopilka/contract/messages.ts'
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import type * as z from 'zod/mini'
import { AppError, DatabaseUnavailable, type ErrorCode } from '../errors.ts'
import { localeOf } from './caller.ts'

/** The status of each error code. */
export const STATUS: Readonly<Record<ErrorCode, number>> = {
  formInvalid: 400,
  queryInvalid: 400,
  badRequest: 400,
  malformedJson: 400,
  idempotencyKeyInvalid: 400,
  wrongCredentials: 400,
  resetLinkDead: 400,
  fetchScheme: 400,
  fetchCredentials: 400,
  fetchClosedAddress: 400,
  fetchClosedPort: 400,
  fetchUnknownHost: 400,
  fetchRefused: 400,
  fetchBroken: 400,
  fetchTls: 400,
  fetchTooSlow: 400,
  fetchTooManyRedirects: 400,
  fetchMissing: 400,
  fetchForbidden: 400,
  fetchFailed: 400,
  fetchNotPage: 400,
  fetchDamaged: 400,
  fetchTooComplex: 400,
  unauthorized: 401,
  registrationClosed: 403,
  itemQuota: 403,
  tagQuota: 403,
  textQuota: 403,
  notFound: 404,
  noteNotFound: 404,
  linkNotFound: 404,
  tagNotFound: 404,
  methodNotAllowed: 405,
  changedMeanwhile: 412,
  tooLarge: 413,
  notJson: 415,
  encodedBody: 415,
  idempotencyKeyReused: 422,
  rateLimited: 429,
}

/** Errors of Fastify itself by their code; any other below 500 is a bad request. */
const FRAMEWORK: Readonly<Record<string, { status: number; message: MessageRef }>> = {
  FST_ERR_CTP_INVALID_MEDIA_TYPE: { status: 415, message: 'notJson' },
  FST_ERR_CTP_BODY_TOO_LARGE: { status: 413, message: 'tooLarge' },
  FST_ERR_BAD_URL: { status: 404, message: 'notFound' },
}

/** Seconds after which a database that was unavailable may be back. */
const DATABASE_RETRY_AFTER = 5

interface ErrorResponse {
  status: number
  message: MessageRef
  fields?: Readonly<Record<string, readonly MessageRef[]>>
  retryAfter?: number | undefined
}

function responseOf(error: FastifyError | AppError | DatabaseUnavailable): ErrorResponse {
  if (error instanceof AppError) {
    const { code, fields, retryAfter } = error
    return { status: STATUS[code], message: code, fields, retryAfter }
  }
  if (error instanceof DatabaseUnavailable) {
    return { status: 503, message: 'databaseUnavailable', retryAfter: DATABASE_RETRY_AFTER }
  }
  const known = FRAMEWORK[error.code]
  if (known) return known
  if (error.statusCode && error.statusCode < 500) return { status: error.statusCode, message: 'badRequest' }
  return { status: 500, message: 'internal' }
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

/** Responds with an error. `repeatAsError`: the call's screens read `error` instead of `detail`. */
export function sendError(
  error: FastifyError | AppError | DatabaseUnavailable,
  request: FastifyRequest,
  reply: FastifyReply,
  repeatAsError = false,
): FastifyReply {
  const response = responseOf(error)
  if (response.status >= 500) request.log.error({ err: error }, 'request failed')
  if (response.retryAfter !== undefined) reply.header('retry-after', response.retryAfter)
  return reply.status(response.status).send(translated(response, localeOf(request), repeatAsError))
}

/** The message keys of validation issues by field; an issue inside a list belongs to the list's field. */
export function fieldErrorsOf(issues: readonly z.core.$ZodIssue[]): Record<string, MessageRef[]> {
  const fields: Record<string, MessageRef[]> = {}
  for (const { path, message } of issues) {
    const [field] = path
    if (typeof field !== 'string') continue
    // Our rules give a message key; `translate` words any other text as 'wrongType'.
    const ref = message as MessageRef
    const known = fields[field] ?? []
    fields[field] = known.includes(ref) ? known : [...known, ref]
  }
  return fields
}
