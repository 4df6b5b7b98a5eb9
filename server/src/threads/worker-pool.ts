import type { Config } from '../config.ts'
import { createPool, type Pool } from './pool.ts'

/** As many as two searches need, and two more for what requests bring. */
const MAX_THREADS = 4

/** What the threads are told when they start. */
export interface WorkerData {
  readonly config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>
  /** Whether they report the statements that they send to the database. */
  readonly isLogged: boolean
}

/**
 * The threads of server/src/worker.ts, for what would hold up the event loop. Each has connections of its own for reads.
 * `log` is told every statement.
 */
export const createWorkerPool = <Statement>(
  { DATABASE_URL, DATA_DIR }: WorkerData['config'],
  log?: (statement: Statement) => void,
): Pool => {
  const data: WorkerData = { config: { DATABASE_URL, DATA_DIR }, isLogged: log !== undefined }
  return createPool(new URL('../worker.ts', import.meta.url), {
    threads: MAX_THREADS,
    data,
    onReport: log,
  })
}
