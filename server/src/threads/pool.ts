import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { AppError } from '../errors.ts'

/** Milliseconds after which a thread that has nothing to do gives its memory back. */
const IDLE = 30_000

interface PoolOptions {
  /** Tasks that run at once, each in a thread of its own. */
  readonly threads: number
  /** Given to each thread as its `workerData`. */
  readonly data?: unknown
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
export function createPool<Task, Result>(module: URL, { threads, data, memory }: PoolOptions) {
  const pool = new Piscina({
    filename: fileURLToPath(module),
    minThreads: 0,
    maxThreads: threads,
    idleTimeout: IDLE,
    workerData: data,
    // A thread that sleeps in Atomics.wait does not hear that the database has closed its connections.
    atomics: 'disabled',
    ...(memory && { resourceLimits: memory }),
  })
  // Not Piscina's own queue: where a task ends with its thread, that starts no other thread for those who wait.
  const queue: (() => void)[] = []
  let running = 0
  let closed = false

  async function enter(signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted()
    running += 1
    if (running <= threads) return
    await new Promise<void>((resolve, reject) => {
      const start = () => {
        signal?.removeEventListener('abort', leave)
        resolve()
      }
      const leave = () => {
        queue.splice(queue.indexOf(start), 1)
        running -= 1
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', leave, { once: true })
      queue.push(start)
    })
  }

  return {
    /** Throws the task's `AppError`, or an error of the pool where the thread ended. */
    async run(task: Task, { signal, transfer = [] }: RunOptions = {}): Promise<Result> {
      await enter(signal)
      try {
        if (closed) throw new Error('The pool is closed.')
        const transferList = [...transfer]
        const options = { name: 'run', transferList, ...(signal && { signal }) }
        const outcome: Outcome<Result> = await pool.run(task, options)
        if ('result' in outcome) return outcome.result
        const { code, fields, retryAfter } = outcome.error
        throw new AppError(code, fields, retryAfter)
      } finally {
        running -= 1
        queue.shift()?.()
      }
    },

    /** Tasks for which no thread is free. */
    waiting: (): number => queue.length,

    /** Tasks under way and waiting are given up. */
    async close(): Promise<void> {
      closed = true
      await pool.destroy()
    },
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
