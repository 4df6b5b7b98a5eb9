import type { Config } from '../config.ts'
import type { StatementLog } from '../db/dialect.ts'
import { DatabaseUnavailable } from '../errors.ts'
import { createPool } from '../threads/pool.ts'

/** The program of the threads. */
const WORKER = new URL('../worker.ts', import.meta.url)
const MAX_THREADS = 2

/** What the threads are told when they start. */
export interface WorkerOptions {
  readonly config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>
  readonly logsStatements: boolean
}

/** A task by its name in server/src/worker.ts. */
export interface WorkerTask {
  readonly name: string
  readonly args: unknown
}

export interface WorkerResult {
  readonly result?: unknown
  /** Why the database could not be asked. */
  readonly unavailable?: string
  readonly statements: readonly Parameters<StatementLog>[0][]
}

interface PoolOptions {
  readonly config: WorkerOptions['config']
  /** Is told every statement that the threads send to the database. */
  readonly log?: StatementLog | undefined
}

/** Runs what would hold up the event loop. */
export interface WorkerPool {
  /** Arguments and result are structured-cloned. Throws {@link DatabaseUnavailable} like any reader of the database. */
  run<Result>(name: string, args: unknown, signal?: AbortSignal): Promise<Result>
  /** Gives up the tasks under way. */
  close(): Promise<void>
}

/** The threads start at the first task, each with connections of its own for reads. */
export function createWorkerPool({ config: { DATABASE_URL, DATA_DIR }, log }: PoolOptions): WorkerPool {
  const data: WorkerOptions = { config: { DATABASE_URL, DATA_DIR }, logsStatements: log !== undefined }
  const pool = createPool<WorkerTask, WorkerResult>(WORKER, { threads: MAX_THREADS, data })
  return {
    async run<Result>(name: string, args: unknown, signal?: AbortSignal): Promise<Result> {
      const done = await pool.run({ name, args }, signal && { signal })
      for (const statement of done.statements) log?.(statement)
      if (done.unavailable !== undefined) throw new DatabaseUnavailable(done.unavailable)
      // The task of that name has this result.
      return done.result as Result
    },
    close: pool.close,
  }
}
