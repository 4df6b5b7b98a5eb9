import type { Link, LinkSave } from '@kopilka/contract/links.ts'
import { api } from './browser.ts'
import { CallFailure, call } from './call.ts'
import { connection } from './connection.ts'

/*
 * What is saved goes into a queue in the browser and from there to the server, in order, each once: the popup may close,
 * the server be away, the browser end meanwhile.
 */

/** A link on its way. The key makes the server save it once, however often it is sent. */
export interface Waiting {
  key: string
  body: LinkSave
  /** Why the server does not take it: it waits for the user. */
  refused?: string
}

const KEY = 'queue'
const LOCK = 'queue'

const read = async (): Promise<Waiting[]> => {
  const { [KEY]: stored } = await api.storage.local.get(KEY)
  // Written by this module alone.
  return Array.isArray(stored) ? (stored as Waiting[]) : []
}

/** Changes the queue while no other page of the extension does. */
const change = (how: (waiting: Waiting[]) => Waiting[]): Promise<void> =>
  navigator.locks.request(`${LOCK}:change`, async () => {
    await api.storage.local.set({ [KEY]: how(await read()) })
  })

export const waiting = (): Promise<Waiting[]> => read()

/** Puts a link into the queue; returns its key. */
export const enqueue = async (body: LinkSave): Promise<string> => {
  const key = crypto.randomUUID()
  await change((others) => [...others, { key, body }])
  return key
}

export const drop = (key: string): Promise<void> => change((all) => all.filter((one) => one.key !== key))

/** What became of what was sent. */
export interface Sent {
  /** By key. */
  saved: Record<string, Link>
  /** Why the rest waits. `status` 0: the server did not respond. */
  failure?: { status: number; message: string }
}

interface FlushOptions {
  /** Sends again what the server refused. */
  retry?: boolean
  /** Does nothing where links are being sent already: a server that does not respond must not collect tries. */
  ifIdle?: boolean
}

/** Sends what waits, the oldest first, until the server is away or all is sent. One at a time in the whole browser. */
export const flush = ({ retry = false, ifIdle = false }: FlushOptions = {}): Promise<Sent> =>
  navigator.locks.request(LOCK, { ifAvailable: ifIdle }, async (lock) => {
    const sent: Sent = { saved: {} }
    const server = lock && (await connection())
    if (!server) return sent
    for (const { key, body, refused } of await read()) {
      if (refused !== undefined && !retry) continue
      try {
        sent.saved[key] = await call<Link>(server, {
          method: 'POST',
          path: '/urllinks/',
          body,
          idempotencyKey: key,
        })
        await drop(key)
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure
        const { status, message } = failure
        if (failure.mayPass) {
          sent.failure = { status, message }
          break
        }
        const refused = message || String(status)
        await change((all) => all.map((one) => (one.key === key ? { ...one, refused } : one)))
      }
    }
    return sent
  })
