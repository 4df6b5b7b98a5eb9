import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { type MessageKey, translate } from '@kopilka/contract/messages.ts'
import { statusOf } from '../errors.ts'

/** Why an API token does not suffice. */
const SCOPE_ERRORS = { read: 'tokenScope', write: 'tokenScope', account: 'tokenForAccount' } as const

const NOT_SENT = { file: 'importNotFile', picture: 'fileNotSent' } as const

/** The error responses of a call according to its declaration: messages by status. */
export function failuresOf(call: Endpoint): Map<number, string[]> {
  const keys: MessageKey[] = [
    ...(call.query ? (['queryInvalid'] as const) : []),
    ...(call.body ? (['formInvalid', 'malformedJson', 'tooLarge', 'notJson', 'encodedBody'] as const) : []),
    ...(call.takesFile ? [NOT_SENT[call.takesFile], 'encodedBody' as const] : []),
    ...(call.access === 'signed-in' ? (['unauthorized', SCOPE_ERRORS[call.scope]] as const) : []),
    ...(call.missing ? [call.missing] : []),
    ...(call.supportsIfMatch ? (['changedMeanwhile'] as const) : []),
    ...(call.takesIdempotencyKey ? (['idempotencyKeyInvalid', 'idempotencyKeyReused'] as const) : []),
    ...(call.errors ?? []),
    'rateLimited',
    'internal',
    'tooSlow',
    'databaseUnavailable',
  ]
  const byStatus = new Map<number, string[]>()
  for (const key of keys.toSorted((one, other) => statusOf(one) - statusOf(other))) {
    const sentences = byStatus.get(statusOf(key)) ?? []
    byStatus.set(statusOf(key), [...sentences, translate(key, 'ru')])
  }
  return byStatus
}
