import type * as z from 'zod/mini'
import type { MessageKey } from './messages.ts'
import type { RateLimitName } from './rate-limits.ts'

/** Prefix of all calls. */
export const API_PREFIX = '/api/v1'

/** Most bytes of a body, unless a call declares another limit. */
export const MAX_BODY_BYTES = 64 * 1024

/**
 * The same for public calls, and the most that is parsed beside other requests. The longest registration has some 9,100 bytes: names, email and
 * password of characters outside the basic plane, each as two escapes.
 */
export const MAX_SHORT_BODY_BYTES = 10 * 1024

export type Schema = z.ZodMiniType

/**
 * What a signed-in call asks of an API token (docs/behaviour.md, section 12): `read` changes nothing that is stored, `write`
 * takes a token of that scope, `account` takes a session alone.
 */
export type CallScope = 'read' | 'write' | 'account'

type Access =
  | { readonly access: 'public'; readonly scope?: never }
  | { readonly access: 'signed-in'; readonly scope: CallScope }

/** A call of the API: everything that server and browser must agree on. */
export type Endpoint = Declaration & Access

interface Declaration {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Below {@link API_PREFIX}, parameters as `:name`, always with the closing slash. */
  readonly path: string
  /** The status of success. */
  readonly status: 200 | 201 | 202 | 204
  /** Parameters of the path. An invalid one gives 404, not 400. */
  readonly params?: Schema
  /** The message of a 404: the same for an id that is malformed, unknown or of another user. */
  readonly missing?: Extract<MessageKey, `${string}NotFound`>
  readonly query?: Schema
  readonly body?: Schema
  /** Most bytes of a body; absent: {@link MAX_BODY_BYTES}, of a public call {@link MAX_SHORT_BODY_BYTES}. */
  readonly maxBodyBytes?: number
  /**
   * The body is a file, read as it comes: of any kind, `application/octet-stream`, or a picture, which may also have its own
   * Content-Type. In place of `body`.
   */
  readonly takesFile?: 'file' | 'picture'
  /** Absent where the response has no body or is a file. */
  readonly response?: Schema
  /** The response is a file. */
  readonly sendsFile?: true
  /** The response may have megabytes, though it is one item, a list of names or a page of a list, and the request may be short. */
  readonly mayBeLong?: true
  /** The response when the query says `view=summary`. */
  readonly summary?: Schema
  /** Errors repeat `detail` as `error`: the screens of links read that field. */
  readonly repeatsDetailAsError?: true
  /**
   * Takes an `Idempotency-Key`: a repeated request with the same key within 30 days creates nothing and gets the same
   * response.
   */
  readonly takesIdempotencyKey?: true
  /** Responses carry the item's version as `ETag`. */
  readonly sendsEtag?: true
  /** Responses carry the id of the operation that the call was, as `Operation`: it can be undone. */
  readonly sendsOperation?: true
  /** Changes many items in steps: the response may take minutes. */
  readonly goesInSteps?: true
  /** Takes `If-Match`: 412 if the item is at another version. */
  readonly supportsIfMatch?: true
  /** Error codes besides those that follow from the rest of this declaration. */
  readonly errors?: readonly MessageKey[]
  /** Counts towards this limit in place of the general one for its access. */
  readonly countsTowards?: Extract<RateLimitName, 'copies'>
  /** Rate limits besides the general one for its access. */
  readonly rateLimits?: readonly RateLimitName[]
}

/** Most bytes of a call's body. */
export const maxBodyBytesOf = ({ access, maxBodyBytes }: Endpoint): number =>
  maxBodyBytes ?? (access === 'public' ? MAX_SHORT_BODY_BYTES : MAX_BODY_BYTES)

/** Declares a call; the exact type is kept, so that server and browser infer from it. */
export const endpoint = <const E extends Endpoint>(shape: E): E => shape

type Part = 'params' | 'query' | 'body'
type Present<E extends Endpoint> = { [P in Part]: E[P] extends Schema ? P : never }[Part]

/** What a caller passes: the parts the call declares, as they are before validation. */
export type RequestOf<E extends Endpoint> = { [P in Present<E>]: z.input<NonNullable<E[P]>> }

/** What a handler receives: the same parts, validated and normalised. */
export type ValidRequestOf<E extends Endpoint> = { [P in Present<E>]: z.output<NonNullable<E[P]>> }

/** The response on success; `undefined` where there is no body. */
export type ResponseOf<E extends Endpoint> = E['response'] extends Schema
  ? z.output<E['response']>
  : undefined

/** The response on success with `view=summary`. */
export type SummaryResponseOf<E extends Endpoint> = E['summary'] extends Schema
  ? z.output<E['summary']>
  : ResponseOf<E>

/** The response to this very request. */
export type ResponseTo<E extends Endpoint, R> = R extends { query: { view: 'summary' } }
  ? SummaryResponseOf<E>
  : ResponseOf<E>
