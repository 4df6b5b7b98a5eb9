import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import type { Picture } from '@kopilka/contract/files.ts'
import { isReachable } from '../lib/network.ts'
import { readCopySession } from './copy-session.ts'
import type { CallOptions, Versioned } from './send.ts'
import { currentSignIn } from './tokens.ts'

/** What there is of the account in this browser (web/src/offline); it loads when it is needed. */
interface Offline {
  /** The response to a call that does not go to the server; undefined: it goes there. */
  respond(endpoint: Endpoint, request: object, options: CallOptions): Promise<Versioned<unknown> | undefined>
  /** The picture of an id if it waits here, or the id that the server gave it. */
  picture(id: string): Promise<Blob | string | undefined>
  /** What ids and versions of this browser's have become on the server. */
  resolved(): Promise<ReadonlyMap<string, string>>
  /** Keeps a picture until the server is back; undefined where that is impossible. */
  keepPicture(picture: Blob): Promise<Picture | undefined>
  /** How many changes wait, and how many of the pictures that wait these changes name, or a text does. */
  unsent(text: string): Promise<{ changes: number; pictures: number } | undefined>
  /** Remembers that the user signs out. */
  noteSignOut(): Promise<void>
  /** Has the copy have what the server has just taken, unless it is another sign-in's by now. */
  keepWritten(
    signIn: string,
    endpoint: Endpoint,
    request: object,
    response: Versioned<unknown>,
  ): Promise<void>
}

/**
 * How much waits and of which sign-in, in local storage: known before what keeps it has loaded. Absent where this browser has given
 * no ids, of what waits or was sent lately, that drafts and addresses may name. It outlives a session that ends by itself, as they
 * do.
 */
const KEY = 'waiting'
/** What any id has, and any version that this browser gave. */
const ID = /[\da-f]{8}-[\da-f]{4}-/

/** What local storage had no room for. */
let unstored: string | null = null

const stored = (): string | null => localStorage.getItem(KEY) ?? unstored

/** Calls that name something have to be looked at before they are sent. */
export const mayWait = (): boolean => stored() !== null

interface Counts {
  readonly changes: number
  /** How many pictures only this browser has: those of changes that wait, of drafts, and of texts that were given up since. */
  readonly pictures: number
  /** Those of the changes that are sent by themselves, and those that the user has to decide of. */
  readonly sendable: number
  readonly undecided: number
}

/** Of another sign-in nobody knows yet whose changes they are. */
export const readWaiting = (): Counts => {
  const [changes = 0, pictures = 0, signIn, sendable = changes, undecided = 0] = stored()?.split(' ') ?? []
  const own = (count: string | number) => (signIn === currentSignIn() ? Number(count) : 0)
  return {
    changes: own(changes),
    pictures: own(pictures),
    sendable: own(sendable),
    undecided: own(undecided),
  }
}

/** `undefined`: there is nothing that has ids of this browser's. */
export const writeWaiting = (counts: Counts | undefined): void => {
  unstored = null
  if (counts === undefined) {
    localStorage.removeItem(KEY)
    return
  }
  const { changes, pictures, sendable, undecided } = counts
  // Pages of other versions read the first three.
  const text = [changes, pictures, currentSignIn() ?? '', sendable, undecided].join(' ')
  try {
    localStorage.setItem(KEY, text)
  } catch {
    // The change waits in the database all the same, which the next page looks at as it opens.
    localStorage.removeItem(KEY)
    unstored = text
  }
}

let load: (() => Promise<Offline>) | undefined
let loaded: Offline | undefined

export const provideOffline = (loader: () => Promise<Offline>): void => {
  load = loader
}

/** Undefined where it cannot load. */
export const loadOffline = async (): Promise<Offline | undefined> => {
  loaded ??= await load?.().catch(() => undefined)
  return loaded
}

/**
 * The response to a call without the server; undefined while that is reachable and nothing waits for it. `always`: what waits is
 * looked at although local storage knows of nothing.
 */
export const respondOffline = async (
  endpoint: Endpoint,
  request: object,
  options: CallOptions,
  always = false,
): Promise<Versioned<unknown> | undefined> => {
  const isLookedAt =
    always ||
    !isReachable() ||
    readWaiting().changes > 0 ||
    (mayWait() && ID.test(JSON.stringify([request, options])))
  return isLookedAt ? (await loadOffline())?.respond(endpoint, request, options) : undefined
}

let follow: (() => void) | undefined

/** Has the copy follow what the server takes. */
export const onWritten = (listener: () => void): void => {
  follow = listener
}

/** The server has taken a change: where there is a copy it has the change too, and is to follow. */
export const noteWritten = async (
  signIn: string | undefined,
  ...written: [endpoint: Endpoint, request: object, response: Versioned<unknown>]
): Promise<void> => {
  follow?.()
  if (signIn !== undefined && readCopySession()) await (await loadOffline())?.keepWritten(signIn, ...written)
}
