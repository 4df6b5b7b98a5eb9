import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import { type Deliver, PutOff, Undeliverable } from './mail/message.ts'
import type { Claimed, Letter, Letters, Write } from './queue.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Pauses after each attempt that failed; the last holds for all that follow. */
const PAUSES = [10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR] as const
/** A letter that could not be sent for so long is given up: nobody waits for it any more. */
const LONGEST_WAIT = 24 * HOUR
/** An attempt takes at most this long. */
const ATTEMPT = MINUTE
/** A letter whose server died in the middle of an attempt is due again after this. */
const LEASE = 2 * ATTEMPT
/** How often the queue is looked at: letters fall due, and other servers may have died. */
const LOOK_EVERY = 5 * SECOND
/** How long the end waits for the letter under way. */
const LAST_WAIT = SECOND

interface Parts {
  letters: Letters
  write: Write
  deliver: Deliver
  clock: Clock
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
}

/** Sends the letters that wait, one after the other. */
export function createPost({ letters, write, deliver, clock, log }: Parts) {
  const ending = new AbortController()
  let closing = false
  let timer: NodeJS.Timeout | undefined
  let round: Promise<void> | undefined
  let askedAgain = false

  /** False where the mail server is away: the others need not be tried now. */
  async function send({ letter, message }: Claimed): Promise<boolean> {
    const { id, attempts, created_at } = letter
    try {
      const signal = AbortSignal.any([ending.signal, AbortSignal.timeout(ATTEMPT)])
      await deliver({ ...message, id, date: new Date(created_at) }, signal)
    } catch (error) {
      return await failed(letter, error)
    }
    await letters.settle(letter)
    log.info({ letter: id, attempts }, 'letter sent')
    return true
  }

  async function failed(letter: Letter, error: unknown): Promise<boolean> {
    const { id, attempts } = letter
    if (ending.signal.aborted) {
      await letters.postpone(letter, 0)
      return false
    }
    const because = error instanceof Error ? error.message : 'unknown'
    const pause = PAUSES[Math.min(attempts, PAUSES.length) - 1] ?? HOUR
    if (error instanceof Undeliverable || clock() + pause - letter.created_at > LONGEST_WAIT) {
      await letters.settle(letter)
      log.warn({ letter: id, attempts, because }, 'letter given up')
      return true
    }
    await letters.postpone(letter, pause)
    log.warn({ letter: id, attempts, because, seconds: pause / SECOND }, 'letter not sent, to be tried again')
    return error instanceof PutOff
  }

  async function sendAll(): Promise<void> {
    try {
      do {
        askedAgain = false
        for (;;) {
          if (closing) return
          const claimed = await letters.claim(LEASE, write)
          if (!claimed) break
          if (!(await send(claimed))) return
        }
      } while (askedAgain)
    } catch (error) {
      // The database is away: the queue is looked at again soon.
      log.warn({ because: error instanceof Error ? error.name : 'unknown' }, 'letters wait')
    }
  }

  /** Looks at the queue now: to be called once a letter is in it for good. */
  function wake(): void {
    if (closing) return
    askedAgain = true
    round ??= sendAll().finally(() => {
      round = undefined
    })
  }

  return {
    wake,

    start(): void {
      timer = setInterval(wake, LOOK_EVERY)
      wake()
    },

    /** Ends with the letter under way, or without it where that takes long: it is then sent by whoever comes next. */
    async close(): Promise<void> {
      closing = true
      clearInterval(timer)
      const waited = new AbortController()
      await Promise.race([round, sleep(LAST_WAIT, undefined, { signal: waited.signal }).catch(() => {})])
      waited.abort()
      ending.abort()
      await round
    },
  }
}
