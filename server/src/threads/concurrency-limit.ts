import { AppError } from '../errors.ts'

interface Limits {
  /** Most concurrent tasks, in total and of one owner. */
  readonly total: number
  readonly perOwner: number
  /** Tasks of one owner that may wait, and for how many milliseconds; absent: as many and as long as they like. */
  readonly waiting?: number
  readonly timeout?: number
}

/** A kind of tasks of which fewer run at once than of all, so that others find a free place. */
export interface TaskGroup {
  readonly name: string
  /** Most concurrent tasks of the group. */
  readonly total: number
  /** Most of one owner; absent: as many as one owner may have of all tasks. */
  readonly perOwner?: number
}

interface Entry {
  readonly signal?: AbortSignal | undefined
  /** Is refused neither because many wait nor because it waits too long. */
  readonly unlimitedWait?: boolean
  readonly group?: TaskGroup | undefined
}

/** Frees the place; further calls do nothing. */
type Release = () => void

interface Waiter {
  readonly group: TaskGroup | undefined
  readonly start: () => void
}

export type ConcurrencyLimit = ReturnType<typeof createConcurrencyLimit>

/** Limits concurrent tasks. Waiting tasks are in a queue for each owner, served round-robin. */
export function createConcurrencyLimit({ total, perOwner, waiting, timeout = 0 }: Limits) {
  const running = createCounts()
  const runningInGroups = createCounts()
  /** Queues by owner, in round-robin order. */
  const queues = new Map<string, Set<Waiter>>()
  let runningInAll = 0

  const isFree = (owner_id: string, group?: TaskGroup): boolean =>
    runningInAll < total &&
    running.of(owner_id) < perOwner &&
    (!group ||
      (runningInGroups.of(group.name) < group.total &&
        runningInGroups.of(ownKey(group, owner_id)) < (group.perOwner ?? perOwner)))
  const rateLimited = () => new AppError('rateLimited', {}, Math.ceil(timeout / 1000))

  function count(change: 1 | -1, owner_id: string, group: TaskGroup | undefined): void {
    runningInAll += change
    running.add(owner_id, change)
    if (!group) return
    runningInGroups.add(group.name, change)
    runningInGroups.add(ownKey(group, owner_id), change)
  }

  function start(owner_id: string, group: TaskGroup | undefined): Release {
    count(1, owner_id, group)
    let ended = false
    return () => {
      if (ended) return
      ended = true
      count(-1, owner_id, group)
      startNext()
    }
  }

  function firstFree(owner_id: string, queue: Iterable<Waiter>): Waiter | undefined {
    for (const waiter of queue) if (isFree(owner_id, waiter.group)) return waiter
    return undefined
  }

  function startNext(): void {
    for (const [owner_id, queue] of [...queues]) {
      const next = firstFree(owner_id, queue)
      if (!next) continue
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
   * the signal.
   */
  async function enter(
    owner_id: string,
    { signal, unlimitedWait = false, group }: Entry = {},
  ): Promise<Release> {
    signal?.throwIfAborted()
    // No task that waits could start instead: each place that comes free goes to one at once.
    if (isFree(owner_id, group)) return start(owner_id, group)
    const queue = queues.get(owner_id) ?? new Set()
    if (!unlimitedWait && waiting !== undefined && queue.size >= waiting) throw rateLimited()
    queues.set(owner_id, queue)
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', giveUp)
        leave(owner_id, waiter)
      }
      const giveUp = () => {
        settle()
        reject(signal?.aborted ? signal.reason : rateLimited())
      }
      const timer = timeout > 0 && !unlimitedWait ? setTimeout(giveUp, timeout) : undefined
      signal?.addEventListener('abort', giveUp)
      const waiter: Waiter = {
        group,
        start() {
          settle()
          resolve(start(owner_id, group))
        },
      }
      queue.add(waiter)
    })
  }

  return {
    enter,

    /** Takes a place of the owner's if one is free and nobody waits for it. */
    tryEnter: (owner_id: string): Release | undefined =>
      queues.has(owner_id) || !isFree(owner_id) ? undefined : start(owner_id, undefined),

    /** How many tasks of the owner wait. */
    waitingOf: (owner_id: string): number => queues.get(owner_id)?.size ?? 0,

    /** How many tasks wait. */
    waiting: (): number => [...queues.values()].reduce((sum, { size }) => sum + size, 0),

    /** Runs the task when a place is free for the owner; throws as {@link enter} does. */
    async run<T>(owner_id: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
      const release = await enter(owner_id, { signal })
      try {
        return await task()
      } finally {
        release()
      }
    },
  }
}

const ownKey = ({ name }: TaskGroup, owner_id: string): string => `${name} ${owner_id}`

/** Numbers by key, of which those that are 0 take no memory. */
function createCounts() {
  const counts = new Map<string, number>()
  const of = (key: string): number => counts.get(key) ?? 0
  return {
    of,
    add(key: string, change: number): void {
      const count = of(key) + change
      if (count > 0) counts.set(key, count)
      else counts.delete(key)
    },
  }
}
