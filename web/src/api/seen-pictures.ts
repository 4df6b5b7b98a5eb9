import { fileUrl } from '@kopilka/contract/files.ts'
import { watchSession } from './session.ts'
import { currentSignIn } from './tokens.ts'

/*
 * The pictures that the user has seen last, so that they need not come again. They lie in a cache of the sign-in, which goes with it:
 * the browser's own cache would give them to whoever signs in next.
 */

const PREFIX = 'kopilka-pictures-'
/** Shrunk pictures have a megabyte at most. */
const MAX_PICTURES = 100

const nameOf = (signIn: string): string => PREFIX + signIn

/** The cache of this sign-in; undefined where the browser has none, as over http, or gives no access to it. */
const openCache = async (): Promise<Cache | undefined> => {
  const signIn = currentSignIn()
  if (signIn === undefined || !('caches' in globalThis)) return undefined
  return caches.open(nameOf(signIn)).catch(() => undefined)
}

/** A picture that this sign-in has seen. */
export const seenPicture = async (id: string): Promise<Blob | undefined> => {
  const cache = await openCache()
  const response = await cache?.match(fileUrl(id)).catch(() => undefined)
  return response?.blob()
}

/** Keeps a picture in place of the one seen first. `signIn`: that with whose token it came. */
export const keepSeenPicture = async (
  id: string,
  picture: Blob,
  signIn: string | undefined,
): Promise<void> => {
  if (currentSignIn() !== signIn) return
  const cache = await openCache()
  try {
    await cache?.put(fileUrl(id), new Response(picture))
    // Listed in the order in which they came.
    const kept = (await cache?.keys()) ?? []
    for (const request of kept.slice(0, Math.max(0, kept.length - MAX_PICTURES))) await cache?.delete(request)
  } catch {
    // No room: it comes again.
  }
  if (currentSignIn() !== signIn) await forgetSeenPictures()
}

/** Deletes the pictures of all sign-ins that have ended. */
export const forgetSeenPictures = async (): Promise<void> => {
  if (!('caches' in globalThis)) return
  const signIn = currentSignIn()
  const names = await caches.keys().catch(() => [])
  const ended = names.filter(
    (name) => name.startsWith(PREFIX) && (signIn === undefined || name !== nameOf(signIn)),
  )
  await Promise.all(ended.map((name) => caches.delete(name)))
}

const forget = (): void => void forgetSeenPictures()
watchSession({ ended: forget, replaced: forget, renewed: () => undefined })
