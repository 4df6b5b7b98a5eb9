import { fileUrl } from '@kopilka/contract/files.ts'
import { withToken } from './call.ts'
import { CallFailure } from './failure.ts'
import { keepSeenPicture, seenPicture } from './seen-pictures.ts'
import { currentSignIn } from './tokens.ts'
import { waitingPicture } from './waiting-pictures.ts'

/** Long enough for ten megabytes over a poor mobile line. */
const TIMEOUT_MS = 120_000

const bodyOf = async (response: Response): Promise<unknown> => response.json().catch(() => undefined)

const request = async (id: string, token: string | undefined): Promise<Blob> => {
  const headers = new Headers({ Accept: 'image/*' })
  if (token !== undefined) headers.set('Authorization', `Bearer ${token}`)
  let response: Response
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    // What the browser keeps by itself outlives the session.
    response = await fetch(fileUrl(id), { headers, signal, cache: 'no-store' })
    if (response.ok) return await response.blob()
  } catch {
    throw new CallFailure('no-response')
  }
  throw new CallFailure(response.status, await bodyOf(response))
}

/** The bytes of a picture of the user. Fails with {@link CallFailure}. */
export const readPicture = async (id: string): Promise<Blob> => {
  const waiting = await waitingPicture(id)
  if (waiting instanceof Blob) return waiting
  const stored = waiting ?? id
  const seen = await seenPicture(stored)
  if (seen) return seen
  const signIn = currentSignIn()
  const picture = await withToken((token) => request(stored, token))
  void keepSeenPicture(stored, picture, signIn)
  return picture
}
