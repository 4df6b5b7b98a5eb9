import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX, type Endpoint, type ResponseOf } from '@kopilka/contract/endpoint.ts'
import { noteNoResponse, noteResponse } from '../lib/network.ts'
import { language } from '../messages/language.ts'
import { call, withToken } from './call.ts'
import { CallFailure } from './failure.ts'

/** A connection on which nothing moves for so long is gone. */
const STALLED_MS = 60_000

interface UploadOptions {
  signal: AbortSignal
  /** The share of the file that has left the browser, from 0 to 1. */
  onProgress: (share: number) => void
}

/** RFC 8187: encodeURIComponent leaves these five, which the header gives a meaning. */
const encodedName = (name: string): string =>
  encodeURIComponent(name).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Sends one request by XMLHttpRequest: fetch says nothing of how much of a body has been sent. */
const sendFile = <E extends Endpoint>(
  endpoint: E,
  file: File,
  token: string | undefined,
  { signal, onProgress }: UploadOptions,
): Promise<ResponseOf<E>> =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    const abort = () => request.abort()
    let stalled: number | undefined
    const expectMore = () => {
      window.clearTimeout(stalled)
      stalled = window.setTimeout(abort, STALLED_MS)
    }
    request.upload.onprogress = ({ loaded, total }) => {
      expectMore()
      onProgress(total > 0 ? loaded / total : 0)
    }
    const fail = (failure: CallFailure) => {
      if (failure.isUnreachable) noteNoResponse()
      else noteResponse()
      reject(failure)
    }
    request.onload = () => {
      const response = parsed(request.responseText)
      if (request.status !== endpoint.status || response === undefined)
        return fail(new CallFailure(request.status, response))
      noteResponse()
      // The server's tests check every response against the schema.
      resolve(response as ResponseOf<E>)
    }
    request.onerror = () => fail(new CallFailure('no-response'))
    request.onabort = () => (signal.aborted ? reject(signal.reason) : fail(new CallFailure('no-response')))
    request.onloadend = () => {
      window.clearTimeout(stalled)
      signal.removeEventListener('abort', abort)
    }
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', abort)
    request.open(endpoint.method, `${API_PREFIX}${endpoint.path}`)
    request.setRequestHeader('Accept', 'application/json')
    request.setRequestHeader('Accept-Language', language())
    request.setRequestHeader('Content-Type', 'application/octet-stream')
    request.setRequestHeader('Content-Disposition', `attachment; filename*=UTF-8''${encodedName(file.name)}`)
    if (token !== undefined) request.setRequestHeader('Authorization', `Bearer ${token}`)
    expectMore()
    request.send(file)
  })

/** Makes a call whose body is a file. Fails with {@link CallFailure}, or with the signal's reason once it is aborted. */
export async function upload<E extends Endpoint>(
  endpoint: E,
  file: File,
  options: UploadOptions,
): Promise<ResponseOf<E>> {
  // A dead token is renewed before megabytes are sent: the server may end a connection that goes on to send after a 401.
  if (file.size > 1e6) await call(accounts.me, {}, { signal: options.signal })
  return withToken((token) => sendFile(endpoint, file, token, options))
}
