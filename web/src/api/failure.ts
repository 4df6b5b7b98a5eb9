import type { FieldMessages } from '@kopilka/contract/errors.ts'

/** A call that did not succeed: what the server said, or that it said nothing. */
export class CallFailure extends Error {
  override readonly name = 'CallFailure'
  /** The status of the response; 'no-response' where none arrived. */
  readonly status: number | 'no-response'
  /** The server's sentence for people. */
  readonly detail: string | undefined
  /** The same, where links are saved and pages are read. */
  readonly error: string | undefined
  /** Messages by field. */
  readonly fields: FieldMessages

  constructor(status: number | 'no-response', body: unknown = undefined) {
    const { detail, error, ...rest } = isObject(body) ? body : {}
    super(typeof detail === 'string' ? detail : `call failed: ${status}`)
    this.status = status
    this.detail = typeof detail === 'string' ? detail : undefined
    this.error = typeof error === 'string' ? error : undefined
    this.fields = Object.fromEntries(
      Object.entries(rest).filter((entry): entry is [string, string[]] => isMessages(entry[1])),
    )
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null

const isMessages = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((message) => typeof message === 'string')
