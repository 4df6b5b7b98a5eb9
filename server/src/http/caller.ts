import type { FastifyRequest } from 'fastify'

/** Who is asking: an owner, through one of its sign-ins. */
export interface Caller {
  readonly owner_id: string
  readonly session_id: string
}

/** Tells whose access token this is. */
export type Identify = (accessToken: string) => Promise<Caller | undefined>

/** The caller of a request; undefined without a living access token. */
export async function callerOf(request: FastifyRequest, identify: Identify): Promise<Caller | undefined> {
  const [, token] = request.headers.authorization?.match(/^Bearer +(\S+)$/i) ?? []
  return token === undefined ? undefined : identify(token)
}
