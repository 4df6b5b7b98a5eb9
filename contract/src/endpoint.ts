import type * as z from 'zod/mini'
import type { MessageKey } from './messages.ts'
import type { RateLimitName } from './rate-limits.ts'

/** Every call lives under this prefix. */
export const API_PREFIX = '/api/v1'

export type Schema = z.ZodMiniType

/** What one call of the API looks like: everything both sides must agree on, and nothing else. */
export interface Endpoint {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below {@link API_PREFIX}, parameters as `:name`, always with the closing slash. */
  readonly path: string
  readonly access: 'public' | 'signed-in'
  /** The status of success. */
  readonly status: 200 | 201 | 204
  /** A parameter that does not fit names nothing there is: 404, not 400. */
  readonly params?: Schema
  /** What a 404 says: the same for an id that is malformed, unknown or someone else's. */
  readonly missing?: Extract<MessageKey, `${string}NotFound`>
  readonly query?: Schema
  readonly body?: Schema
  /** Absent where the answer has no body. */
  readonly answer?: Schema
  /** What is answered instead when the query says `view=summary`. */
  readonly summary?: Schema
  /** Also repeat `detail` as `error` in failures: the screens of links read that field. */
  readonly repeatsDetailAsError?: true
  /** Takes an `Idempotency-Key`: sent again with the same key within 24 hours it makes nothing new and answers alike. */
  readonly takesIdempotencyKey?: true
  /** Answers carry the item's version as `ETag`. */
  readonly sendsEtag?: true
  /** Heeds `If-Match`: 412 where the item is at another version. */
  readonly supportsIfMatch?: true
  /** What it may refuse besides what follows from the rest of this declaration. */
  readonly errors?: readonly MessageKey[]
  /** Limits besides the one that holds for every call of its access. */
  readonly rateLimits?: readonly RateLimitName[]
}

/** Declares a call; the exact type is kept, so that server and browser infer from it. */
export const endpoint = <const E extends Endpoint>(shape: E): E => shape

type Part = 'params' | 'query' | 'body'
type Present<E extends Endpoint> = { [P in Part]: E[P] extends Schema ? P : never }[Part]

/** What a caller passes: the parts the call declares, as they are before validation. */
export type RequestOf<E extends Endpoint> = { [P in Present<E>]: z.input<NonNullable<E[P]>> }

/** What a handler receives: the same parts, validated and normalised. */
export type ValidRequestOf<E extends Endpoint> = { [P in Present<E>]: z.output<NonNullable<E[P]>> }

/** What the call answers on success; `undefined` where there is no body. */
export type ResponseOf<E extends Endpoint> = E['answer'] extends Schema ? z.output<E['answer']> : undefined

/** What the call answers on success when asked for a summary. */
export type SummaryResponseOf<E extends Endpoint> = E['summary'] extends Schema
  ? z.output<E['summary']>
  : ResponseOf<E>

/** What the call answers to this very request. */
export type ResponseTo<E extends Endpoint, R> = R extends { query: { view: 'summary' } }
  ? SummaryResponseOf<E>
  : ResponseOf<E>
