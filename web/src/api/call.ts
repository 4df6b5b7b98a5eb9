import type { Endpoint, RequestOf, ResponseTo } from '@kopilka/contract/endpoint.ts'
import { CallFailure } from './failure.ts'
import { renewTokens } from './renewal.ts'
import { type CallOptions, send, type Versioned } from './send.ts'
import { endSession } from './session.ts'
import { accessToken, currentSignIn } from './tokens.ts'

/** Most renewals for one request: where browsers have no locks, another tab may renew between a renewal and the request. */
const MOST_RENEWALS = 2

/**
 * Sends a request with the access token; a dead one is renewed and the request sent again. Where that does not help and
 * no other tab has renewed meanwhile, the session ends.
 */
export const withToken = async <T>(request: (token: string | undefined) => Promise<T>): Promise<T> => {
  const signIn = currentSignIn()
  for (let renewals = 0; ; renewals += 1) {
    const token = accessToken()
    try {
      return await request(token)
    } catch (failure) {
      if (token === undefined || !isUnauthorized(failure)) throw failure
      if (renewals === MOST_RENEWALS || !(await renewTokens(token))) {
        if (accessToken() === token) endSession('expired')
        throw failure
      }
    }
    // Someone else has signed in meanwhile: what this page asks or saves is not theirs.
    if (currentSignIn() !== signIn) throw new CallFailure(401)
  }
}

/** As {@link call}, with the ETag of the response beside it. */
export const callWithEtag = <E extends Endpoint, const R extends RequestOf<E>>(
  endpoint: E,
  request: R,
  options: CallOptions = {},
): Promise<Versioned<ResponseTo<E, R>>> =>
  endpoint.access === 'signed-in'
    ? withToken((token) => send(endpoint, request, token, options))
    : send(endpoint, request, undefined, options)

/**
 * Makes a call of the contract: `await call(notes.read, { params: { id } })`. Fails with {@link CallFailure}.
 * A dead access token is renewed, as {@link withToken} does.
 */
export const call = async <E extends Endpoint, const R extends RequestOf<E>>(
  endpoint: E,
  request: R,
  options: CallOptions = {},
): Promise<ResponseTo<E, R>> => (await callWithEtag(endpoint, request, options)).value

const isUnauthorized = (failure: unknown): boolean => failure instanceof CallFailure && failure.status === 401
