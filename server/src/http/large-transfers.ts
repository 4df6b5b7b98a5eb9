import type { Socket } from 'node:net'
import { MAX_BODY_BYTES } from '@kopilka/contract/endpoint.ts'
import { countsOf, RATE_LIMITS, type SentBytes } from '@kopilka/contract/rate-limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import { yieldToEventLoop } from '../threads/yield-to-event-loop.ts'
import type { Caller } from './caller.ts'
import { networkOf } from './ip-address.ts'
import { jsonOf } from './json-response.ts'
import type { CounterKey } from './rate-limits/counters.ts'
import type { RateLimits } from './rate-limits/rate-limits.ts'

/**
 * Limit of concurrent requests with large bodies of one owner: receiving, parsing and cleaning them costs shared memory
 * and time. Further requests wait before their bodies are read.
 */
const LARGE_REQUESTS = { total: Number.POSITIVE_INFINITY, perOwner: 2, waiting: 50, timeout: 30_000 }

/** The same for long responses, of a write from before it is done, until they are read: lists of whole items may have five megabytes each. */
const LONG_RESPONSES = { total: Number.POSITIVE_INFINITY, perOwner: 2, waiting: 50, timeout: 30_000 }

/**
 * The same for reads whose response may be long, until it is made, which takes some milliseconds of the event loop. Those who
 * read nothing are refused once a minute's calls wait.
 */
const LONG_READS = {
  total: Number.POSITIVE_INFINITY,
  perOwner: 4,
  waiting: RATE_LIMITS.signedIn.times,
  timeout: 30_000,
}

/** Long responses of an owner that may have been made and wait to be sent: further ones are not made before. */
const MAX_UNSENT = 4

/** Responses of all owners in memory that are too long for one piece, some five megabytes each, before others make room or are refused. */
const MAX_IN_MEMORY = 24

/** Milliseconds without a byte taken after which one of them makes room for another. */
const UNREAD = 5_000

/** Characters of JSON from which on a response is long. */
const LONG = 64 * 1024

type Json = ReturnType<typeof jsonOf>

const isLong = (json: Json): boolean => typeof json !== 'string' || json.length > LONG

interface Exchange {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** Undefined for public calls. */
  readonly caller: Caller | undefined
}

interface Sending extends Exchange {
  readonly mayBeLong?: boolean | undefined
  /** What its bytes count towards. */
  readonly limit?: CounterKey['limit'] | undefined
}

interface InMemory {
  readonly owner_id: string
  readonly reply: FastifyReply
  /** Bytes that its connection had taken when it was last looked at, and the time when they were first as many. */
  taken: number
  since: number
}

/** Bytes that the system has taken for the connection of a response. */
function takenOf({ raw }: FastifyReply): number {
  const { socket }: { socket: Socket & { _handle?: { writeQueueSize?: number } | null } } = raw.req
  return socket.bytesWritten - socket.writableLength - (socket._handle?.writeQueueSize ?? 0)
}

/** Whether a request announces a large body, or one of no length. */
export function mayBeLarge({ headers }: FastifyRequest): boolean {
  const length = headers['content-length']
  return length === undefined ? headers['transfer-encoding'] !== undefined : Number(length) > MAX_BODY_BYTES
}

/** Receives large bodies and sends long responses, of all calls within the same limits. */
export type LargeTransfers = ReturnType<typeof createLargeTransfers>

