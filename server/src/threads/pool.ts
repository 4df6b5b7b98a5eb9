import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { AppError } from '../errors.ts'

/** Milliseconds after which a thread that has nothing to do gives its memory back. */
const IDLE = 30_000

interface PoolOptions {
  /** Tasks that run at once, each in a thread of its own. */
  readonly threads: number
  /** Megabytes of a thread's heap; a task that needs more fails alone. */
  readonly memory?: { readonly maxOldGenerationSizeMb: number; readonly maxYoungGenerationSizeMb: number }
}

interface RunOptions {
  /** Stops the task, its thread with it. */
  readonly signal?: AbortSignal
  /** Buffers that are moved to the thread instead of copied. */
  readonly transfer?: readonly ArrayBuffer[]
}

/** An `AppError` as it travels between threads: what a structured clone leaves of an error is its message. */
type Outcome<Result> = { result: Result } | { error: Pick<AppError, 'code' | 'fields' | 'retryAfter'> }

export type Pool<Task, Result> = ReturnType<typeof createPool<Task, Result>>

/** Threads that start when they are needed. `module` exports a {@link threadTask} as `run`. */
export function createPool<Task, Result>(module: URL, { threads, memory }: PoolOptions) {
  const pool = new Piscina({
    filename: fileURLToPath(module),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE,
    ...(memory && { resourceLimits: memory }),
  })

  return {
    /** Throws the task's `AppError`, or an error of the pool where the thread ended. */
    async run(task: Task, { signal, transfer = [] }: RunOptions = {}): Promise<Result> {
      const outcome: Outcome<Result> = await pool.run(task, {
        name: 'run',
        ...(signal && { signal }),
        transferList: [...transfer],
      })
      if ('result' in outcome) return outcome.result
      const { code, fields, retryAfter } = outcome.error
      throw new AppError(code, fields, retryAfter)
    },

    /** Tasks under way and waiting are given up. */
    close: (): Promise<void> => pool.destroy(),
  }
}

/** Makes a function the task of a pool's threads. */
export const threadTask =
  <Task, Result>(work: (task: Task) => Result | Promise<Result>) =>
  async (task: Task): Promise<Outcome<Result>> => {
    try {
      return { result: await work(task) }
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      const { code, fields, retryAfter } = error
      return { error: { code, fields, retryAfter } }
    }
  }
