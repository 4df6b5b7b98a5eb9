import type { MessageKey, MessageRef } from '@kopilka/contract/messages.ts'

/** The code of an expected failure; http/errors.ts gives each its status. */
export type ErrorCode = Extract<
  MessageKey,
  | 'formInvalid'
  | 'queryInvalid'
  | 'badRequest'
  | 'malformedJson'
  | 'notJson'
  | 'encodedBody'
  | 'unauthorized'
  | 'wrongCredentials'
  | 'tokenForAccount'
  | 'tokenScope'
  | 'apiTokenNotFound'
  | 'resetLinkDead'
  | 'exportLinkDead'
  | 'registrationClosed'
  | `${string}Quota`
  | 'notFound'
  | 'noteNotFound'
  | 'linkNotFound'
  | 'tagNotFound'
  | 'operationNotFound'
  | 'operationUndone'
  | 'trashedNotFound'
  | 'changesGone'
  | 'versionNotFound'
  | 'idsOrFilter'
  | 'bulkChange'
  | 'mergeIntoItself'
  | 'mergeUnderWay'
  | 'itemNotFound'
  | `merge${'Itself' | 'Kinds' | 'TooLong' | 'ManyTags'}`
  | 'methodNotAllowed'
  | `import${string}`
  | `file${string}`
  | 'changedMeanwhile'
  | 'tooLarge'
  | 'tooSlow'
  | 'idempotencyKeyInvalid'
  | 'idempotencyKeyReused'
  | `fetch${string}`
  | 'rateLimited'
>

/** An expected failure that the client can act on. Anything else thrown is a bug and becomes a 500. */
export class AppError extends Error {
  override name = 'AppError'
  readonly code: ErrorCode
  /** Messages by invalid field. */
  readonly fields: Readonly<Record<string, readonly MessageRef[]>>
  /** Seconds after which a retry makes sense (`Retry-After`). */
  readonly retryAfter: number | undefined

  constructor(
    code: ErrorCode,
    fields: Readonly<Record<string, readonly MessageRef[]>> = {},
    retryAfter?: number,
  ) {
    super(code)
    this.code = code
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** The database cannot be reached or cannot write at the moment: nothing was changed, a retry may succeed. */
export class DatabaseUnavailable extends Error {
  override name = 'DatabaseUnavailable'
}

/** A concurrent transaction conflicts with this one. */
export class DatabaseConflict extends DatabaseUnavailable {
  override name = 'DatabaseConflict'
}

/**
 * The code an error carries (`SQLITE_FULL`, `57P01`, `ECONNREFUSED`), or the error of the database that made it unavailable; empty
 * where there is none.
 */
export const codeOf = (error: unknown): string => {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  return error instanceof DatabaseUnavailable ? codeOf(error.cause) : ''
}
