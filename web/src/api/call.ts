import type { Endpoint, RequestOf, ResponseTo } from '@kopilka/contract/endpoint.ts'
import { CallFailure } from './failure.ts'
import { renewTokens } from './renewal.ts'
import { type CallOptions, send, type Versioned } from './send.ts'
import { endSession } from './session.ts'
import { accessToken, currentSignIn } from './tokens.ts'

/** As {@link call}, with the ETag of the response beside it. */
export const callWithEtag = async <E extends Endpoint, const R extends RequestOf<E>>(
  endpoint: E,
  request: R,
  options: CallOptions = {},
): Promise<Versioned<ResponseTo<E, R>>> => {
  const token = endpoint.access === 'signed-in' ? accessToken() : undefined
  const signIn = currentSignIn()
  try {
    return await send(endpoint, request, token, options)
  } catch (failure) {
    if (token === undefined || !isUnauthorized(failure)) throw failure
    if (!(await renewTokens(token))) {
      endSession('expired')
      throw failure
    }
  }
  // Someone else has signed in meanwhile: what this page asks or saves is not theirs.
  if (currentSignIn() !== signIn) throw new CallFailure(401)
  const renewed = accessToken()
  try {
    return await send(endpoint, request, renewed, options)
  } catch (failure) {
    if (isUnauthorized(failure) && accessToken() === renewed) endSession('expired')
    throw failure
  }
}

/**
 * Makes a call of the contract: `await call(notes.read, { params: { id } })`. Fails with {@link CallFailure}.
 * A dead access token is renewed once; where that does not help the session ends.
 */
export const call = async <E extends Endpoint, const R extends RequestOf<E>>(
  endpoint: E,
  request: R,
  options: CallOptions = {},
): Promise<ResponseTo<E, R>> => (await callWithEtag(endpoint, request, options)).value

const isUnauthorized = (failure: unknown): boolean => failure instanceof CallFailure && failure.status === 401