/** `now`: milliseconds of a clock that is never set. */
export function createLargeTransfers(rateLimits: RateLimits, now = () => performance.now()) {
  const requests = createConcurrencyLimit(LARGE_REQUESTS)
  const responses = createConcurrencyLimit(LONG_RESPONSES)
  const reads = createConcurrencyLimit(LONG_READS)
  const responding = new WeakSet<FastifyReply>()
  /** In the order in which they were made. */
  const inMemory = new Map<FastifyReply, InMemory>()

  /** Waits until the owner may be sent another long response; returns at once for one that may be sent already. Throws 'rateLimited'. */
  async function waitToRespond(owner_id: string, reply: FastifyReply): Promise<void> {
    if (responding.has(reply)) return
    responding.add(reply)
    await untilClosed(responses, owner_id, reply)
  }

  /** Waits until the owner may have another response made that may be long; where many are unsent, until it may be sent first. */
  async function waitToMake(owner_id: string, reply: FastifyReply): Promise<() => void> {
    for (;;) {
      if (responses.waitingOf(owner_id) >= MAX_UNSENT) await waitToRespond(owner_id, reply)
      const release = reads.tryEnter(owner_id) ?? (await reads.enter(owner_id, { signal: signalOf(reply) }))
      if (responding.has(reply) || responses.waitingOf(owner_id) < MAX_UNSENT) return release
      release()
    }
  }

  /** Makes a response that may be long within the owner's limit: four at once, then one by one, with others in between. */
  async function makeLimited(owner_id: string, reply: FastifyReply, make: () => Promise<Json | undefined>) {
    const release = await waitToMake(owner_id, reply)
    let json: Json | undefined
    try {
      json = await make()
      return json
    } finally {
      if (json !== undefined && isLong(json)) void yieldToEventLoop().then(release)
      else release()
    }
  }

  /**
   * Closes the connection of a response that is being sent and of which nobody has taken a byte for longest, if for too long; otherwise
   * that of the newest one of the owner who has most, if those are at least two more than `owner_id` has. False if there is neither.
   */
  function makeRoom(owner_id: string): boolean {
    const kept = [...inMemory.values()]
    const counts = new Map<string, number>()
    for (const each of kept) {
      counts.set(each.owner_id, (counts.get(each.owner_id) ?? 0) + 1)
      const taken = takenOf(each.reply)
      // A response that waits for its turn may wait as long as it likes.
      if (taken !== each.taken || !each.reply.raw.headersSent) Object.assign(each, { taken, since: now() })
    }
    const [longest] = kept.toSorted((one, other) => one.since - other.since)
    const [[most, count] = ['', 0]] = [...counts].toSorted(([, one], [, other]) => other - one)
    const dropped =
      longest && now() - longest.since >= UNREAD
        ? longest
        : count >= (counts.get(owner_id) ?? 0) + 2
          ? kept.findLast((each) => each.owner_id === most)
          : undefined
    if (!dropped) return false
    inMemory.delete(dropped.reply)
    dropped.reply.raw.req.socket.destroy()
    return true
  }

  /** Counts a response among those in memory until it is closed. Throws 'rateLimited' for a read that there is no room for. */
  function keepInMemory(owner_id: string, request: FastifyRequest, reply: FastifyReply): void {
    if (inMemory.size >= MAX_IN_MEMORY && !makeRoom(owner_id) && isRead(request))
      throw new AppError('rateLimited', {}, Math.ceil(UNREAD / 1000))
    const signal = signalOf(reply)
    if (signal.aborted) return
    inMemory.set(reply, { owner_id, reply, taken: takenOf(reply), since: now() })
    signal.addEventListener('abort', () => inMemory.delete(reply))
  }

  /** Returns a function that counts the bytes of each piece of a response towards a rate limit. */
  function byteCounter(counter: CounterKey, kind: SentBytes = 'json'): (bytes: number) => void {
    let [passed, counted] = [0, 0]
    return (bytes) => {
      passed += bytes
      const more = countsOf(passed, kind) - counted
      counted += more
      void rateLimits.add(counter, more)
    }
  }

  return {
    waitToRespond,

    /** Waits until the owner may send another large body, before it is read. Throws 'rateLimited'. */
    async waitToReceive(owner_id: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (mayBeLarge(request)) await untilClosed(requests, owner_id, reply)
    },

    /** Counts the bytes of a response that {@link sendJson} does not send. */
    count: (owner_id: string, bytes: number, kind?: SentBytes): void =>
      byteCounter({ limit: 'signedIn', key: owner_id }, kind)(bytes),

    /**
     * Counts the bytes of a response that {@link sendJson} does not send, and a long one among those in memory. Throws 'rateLimited'
     * for a read that there is no room for.
     */
    keepBytes(owner_id: string, { length }: Uint8Array, { request, reply }: Omit<Exchange, 'caller'>): void {
      if (length > LONG) keepInMemory(owner_id, request, reply)
      byteCounter({ limit: 'signedIn', key: owner_id })(length)
    },

    /** Counts a body whose length was not announced, once it has come to its end or is broken off. */
    countUnannounced(
      { request, caller }: Pick<Exchange, 'request' | 'caller'>,
      kind: SentBytes = 'json',
    ): void {
      const { raw, headers, ip } = request
      if (headers['transfer-encoding'] === undefined) return
      const { socket } = raw
      const before = socket.bytesRead
      const counter: CounterKey = caller
        ? { limit: 'signedIn', key: caller.owner_id }
        : { limit: 'signedOut', key: networkOf(ip) }
      const count = () => {
        raw.off('close', count)
        socket.off('close', count)
        void rateLimits.add(counter, countsOf(socket.bytesRead - before, kind))
      }
      raw.once('close', count)
      // After the response Node does not close a request whose connection ends.
      socket.once('close', count)
    },

    /**
     * Makes a response, sends it as JSON and counts what is sent of it. A long one to a read waits within the owner's limit and may
     * throw 'rateLimited'; a write whose response may be long does so before it is done, and is never refused afterwards.
     */
    async sendJson(
      make: () => Promise<unknown>,
      { request, reply, caller, mayBeLong, limit = 'signedIn' }: Sending,
    ): Promise<FastifyReply> {
      const counter = caller && byteCounter({ limit, key: caller.owner_id })
      const toJson = async () => {
        const response = await make()
        return typeof response === 'object' && response !== null ? jsonOf(response, counter) : undefined
      }
      if (caller && mayBeLong && !isRead(request)) await waitToRespond(caller.owner_id, reply)
      const json = await (caller && mayBeLong && isRead(request)
        ? makeLimited(caller.owner_id, reply, toJson)
        : toJson())
      if (json === undefined) return reply.send()
      if (typeof json !== 'string') keepInMemory(caller?.owner_id ?? '', request, reply)
      if (caller && isRead(request) && isLong(json)) await waitToRespond(caller.owner_id, reply)
      return reply.type('application/json; charset=utf-8').send(json)
    },
  }
}

