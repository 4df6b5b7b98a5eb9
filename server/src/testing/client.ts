import assert from 'node:assert/strict'
import { API_PREFIX, type Endpoint, type RequestOf, type ResponseTo } from '@kopilka/contract/endpoint.ts'

/** A response with its parsed body. */
export interface Reply {
  status: number
  headers: Headers
  // Parsed JSON: the tests check its shape.
  body: Record<string, unknown>
}

interface RequestOptions {
  token?: string | undefined
  headers?: Record<string, string>
}

export type Client = ReturnType<typeof createClient>

/** HTTP client of the server at `address`. */
export function createClient(address: string) {
  async function send(
    method: string,
    path: string,
    body?: unknown,
    { token, headers = {} }: RequestOptions = {},
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

  async function request(
    endpoint: Endpoint,
    input: RequestInput = {},
    options?: RequestOptions,
  ): Promise<Reply> {
    const reply = await send(endpoint.method, pathOf(endpoint, input), input.body, options)
    if (reply.status === endpoint.status) checkResponse(endpoint, input, reply.body)
    return reply
  }

  return {
    send,

    /** Sends a call of the contract; checks the body of a success against the contract. */
    request,

    /** Body of a call that must succeed, typed by the contract; throws on any other status. */
    async call<E extends Endpoint, const R extends RequestOf<E>>(
      endpoint: E,
      input: R,
      options?: RequestOptions,
    ): Promise<ResponseTo<E, R>> {
      const reply = await request(endpoint, input, options)
      if (reply.status !== endpoint.status) {
        throw new Error(`${endpoint.method} ${endpoint.path}: ${reply.status} ${JSON.stringify(reply.body)}`)
      }
      return reply.body as ResponseTo<E, R>
    },
  }
}

interface RequestInput {
  params?: unknown
  query?: unknown
  body?: unknown
}

/** Throws unless the body matches the contract exactly: no missing, mistyped or undeclared fields. */
function checkResponse(
  { method, path, response, summary }: Endpoint,
  { query }: RequestInput,
  body: unknown,
): void {
  const inShort = (query as { view?: string } | undefined)?.view === 'summary'
  const schema = inShort ? (summary ?? response) : response
  if (!schema) return
  const parsed = schema.safeParse(body)
  if (!parsed.success) throw new Error(`${method} ${path}: ${JSON.stringify(parsed.error.issues)}`)
  assert.deepEqual(body, parsed.data, `${method} ${path} responds with fields the contract does not declare`)
}

/** Path of a call with its parameters and query filled in. */
export function pathOf({ path }: Endpoint, { params = {}, query = {} }: RequestInput): string {
  const filled = Object.entries(params as Record<string, string>).reduce(
    (filling, [name, value]) => filling.replace(`:${name}`, encodeURIComponent(value)),
    path,
  )
  const search = new URLSearchParams(query as Record<string, string>).toString()
  return `${API_PREFIX}${filled}${search && `?${search}`}`
}
