import type { MessageKey, MessageRef } from '@kopilka/contract/messages.ts'

/** Why something asked for was not done; http/failures.ts gives each its status. */
export type Reason = Extract<
  MessageKey,
  | 'formInvalid'
  | 'queryInvalid'
  | 'badRequest'
  | 'malformedJson'
  | 'notJson'
  | 'encodedBody'
  | 'unauthorized'
  | 'wrongCredentials'
  | 'resetLinkDead'
  | 'registrationClosed'
  | 'notFound'
  | 'noteNotFound'
  | 'linkNotFound'
  | 'tagNotFound'
  | 'methodNotAllowed'
  | 'changedMeanwhile'
  | 'idempotencyKeyInvalid'
  | 'idempotencyKeyReused'
  | `fetch${string}`
  | 'rateLimited'
>

/** The answer is no, and the person who asked can do something about it. Anything else thrown is a fault of ours. */
export class Refusal extends Error {
  override name = 'Refusal'
  readonly reason: Reason
  /** Messages for the fields at fault. */
  readonly fields: Readonly<Record<string, readonly MessageRef[]>>
  /** After how many seconds asking again makes sense. */
  readonly retryAfter: number | undefined

  constructor(
    reason: Reason,
    fields: Readonly<Record<string, readonly MessageRef[]>> = {},
    retryAfter?: number,
  ) {
    super(reason)
    this.reason = reason
    this.fields = fields
    this.retryAfter = retryAfter
  }
}

/** The database cannot be reached or cannot write just now: nothing was done, and it may pass. */
export class DatabaseAway extends Error {
  override name = 'DatabaseAway'
}

/** Another transaction was in the way of this one. */
export class DatabaseConflict extends DatabaseAway {
  override name = 'DatabaseConflict'
}
