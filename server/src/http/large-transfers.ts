import { countsOf, RATE_LIMITS } from '@kopilka/contract/rate-limits.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { type ConcurrencyLimit, createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import { afterTurns } from '../threads/own-turn.ts'
import type { Caller } from './caller.ts'
import { networkOf } from './ip-address.ts'
import { jsonOf } from './json-response.ts'
import { mayBeLarge } from './large-body.ts'
import type { CounterKey } from './rate-limits/counters.ts'
import type { RateLimits } from './rate-limits/rate-limits.ts'

/**
 * Limit of concurrent requests with large bodies of one owner: receiving, parsing and cleaning them costs shared memory
 * and time. Further requests wait before their bodies are read.
 */
const LARGE_REQUESTS = { total: Number.POSITIVE_INFINITY, perOwner: 2, waiting: 50, timeout: 30_000 }

/** The same for long responses, until they are read: lists of whole items may have five megabytes each. */
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

/** Receives large bodies and sends long responses, of all calls within the same limits. */
export type LargeTransfers = ReturnType<typeof createLargeTransfers>

export function createLargeTransfers(rateLimits: RateLimits) {
  const requests = createConcurrencyLimit(LARGE_REQUESTS)
  const responses = createConcurrencyLimit(LONG_RESPONSES)
  const reads = createConcurrencyLimit(LONG_READS)
  const responding = new WeakSet<FastifyReply>()

  /** Waits for the owner's turn to send a long response; a response that has it goes on at once. Throws 'rateLimited'. */
  async function turnToRespond(owner_id: string, reply: FastifyReply): Promise<void> {
    if (responding.has(reply)) return
    responding.add(reply)
    await untilClosed(responses, owner_id, reply)
  }

  /** Waits for the owner's turn to make a response that may be long; one to send it comes first where many are unsent. */
  async function turnToMake(owner_id: string, reply: FastifyReply): Promise<() => void> {
    for (;;) {
      if (responses.waitingOf(owner_id) >= MAX_UNSENT) await turnToRespond(owner_id, reply)
      const release = reads.tryEnter(owner_id) ?? (await reads.enter(owner_id, signalOf(reply)))
      if (responding.has(reply) || responses.waitingOf(owner_id) < MAX_UNSENT) return release
      release()
    }
  }

  /** Makes a response that may be long in the owner's turn; others come between four long ones. */
  async function inTurn(owner_id: string, reply: FastifyReply, make: () => Promise<Json | undefined>) {
    const release = await turnToMake(owner_id, reply)
    let json: Json | undefined
    try {
      json = await make()
      return json
    } finally {
      if (json !== undefined && isLong(json)) afterTurns(release)
      else release()
    }
  }

  /** Returns a function that counts the bytes of each piece of a response towards a rate limit. */
  function byteCounter(counter: CounterKey): (bytes: number) => void {
    let [passed, counted] = [0, 0]
    return (bytes) => {
      passed += bytes
      const more = countsOf(passed) - counted
      counted += more
      void rateLimits.add(counter, more)
    }
  }

  return {
    turnToRespond,

    /** Waits for the owner's turn to send a large body, before it is read. Throws 'rateLimited'. */
    async turnToReceive(owner_id: string, request: FastifyRequest, reply: FastifyReply): Promise<void> {
      if (mayBeLarge(request)) await untilClosed(requests, owner_id, reply)
    },

    /** Counts a body whose length was not announced, once it is received, refused or broken off. */
    countUnannounced({ request, reply, caller }: Exchange): void {
      const { raw, headers, ip } = request
      if (headers['transfer-encoding'] === undefined) return
      const { socket } = raw
      const before = socket.bytesRead
      const counter: CounterKey = caller
        ? { limit: 'signedIn', key: caller.owner_id }
        : { limit: 'signedOut', key: networkOf(ip) }
      reply.raw.once('close', () => void rateLimits.add(counter, countsOf(socket.bytesRead - before)))
    },

    /**
     * Makes a response, sends it as JSON and counts what is sent of it. A long one to a read waits for the owner's turn and may
     * throw 'rateLimited'; one to a write, which is done, is never refused.
     */
    async sendJson(
      make: () => Promise<unknown>,
      { request, reply, caller, mayBeLong }: Exchange & { mayBeLong?: boolean | undefined },
    ): Promise<FastifyReply> {
      const counter = caller && byteCounter({ limit: 'signedIn', key: caller.owner_id })
      const toJson = async () => {
        const response = await make()
        return typeof response === 'object' && response !== null ? jsonOf(response, counter) : undefined
      }
      const json = await (caller && mayBeLong ? inTurn(caller.owner_id, reply, toJson) : toJson())
      if (json === undefined) return reply.send()
      const isRead = request.method === 'GET' || request.method === 'HEAD'
      if (caller && isRead && isLong(json)) await turnToRespond(caller.owner_id, reply)
      return reply.type('application/json; charset=utf-8').send(json)
    },
  }
}

/** How often a request counts: more often with a large body. */
export const timesOf = ({ headers }: FastifyRequest): number =>
  1 + countsOf(Number(headers['content-length'] ?? 0))

/** Aborts once the response is sent, or nobody waits for it any more. */
export function signalOf({ raw }: FastifyReply): AbortSignal {
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

/** Waits for the owner's turn, which lasts until the response is closed. */
async function untilClosed(limit: ConcurrencyLimit, owner_id: string, reply: FastifyReply): Promise<void> {
  const signal = signalOf(reply)
  const release = await limit.enter(owner_id, signal)
  if (signal.aborted) release()
  else signal.addEventListener('abort', release)
}
