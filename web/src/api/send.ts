import { API_PREFIX, type Endpoint, type RequestOf, type ResponseTo } from '@kopilka/contract/endpoint.ts'
import { noteNoResponse, noteResponse } from '../lib/network.ts'
import { language } from '../messages/language.ts'
import { takeEarly } from './early-responses.ts'
import { CallFailure } from './failure.ts'

/** Until a response begins, and between its parts: long enough to send half a megabyte over a poor mobile line. */
const TIMEOUT_MS = 60_000
/** Long enough for the most items that an account may have, 5,000 of which take some ten seconds. */
const TIMEOUT_IN_STEPS_MS = 30 * 60_000
/** Bytes of a body that takes more than moments over a poor mobile line. */
const LONG = 64 * 1024

export interface CallOptions {
  signal?: AbortSignal
  /** The item's ETag as last read: the response is 412 where the item has changed since. */
  ifMatch?: string | undefined
  /** The call sent again with the same key does nothing more. */
  idempotencyKey?: string
  /** What the server itself has is wanted, not what waits here for it. */
  ofServer?: true
}

/** The response to a call, with its headers. */
export interface Versioned<T> {
  value: T
  etag: string | undefined
  /** The id of the operation that can be undone, where the call was one (docs/behaviour.md, section 8). */
  operation: string | undefined
  /** The change waits in this browser until the server is back. */
  waits?: true
}

interface Parts {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: unknown
}

const addressOf = (endpoint: Endpoint, { params, query }: Parts): string => {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(params?.[name] ?? ''))
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== '') search.set(name, value)
  }
  return `${API_PREFIX}${path}${search.size > 0 ? `?${search}` : ''}`
}

const headersOf = (
  { body }: Parts,
  token: string | undefined,
  { ifMatch, idempotencyKey }: CallOptions,
): Headers => {
  const headers = new Headers({ Accept: 'application/json', 'Accept-Language': language() })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
  if (ifMatch !== undefined) headers.set('If-Match', ifMatch)
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
  return headers
}

/** The body as JSON; `undefined` where there is none or it is something else. `onPart`: more of a long one has arrived. */
const readBody = async (response: Response, onPart?: () => void): Promise<unknown> => {
  const transform = (part: Uint8Array, controller: TransformStreamDefaultController) => {
    onPart?.()
    controller.enqueue(part)
  }
  // The browser's tools may not learn of the end of what is read in parts, nor have its text.
  const isLong = onPart && !(Number(response.headers.get('Content-Length') ?? NaN) < LONG)
  const whole = isLong
    ? new Response(response.body?.pipeThrough(new TransformStream({ transform })))
    : response
  const text = await whole.text()
  try {
    return text === '' ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The version in an ETag, which proxies that compress a response mark: nginx as weak (`W/"5"`), Caddy with the encoding (`"5-zstd"`). */
const versionIn = (etag: string | undefined): string | undefined =>
  etag?.replace(/^(?:W\/)?("\d+)(?:-[a-z]+)?"$/, '$1"')

/** Sends one request with the given token; a 401 is left to the caller. Fails with {@link CallFailure}. */
export const send = async <E extends Endpoint, const R extends RequestOf<E>>(
  endpoint: E,
  request: R,
  token: string | undefined,
  options: CallOptions = {},
): Promise<Versioned<ResponseTo<E, R>>> => {
  const parts: Parts = request
  const controller = new AbortController()
  const { signal } = options
  let timer: ReturnType<typeof setTimeout> | undefined
  const expectMore = () => {
    clearTimeout(timer)
    timer = setTimeout(() => controller.abort(), endpoint.goesInSteps ? TIMEOUT_IN_STEPS_MS : TIMEOUT_MS)
  }
  let response: Response
  let body: unknown
  try {
    const address = addressOf(endpoint, parts)
    const early = endpoint.method === 'GET' ? takeEarly(token, address) : undefined
    const request = {
      method: endpoint.method,
      headers: headersOf(parts, token, options),
      signal: AbortSignal.any([controller.signal, ...(signal ? [signal] : [])]),
      ...(parts.body === undefined ? {} : { body: JSON.stringify(parts.body) }),
    }
    expectMore()
    response = await (early ?? fetch(address, request))
    // A proxy before the server speaks no JSON.
    const isServer = response.headers.get('Content-Type')?.startsWith('application/json')
    const onPart = () => {
      expectMore()
      if (isServer) noteResponse()
    }
    // What is saved comes back short enough to be read in one piece.
    body = await readBody(response, endpoint.method === 'GET' ? onPart : undefined)
  } catch (cause) {
    if (signal?.aborted) throw cause
    noteNoResponse()
    throw new CallFailure('no-response')
  } finally {
    clearTimeout(timer)
  }
  const { ok, status } = response
  if (status !== endpoint.status || (body === undefined && endpoint.response)) {
    // A success that the call does not have is a proxy's, whatever it says: as a rule its own sign-in.
    const failure = new CallFailure(
      status,
      ok ? undefined : body,
      Number(response.headers.get('Retry-After')),
    )
    if (failure.isUnreachable) noteNoResponse()
    else noteResponse()
    throw failure
  }
  noteResponse()
  // The server's tests check every response against the same schema.
  const header = (name: string) => response.headers.get(name) ?? undefined
  return { value: body as ResponseTo<E, R>, etag: versionIn(header('ETag')), operation: header('Operation') }
}
