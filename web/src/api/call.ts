import type { Endpoint, RequestOf, ResponseTo } from '@kopilka/contract/endpoint.ts'
import { isLost, isReachable } from '../lib/network.ts'
import { mayHaveCopy, readCopySession } from './copy-session.ts'
import { CallFailure, isMissing } from './failure.ts'
import { mayWait, noteWritten, respondOffline } from './offline.ts'
import { renewTokens } from './renewal.ts'
import { type CallOptions, send, type Versioned } from './send.ts'
import { endSession } from './session.ts'
import { accessToken, currentSignIn } from './tokens.ts'
import { settleRequest, type UndoableRequest, undoableRequests } from './undoable-requests.ts'

/** Most renewals for one request: where browsers have no locks, another tab may renew between a renewal and the request. */
const MAX_RENEWALS = 2

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
      if (renewals === MAX_RENEWALS || !(await renewTokens(token))) {
        if (accessToken() === token) endSession('expired')
        throw failure
      }
    }
    // Someone else has signed in meanwhile: what this page asks or saves is not theirs.
    if (currentSignIn() !== signIn) throw new CallFailure(401)
  }
}

/** A response that takes longer has the server tried. */
const SLOW_MS = 3_000
/** What a poor mobile line takes of a request's body meanwhile. */
const BYTES_PER_MS = 10

/**
 * Ends a request of so many bytes once the server is lost: nobody waits for one that takes connections and says nothing.
 */
export const unlessLost = async <T>(
  sending: (signal: AbortSignal) => Promise<T>,
  bytes: number,
  signal?: AbortSignal,
): Promise<T> => {
  const slow = SLOW_MS + bytes / BYTES_PER_MS
  const wasLost = !isReachable()
  const controller = new AbortController()
  const signals = [controller.signal, ...(signal ? [signal] : [])]
  let timer: ReturnType<typeof setInterval> | undefined
  const lost = new Promise<never>((_, reject) => {
    timer = setInterval(async () => {
      if (!(await isLost(wasLost))) return
      reject(new CallFailure('no-response'))
      controller.abort()
    }, slow)
  })
  try {
    return await Promise.race([sending(AbortSignal.any(signals)), lost])
  } finally {
    clearInterval(timer)
  }
}

/** About the bytes of the body that a request has. */
export const bytesOf = ({ body }: { body?: unknown }): number => JSON.stringify(body ?? '').length

/** Sends a request, {@link unlessLost} where this browser has a copy of the account. */
const sendUnlessLost = async <E extends Endpoint, const R extends RequestOf<E>>(
  endpoint: E,
  request: R,
  options: CallOptions,
): Promise<Versioned<ResponseTo<E, R>>> => {
  const sending = (changed: CallOptions) => withToken((token) => send(endpoint, request, token, changed))
  if (!readCopySession()) return sending(options)
  return unlessLost((signal) => sending({ ...options, signal }), bytesOf(request), options.signal)
}

/** As {@link callWithEtag}, but Ctrl+Z waits for no operation of it. */
export const callUntracked = async <E extends Endpoint, const R extends RequestOf<E>>(
  endpoint: E,
  request: R,
  options: CallOptions = {},
): Promise<Versioned<ResponseTo<E, R>>> => {
  if (endpoint.access === 'public') return send(endpoint, request, undefined, options)
  // What responds in place of the server does so in the form of the same call.
  const respond = (always?: boolean) =>
    respondOffline(endpoint, request, options, always) as Promise<Versioned<ResponseTo<E, R>> | undefined>
  // Local storage may learn of what waits while the server responds.
  const wasLookedAt = mayWait()
  const signIn = currentSignIn()
  const instead = await respond()
  if (instead) return instead
  if (currentSignIn() !== signIn) throw new CallFailure(401)
  try {
    const response = await sendUnlessLost(endpoint, request, options)
    // Where there is no room in this browser it is on the server all the same.
    if (endpoint.method !== 'GET') noteWritten(signIn, endpoint, request, response).catch(() => undefined)
    return response
  } catch (failure) {
    const isUnreachable = failure instanceof CallFailure && failure.isUnreachable
    const instead = isUnreachable && (await isLost()) && (await respond())
    if (instead) return instead
    // It may wait here: a killed browser has forgotten that, and begins to look only now.
    const kept = isMissing(failure) && !wasLookedAt && mayHaveCopy() && (await respond(true))
    if (kept) return kept
    throw failure
  }
}

/**
 * As {@link call}, with the headers of the response. Where that names an operation the caller has it noted (undo/undoable.ts): until
 * then Ctrl+Z waits for it.
 */
export const callWithEtag = async <E extends Endpoint, const R extends RequestOf<E>>(
  endpoint: E,
  request: R,
  options: CallOptions = {},
): Promise<Versioned<ResponseTo<E, R>>> => {
  const underWay: UndoableRequest = {}
  if (endpoint.sendsOperation) undoableRequests.add(underWay)
  try {
    const response = await callUntracked(endpoint, request, options)
    underWay.operation = response.operation
    return response
  } finally {
    if (underWay.operation === undefined) settleRequest(underWay)
  }
}

/**
 * Makes a call of the contract: `await call(notes.read, { params: { id } })`. Fails with {@link CallFailure}.
 * A dead access token is renewed, as {@link withToken} does.
 */
export const call = async <E extends Endpoint, const R extends RequestOf<E>>(
  endpoint: E,
  request: R,
  options: CallOptions = {},
): Promise<ResponseTo<E, R>> => (await callUntracked(endpoint, request, options)).value

const isUnauthorized = (failure: unknown): boolean => failure instanceof CallFailure && failure.status === 401
