import { MAX_BODY_BYTES } from '@kopilka/contract/endpoint.ts'
import type { FastifyRequest } from 'fastify'

/** Whether a request announces a large body, or one of no length. */
export function mayBeLarge({ headers }: FastifyRequest): boolean {
  const length = headers['content-length']
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > MAX_BODY_BYTES
}