export const isRead = ({ method }: FastifyRequest): boolean => method === 'GET' || method === 'HEAD'

/** How often a request counts: more often with a large body. */
export const timesOf = ({ headers }: FastifyRequest, kind: SentBytes = 'json'): number =>
  1 + countsOf(Number(headers['content-length'] ?? 0), kind)

const signals = new WeakMap<FastifyReply, AbortSignal>()

/**
 * Aborts once the response is sent, or nobody waits for it any more. There is one for each reply: otherwise the connection of a
 * client that pipelines would have a hundred listeners.
 */
export function signalOf(reply: FastifyReply): AbortSignal {
  const signal = signals.get(reply) ?? newSignal(reply)
  signals.set(reply, signal)
  return signal
}

function newSignal({ raw }: FastifyReply): AbortSignal {
  const gone = new AbortController()
  const { socket } = raw.req
  const end = () => {
    socket.off('close', end)
    gone.abort(new AppError('badRequest'))
  }
  // 'close' comes only once, and the client may be gone already.
  if (raw.destroyed || socket.destroyed) end()
  else {
    raw.once('close', end)
    // A response that waits behind another one of its connection is never closed itself.
    socket.once('close', end)
  }
  return gone.signal
}

/** Enters a concurrency limit and leaves it when the response is closed. */
async function untilClosed(limit: ConcurrencyLimit, owner_id: string, reply: FastifyReply): Promise<void> {
  const signal = signalOf(reply)
  const release = await limit.enter(owner_id, { signal })
  if (signal.aborted) release()
  else signal.addEventListener('abort', release)
}
