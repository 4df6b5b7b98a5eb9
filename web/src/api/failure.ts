import type { FieldMessages } from '@kopilka/contract/errors.ts'

/** Besides 5xx: what hosts and proxies say in place of a server that is stopped. The server itself says it in JSON. */
const OF_STOPPED: readonly unknown[] = [403, 404, 405, 410]

/** A call that did not succeed: what the server said, or that it said nothing. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** The status of the response; 'no-response' where none arrived. */
  readonly status: number | 'no-response'
  /** Whether the server itself has not responded: nothing came, or a proxy before it spoke, which has no JSON. */
  readonly isUnreachable: boolean
  /** The server's sentence for people. */
  readonly detail: string | undefined
  /** The same, where links are saved and pages are read. */
  readonly error: string | undefined
  /** Messages by field. */
  readonly fields: FieldMessages
  /** Seconds after which the server wants to be asked again. */
  readonly retryAfter: number | undefined

  constructor(status: number | 'no-response', body: unknown = undefined, retryAfter?: number) {
    const { detail, error, ...rest } = isObject(body) ? body : {}
    super(typeof detail === 'string' ? detail : `call failed: ${status}`)
    this.status = status
    this.retryAfter = retryAfter
    this.isUnreachable =
      status === 'no-response' ||
      (body === undefined && (status < 400 || status > 500 || OF_STOPPED.includes(status)))
    this.detail = typeof detail === 'string' ? detail : undefined
    this.error = typeof error === 'string' ? error : undefined
    this.fields = Object.fromEntries(
      Object.entries(rest).filter((entry): entry is [string, string[]] => isMessages(entry[1])),
    )
  }
}

/** A save by a form that has not shown a text which another tab has saved, and which still waits to be sent. */
export class WaitingConflict extends CallFailure {
  constructor() {
    super(412, {})
  }
}

/** Whether the server says that there is no such thing, or no longer. */
export const isMissing = (failure: unknown): boolean =>
  failure instanceof CallFailure && failure.status === 404 && !failure.isUnreachable

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isMessages = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((message) => typeof message === 'string')
