import type { FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'

/** Who is asking: an owner, through one of its sign-ins. */
export interface Caller {
  readonly owner_id: string
  readonly sign_in_id: string
}

/** Tells whose access token this is. */
export type Identify = (accessToken: string) => Promise<Caller | undefined>

/** The caller of a request; throws 'unauthorized' without a living access token. */
export async function callerOf(request: FastifyRequest, identify: Identify): Promise<Caller> {
  const [, token] = request.headers.authorization?.match(/^Bearer +(\S+)$/i) ?? []
  const caller = token === undefined ? undefined : await identify(token)
  if (!caller) throw new Refusal('unauthorized')
  return caller
}
