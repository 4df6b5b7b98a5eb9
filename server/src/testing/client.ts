import assert from 'node:assert/strict'
import { API_PREFIX, type Endpoint, type RequestOf, type ResponseTo } from '@kopilka/contract/endpoint.ts'

/** What the server sent back. */
export interface Reply {
  status: number
  headers: Headers
  // Parsed JSON: its shape is what the tests are there to check.
  body: Record<string, unknown>
}

interface Sending {
  token?: string | undefined
  headers?: Record<string, string>
}

export type Client = ReturnType<typeof createClient>

/** Asks the server at `address`, over real HTTP. */
export function createClient(address: string) {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    { token, headers = {} }: Sending = {},
  ): Promise<Reply> {
    const response = await fetch(`${address}${path}`, {
      method,
      headers: {
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : { text } }
  }

  async function request(endpoint: Endpoint, asked: Requested = {}, sending?: Sending): Promise<Reply> {
    const reply = await send(endpoint.method, pathOf(endpoint, asked), asked.body, sending)
    if (reply.status === endpoint.status) checkAnswer(endpoint, asked, reply.body)
    return reply
  }

  return {
    send,

    /** Sends a call of the contract as it is declared; where it succeeds, its answer is held against the contract. */
    request,

    /** The answer to a call that must succeed, typed by the contract. */
    async call<E extends Endpoint, const R extends RequestOf<E>>(
      endpoint: E,
      asked: R,
      sending?: Sending,
    ): Promise<ResponseTo<E, R>> {
      const reply = await request(endpoint, asked, sending)
      if (reply.status !== endpoint.status) {
        throw new Error(`${endpoint.method} ${endpoint.path}: ${reply.status} ${JSON.stringify(reply.body)}`)
      }
      return reply.body as ResponseTo<E, R>
    },
  }
}

interface Requested {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** Throws unless the answer is just what the contract says: nothing missing, nothing of another kind, nothing more. */
function checkAnswer(
  { method, path, response, summary }: Endpoint,
  { query }: Requested,
  body: unknown,
): void {
  const inShort = (query as { view?: string } | undefined)?.view === 'summary'
  const schema = inShort ? (summary ?? response) : response
  if (!schema) return
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new Error(`${method} ${path}: ${JSON.stringify(parsed.error.issues)}`)
  assert.deepEqual(body, parsed.data, `${method} ${path} answers what the contract does not name`)
}

/** The address of a call with its parameters and query filled in. */
export function pathOf({ path }: Endpoint, { params = {}, query = {} }: Requested): string {
  const filled = Object.entries(params as Record<string, string>).reduce(
    (filling, [name, value]) => filling.replace(`:${name}`, encodeURIComponent(value)),
    path,
  )
  const search = new URLSearchParams(query as Record<string, string>).toString()
  return `${API_PREFIX}${filled}${search && `?${search}`}`
}
