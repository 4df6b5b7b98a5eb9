import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { api } from './browser.ts'
import type { Connection } from './connection.ts'

/**
 * Chromium ends a worker of an extension whose request takes 30 seconds
 * (https://developer.chrome.com/docs/extensions/develop/concepts/service-workers/lifecycle).
 */
const TIMEOUT_MS = 25_000

/** A call that did not succeed. `status` 0: there was no response. */
export class CallFailure extends Error {
  readonly status: number

  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }

  /** Whether the same call may succeed later. 401: once there is a token that works. */
  get mayPass(): boolean {
    return this.status === 0 || this.status === 401 || this.status === 429 || this.status >= 500
  }
}

interface Request {
  method?: 'GET' | 'POST'
  path: string
  query?: Record<string, string>
  body?: unknown
  idempotencyKey?: string
}

/** What an error response says: of its fields, else as a whole. */
const messageOf = (body: unknown): string => {
  if (typeof body !== 'object' || body === null) return ''
  const { detail, error: _, ...fields } = body as Record<string, unknown>
  const messages = Object.values(fields).flatMap((messages) => (Array.isArray(messages) ? messages : []))
  if (messages.length > 0) return messages.join('. ')
  return typeof detail === 'string' ? detail : ''
}

/** Makes a call of the API with the token of the connection. Fails with {@link CallFailure}. */
export async function call<Response>({ server, token }: Connection, request: Request): Promise<Response> {
  const { method = 'GET', path, query = {}, body, idempotencyKey } = request
  const search = new URLSearchParams(query)
  const address = `${server}${API_PREFIX}${path}${search.size > 0 ? `?${search}` : ''}`
  const headers = new Headers({
    Accept: 'application/json',
    'Accept-Language': api.i18n.getUILanguage(),
    Authorization: `Bearer ${token}`,
  })
  if (body !== undefined) headers.set('Content-Type', 'application/json')
  if (idempotencyKey !== undefined) headers.set('Idempotency-Key', idempotencyKey)
  let response: globalThis.Response
  let received: unknown
  try {
    response = await fetch(address, {
      method,
      headers,
      credentials: 'omit',
      signal: AbortSignal.timeout(TIMEOUT_MS),
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    received = await response.json().catch(() => undefined)
  } catch {
    throw new CallFailure(0, '')
  }
  if (!response.ok || received === undefined) throw new CallFailure(response.status, messageOf(received))
  // The server's tests check every response against the schema of its call.
  return received as Response
}
