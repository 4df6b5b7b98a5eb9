import { request as send } from 'node:http'
import type { Endpoint } from '../../contract/src/endpoint.ts'
import { files } from '../../contract/src/files.ts'
import { site } from '../../contract/src/site.ts'
import { pathOf } from '../../server/src/testing/client.ts'
import { CallFailure } from '../../web/src/api/failure.ts'
import type { Transport } from '../../web/src/offline/sending.ts'

interface Response {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Each request on a connection of its own. */
const exchange = (
  address: string,
  method: string,
  headers: Record<string, string>,
  body: string | Buffer | undefined,
): Promise<Response> =>
  new Promise((resolve, reject) => {
    const request = send(address, { method, headers, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('error', reject)
      response.on('end', () => {
        if (!response.complete) return reject(new Error('cut off'))
        resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
      })
    })
    request.on('error', reject)
    request.end(body)
  })

/** Undefined where it is no JSON. */
const parsed = (text: string) => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Calls the server at an address as web/src/api/send.ts does. */
export const createTransport = (address: string, token: string): Transport => {
  const call = async (
    endpoint: Endpoint,
    path: string,
    headers: Record<string, string>,
    body: string | Buffer | undefined,
  ) => {
    const auth = { authorization: `Bearer ${token}`, 'accept-language': 'ru' }
    let response: Response
    try {
      response = await exchange(address + path, endpoint.method, { ...auth, ...headers }, body)
    } catch {
      throw new CallFailure('no-response')
    }
    const value = parsed(response.text)
    if (response.status !== endpoint.status)
      throw new CallFailure(response.status, value, Number(response.headers['retry-after']))
    const { etag } = response.headers
    return { value, etag: typeof etag === 'string' ? etag : undefined }
  }
  return {
    call: (endpoint, request, { ifMatch, idempotencyKey }) =>
      call(
        endpoint,
        pathOf(endpoint, request),
        {
          ...(request.body !== undefined && { 'content-type': 'application/json' }),
          ...(ifMatch !== undefined && { 'if-match': ifMatch }),
          ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
        },
        request.body === undefined ? undefined : JSON.stringify(request.body),
      ),
    upload: async (picture) => {
      const bytes = Buffer.from(await picture.arrayBuffer())
      const headers = { 'content-type': 'application/octet-stream' }
      const { value } = await call(files.create, pathOf(files.create, {}), headers, bytes)
      return value.id
    },
    isThere: () =>
      call(site.read, pathOf(site.read, {}), {}, undefined).then(
        () => true,
        () => false,
      ),
  }
}
