import { RATE_LIMITS } from '@kopilka/contract/rate-limits.ts'
import type { Config } from '../config.ts'
import { createPool, type Pool } from './pool.ts'

/**
 * Two for one owner, so that another finds a free one, and owners alternate. At most as many of an owner's tasks wait as it may
 * send requests in a minute, each for 30 seconds. A task that takes longer than the deadline is given up: an honest one takes a second. The heap, in megabytes, is that of the ids of a million items, and many times that of the longest text.
 */
const LIMITS = {
  threads: 4,
  perOwner: 2,
  queue: { waiting: RATE_LIMITS.signedIn.times, timeout: 30_000 },
  deadline: 30_000,
  grace: 500,
  memory: { maxOldGenerationSizeMb: 256, maxYoungGenerationSizeMb: 12 },
}

/** What the threads are told when they start. */
export interface WorkerData {
  readonly config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>
  /** Whether they report the statements that they send to the database. */
  readonly isLogged: boolean
}

/**
 * The threads of server/src/worker.ts, for what would hold up the event loop. Each has connections of its own for reads.
 * `log` gets every statement, and `onError` what tasks throw.
 */
export const createWorkerPool = <Statement>(
  { DATABASE_URL, DATA_DIR }: WorkerData['config'],
  log?: (statement: Statement) => void,
  onError?: (error: Error) => void,
): Pool => {
  const data: WorkerData = { config: { DATABASE_URL, DATA_DIR }, isLogged: log !== undefined }
  return createPool(new URL('../worker.ts', import.meta.url), {
    ...LIMITS,
    data,
    onReport: log,
    onError,
  })
}
