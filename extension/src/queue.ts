import type { Link, LinkSave, LinkSummary } from '@kopilka/contract/links.ts'
import { htmlToText } from '@kopilka/text/html-to-text.ts'
import { api } from './browser.ts'
import { CallFailure, call } from './call.ts'
import { type Connection, connection } from './connection.ts'

/*
 * What is saved goes into a queue in the browser and from there to the server, in order, each once: the popup may close,
 * the server be away, the browser end meanwhile.
 */

/** A link on its way. The key makes the server save it once, however often it is sent. */
export interface Waiting {
  key: string
  body: LinkSave
  /** When it was first sent, in milliseconds since 1970; absent: not yet. */
  sentAt?: number
  /** Why the server does not take it: it waits for the user. */
  refused?: string
}

const HOUR_MS = 60 * 60_000
/** The server knows a key for 24 hours; clocks may differ by an hour. */
const KEY_KNOWN_MS = 23 * HOUR_MS

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

/** Adds to what is known of a link in the queue. */
const update = (key: string, more: Pick<Waiting, 'sentAt' | 'refused'>): Promise<void> =>
  change((all) => all.map((one) => (one.key === key ? { ...one, ...more } : one)))

/** A text as the server stores it, but for accents beyond the 30th of a letter (toLine and toText in contract/src/fields.ts). */
const asStored = (text: string): string =>
  text
    .toWellFormed()
    .normalize('NFC')
    .replace(/(?![\t\n\r])\p{Cc}/gu, '')
    .trim()

type Saved = Pick<Link, 'id' | 'title'>

/** The link that an earlier request saved whose response was lost, where the server no longer knows its key. */
async function savedBefore(
  server: Connection,
  body: LinkSave,
  sentAt: number | undefined,
): Promise<Saved | undefined> {
  if (sentAt === undefined || Date.now() - sentAt < KEY_KNOWN_MS) return undefined
  const { found, similar } = await call<{ found: LinkSummary | null; similar: LinkSummary[] }>(server, {
    path: '/urllinks/check/',
    query: { url: body.url },
  })
  const [url, title] = [asStored(body.url), asStored(body.title)]
  const text = asStored(htmlToText(body.description)).replace(/\s+/g, ' ')
  const isExcerpt = (excerpt: string) =>
    excerpt === text || (excerpt.endsWith('...') && text.startsWith(excerpt.slice(0, -3)))
  const hasTags = ({ tags }: LinkSummary) => {
    const names = new Set(tags.map(({ name }) => name.toLowerCase()))
    return (body.tags ?? []).every((name) => names.has(asStored(name).toLowerCase()))
  }
  return [...(found ? [found] : []), ...similar].find(
    (link) =>
      link.url === url &&
      link.title === title &&
      isExcerpt(link.excerpt) &&
      hasTags(link) &&
      Date.parse(link.created_at) > sentAt - HOUR_MS,
  )
}

/** What became of what was sent. */
export interface Sent {
  /** By key. */
  saved: Record<string, Saved>
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
    for (const { key, body, sentAt, refused } of await read()) {
      if (refused !== undefined && !retry) continue
      // The user may have removed it while others were sent.
      if (!(await read()).some((one) => one.key === key)) continue
      try {
        if (sentAt === undefined) await update(key, { sentAt: Date.now() })
        sent.saved[key] =
          (await savedBefore(server, body, sentAt)) ??
          (await call<Link>(server, { method: 'POST', path: '/urllinks/', body, idempotencyKey: key }))
        await drop(key)
      } catch (failure) {
        if (!(failure instanceof CallFailure)) throw failure
        const { status, message } = failure
        if (failure.mayPass) {
          sent.failure = { status, message }
          break
        }
        await update(key, { refused: message || String(status) })
      }
    }
    return sent
  })
