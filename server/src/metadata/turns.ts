import { AppError } from '../errors.ts'

interface Rules {
  /** How many may be at it at once, of everybody and of one owner. */
  readonly atOnce: number
  readonly ofOwner: number
  /** How many may wait, and how long, in milliseconds. */
  readonly waiting: number
  readonly patience: number
}

interface Waiter {
  readonly owner_id: string
  readonly begin: () => void
}

/** Lets a few at a time; the others wait for their turn, those who came first first, and are refused where it takes long. */
export function createTurns({ atOnce, ofOwner, waiting, patience }: Rules) {
  const busy = new Map<string, number>()
  const waiters = new Set<Waiter>()
  let total = 0

  const isFree = (owner_id: string): boolean => total < atOnce && (busy.get(owner_id) ?? 0) < ofOwner
  const refusal = () => new AppError('rateLimited', {}, Math.ceil(patience / 1000))

  function begin(owner_id: string): void {
    total += 1
    busy.set(owner_id, (busy.get(owner_id) ?? 0) + 1)
  }

  function end(owner_id: string): void {
    total -= 1
    const left = (busy.get(owner_id) ?? 1) - 1
    if (left > 0) busy.set(owner_id, left)
    else busy.delete(owner_id)
    for (const waiter of waiters) if (isFree(waiter.owner_id)) waiter.begin()
  }

  function wait(owner_id: string): Promise<void> {
    if (waiters.size >= waiting) throw refusal()
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiters.delete(waiter)
        reject(refusal())
      }, patience)
      const waiter: Waiter = {
        owner_id,
        begin() {
          clearTimeout(timer)
          waiters.delete(waiter)
          begin(owner_id)
          resolve()
        },
      }
      waiters.add(waiter)
    })
  }

  /** Does the work when it is the owner's turn; throws 'rateLimited' where that does not come. */
  return async <T>(owner_id: string, work: () => Promise<T>): Promise<T> => {
    if (isFree(owner_id)) begin(owner_id)
    else await wait(owner_id)
    try {
      return await work()
    } finally {
      end(owner_id)
    }
  }
}
