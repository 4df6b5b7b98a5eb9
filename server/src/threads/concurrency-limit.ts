import { AppError } from '../errors.ts'

interface Limits {
  /** Most concurrent tasks, in total and of one owner. */
  readonly total: number
  readonly perOwner: number
  /** Tasks of one owner that may wait, and for how many milliseconds; absent: as many and as long as they like. */
  readonly waiting?: number
  readonly timeout?: number
}

/** Frees the place; further calls do nothing. */
type Release = () => void

interface Waiter {
  readonly start: () => void
}

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>

/** Limits concurrent tasks. Waiting tasks are in a queue for each owner, served round-robin. */
export function createConcurrencyLimit({ total, perOwner, waiting, timeout = 0 }: Limits) {
  const running = new Map<string, number>()
  /** Queues by owner, in round-robin order. */
  const queues = new Map<string, Set<Waiter>>()
  let runningInAll = 0

  const isFree = (owner_id: string): boolean =>
    runningInAll < total && (running.get(owner_id) ?? 0) < perOwner
  const refusal = () => new AppError('rateLimited', {}, Math.ceil(timeout / 1000))

  function start(owner_id: string): Release {
    runningInAll += 1
    running.set(owner_id, (running.get(owner_id) ?? 0) + 1)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      runningInAll -= 1
      const left = (running.get(owner_id) ?? 1) - 1
      if (left > 0) running.set(owner_id, left)
      else running.delete(owner_id)
      startNext()
    }
  }

  function startNext(): void {
    for (const [owner_id, queue] of [...queues]) {
      const [next] = queue
      if (!next || !isFree(owner_id)) continue
      queues.delete(owner_id)
      queues.set(owner_id, queue)
      next.start()
    }
  }

  function leave(owner_id: string, waiter: Waiter): void {
    const queue = queues.get(owner_id)
    queue?.delete(waiter)
    if (queue?.size === 0) queues.delete(owner_id)
  }

  /**
   * Resolves when the owner may enter. Throws 'rateLimited' if that takes too long or too many wait, and the reason of
   * the signal. `isPatient`: is refused neither for the one nor for the other.
   */
  async function enter(owner_id: string, signal?: AbortSignal, isPatient = false): Promise<Release> {
    signal?.throwIfAborted()
    const queue = queues.get(owner_id) ?? new Set()
    if (queue.size === 0 && isFree(owner_id)) return start(owner_id)
    if (!isPatient && waiting !== undefined && queue.size >= waiting) throw refusal()
    queues.set(owner_id, queue)
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        leave(owner_id, waiter)
      }
      const giveUp = () => {
        settle()
        reject(signal?.aborted ? signal.reason : refusal())
      }
      const timer = timeout > 0 && !isPatient ? setTimeout(giveUp, timeout) : undefined
      signal?.addEventListener('abort', giveUp)
      const waiter: Waiter = {
        start() {
          settle()
          resolve(start(owner_id))
        },
      }
      queue.add(waiter)
    })
  }

  return {
    enter,

    /** Takes a place of the owner's if one is free and nobody waits for it. */
    tryEnter: (owner_id: string): Release | undefined =>
      queues.has(owner_id) || !isFree(owner_id) ? undefined : start(owner_id),

    /** How many tasks of the owner wait. */
    waitingOf: (owner_id: string): number => queues.get(owner_id)?.size ?? 0,

    /** How many tasks wait. */
    waiting: (): number => [...queues.values()].reduce((sum, { size }) => sum + size, 0),

    /** Runs the task when a place is free for the owner; throws as {@link enter} does. */
    async run<T>(owner_id: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const release = await enter(owner_id, signal)
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}
