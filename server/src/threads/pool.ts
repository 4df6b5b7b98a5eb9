import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { MessagePort, Worker } from 'node:worker_threads'
import { Piscina, transferableSymbol, valueSymbol } from 'piscina'
import { AppError, codeOf, DatabaseUnavailable } from '../errors.ts'
import { createConcurrencyLimit, type TaskGroup } from './concurrency-limit.ts'

/** Milliseconds after which an idle thread ends. */
const IDLE = 30_000
/** Milliseconds between two looks whether a thread has started: it takes hundreds. */
const STARTING = 5

interface PoolOptions<Report> {
  readonly threads: number
  /** Tasks that a thread has at once: several where one of them may wait for another. */
  readonly tasksPerThread?: number
  /** Most concurrent tasks of one owner; absent: as many as there are. */
  readonly perOwner?: number
  /** Tasks of one owner that may wait for a thread, and for how many milliseconds; absent: as many and as long as they like. */
  readonly queue?: { readonly waiting: number; readonly timeout: number }
  /** Milliseconds after which a task is ended with its thread, and throws 'tooSlow'; absent: never. */
  readonly deadline?: number
  /** Milliseconds for which a task goes on that was aborted: to start another thread in place of its own costs as much. */
  readonly grace?: number
  /** `workerData` of each thread. */
  readonly data?: unknown
  /** Milliseconds after which an idle thread ends. */
  readonly idle?: number
  /** Heap limit of a thread in megabytes; only the task that exceeds it fails. */
  readonly memory?: { readonly maxOldGenerationSizeMb: number; readonly maxYoungGenerationSizeMb: number }
  /** Called with what the threads {@link report}, before the result of the task. */
  readonly onReport?: ((report: Report) => void) | undefined
  /** Called with what tasks throw. */
  readonly onError?: ((error: Error) => void) | undefined
}

interface RunOptions {
  /** Whose task it is: owners alternate. Absent: the server's own. */
  readonly owner_id?: string
  /** Aborts the task by ending its thread, after the pool's grace. */
  readonly signal?: AbortSignal | undefined
  /** Waits without a limit: for jobs, and for parts of a response that has begun. */
  readonly unlimitedWait?: boolean
  /** Limits tasks of its kind further. */
  readonly group?: TaskGroup
  /** Buffers and ports that are moved to the thread instead of copied. */
  readonly transfer?: readonly (ArrayBuffer | MessagePort)[]
}

interface Task {
  /** The task's name in the module of the threads. */
  readonly name: string
  readonly args: unknown
}

/** An error as it travels between threads: a structured clone would lose its class. */
type Failure =
  | { readonly type: 'app'; readonly error: Pick<AppError, 'code' | 'fields' | 'retryAfter'> }
  | {
      readonly type: 'unavailable' | 'bug'
      readonly message: string
      readonly stack: string | undefined
      readonly code: string | undefined
    }

interface Outcome {
  readonly result?: unknown
  readonly failure?: Failure
  readonly reports: readonly unknown[]
}

/** A thread ended in the middle of its tasks, which may be done or not; or the pool is closed. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded'
}

export type Pool = ReturnType<typeof createPool>

/** Threads that start when they are needed. `module` exports {@link threadTasks} as `run`. */
export function createPool<Report>(
  module: URL,
  {
    threads,
    tasksPerThread = 1,
    perOwner = threads * tasksPerThread,
    queue,
    deadline,
    grace = 0,
    data,
    idle = IDLE,
    memory,
    onReport = () => {},
    onError = () => {},
  }: PoolOptions<Report>,
) {
  const pool = new Piscina({
    filename: fileURLToPath(module),
    minThreads: 0,
    maxThreads: threads,
    concurrentTasksPerWorker: tasksPerThread,
    idleTimeout: idle,
    workerData: data,
    // A thread that sleeps in Atomics.wait does not hear that the database has closed its connections.
    atomics: 'disabled',
    ...(memory && { resourceLimits: memory }),
  })
  /** Tasks that Piscina has, in the order they were given. */
  const given = new Set<PromiseWithResolvers<never>>()
  // A thread failed without a task, while it started perhaps: the tasks that wait for it would wait for ever.
  pool.on('error', (cause: Error) => {
    const waiting = [...given].slice(given.size - pool.queueSize)
    for (const { reject } of waiting) reject(new ThreadEnded(cause.message, { cause }))
  })
  /** Threads whose module has loaded. */
  const started = new WeakSet<Worker>()
  pool.on('workerCreate', ({ id }: { id: number }) => {
    const thread = pool.threads.find(({ threadId }) => threadId === id)
    if (thread) started.add(thread)
  })
  /**
   * Resolves once no thread is loading its module: to end one that loads native code may end the process, as it does with that of
   * better-sqlite3 13.2.
   */
  async function allStarted(): Promise<void> {
    while (pool.threads.some((thread) => !started.has(thread))) await sleep(STARTING)
  }
  /** Aborts when one of the signals does, but ends no thread that starts. */
  function onceStarted(signals: readonly AbortSignal[]): AbortSignal {
    const either = AbortSignal.any([...signals])
    const end = new AbortController()
    const abort = () => void allStarted().then(() => end.abort(either.reason))
    if (either.aborted) abort()
    else either.addEventListener('abort', abort, { once: true })
    return end.signal
  }
  // Replaces Piscina's queue, which starts no new thread for waiting tasks when a task ends its thread.
  const tasks = threads * tasksPerThread
  const limit = createConcurrencyLimit({ total: tasks, perOwner, ...queue })
  let closed = false

  return {
    /**
     * Runs a task of the threads' module; arguments and result are structured-cloned. Throws what the task throws,
     * {@link ThreadEnded}, 'tooSlow', and 'rateLimited' where too many wait or it waits too long.
     */
    async run<Result>(
      name: string,
      args?: unknown,
      { owner_id = '', signal, unlimitedWait = false, group, transfer = [] }: RunOptions = {},
    ): Promise<Result> {
      const release = await limit.enter(owner_id, { signal, unlimitedWait, group })
      const ended = Promise.withResolvers<never>()
      const late = new AbortController()
      let timer: NodeJS.Timeout | undefined
      given.add(ended)
      try {
        if (closed) throw new ThreadEnded('The pool is closed.')
        const task: Task = { name, args }
        const ends = [
          signal && delayed(signal, grace),
          deadline === undefined ? undefined : late.signal,
        ].filter((end) => end !== undefined)
        // Piscina gives a thread no second task beside one that can be aborted.
        const abort = ends.length > 0 && { signal: onceStarted(ends) }
        const options = { name: 'run', transferList: [...transfer], ...abort }
        timer = deadline === undefined ? undefined : setTimeout(() => late.abort(), deadline)
        const done: Promise<Outcome> = pool.run(task, options).catch((cause: Error) => {
          signal?.throwIfAborted()
          if (late.signal.aborted) throw new AppError('tooSlow')
          // Arguments that cannot be cloned are the caller's fault.
          throw cause.name === 'DataCloneError' ? cause : new ThreadEnded(cause.message, { cause })
        })
        const outcome = await Promise.race([done, ended.promise])
        for (const report of outcome.reports) onReport(report as Report)
        if (outcome.failure) {
          const error = errorOf(outcome.failure)
          onError(error)
          throw error
        }
        // The task of that name has this result.
        return outcome.result as Result
      } finally {
        clearTimeout(timer)
        given.delete(ended)
        release()
      }
    },

    /** Number of tasks waiting for a thread. */
    waiting: limit.waiting,

    /** Number of tasks that threads have done. */
    done: (): number => pool.completed,

    /** Aborts running and waiting tasks. */
    async close(): Promise<void> {
      closed = true
      await allStarted()
      await pool.destroy()
    },
  }
}

function delayed(signal: AbortSignal, grace: number): AbortSignal {
  if (grace === 0) return signal
  const later = new AbortController()
  const abort = () => setTimeout(() => later.abort(signal.reason), grace).unref()
  // It may have ended while the task waited.
  if (signal.aborted) abort()
  else signal.addEventListener('abort', abort, { once: true })
  return later.signal
}

/** The arguments come from this program: the types of the callers are the check. */
type Tasks = Readonly<Record<string, (args: never) => unknown>>

let reports: unknown[] = []

/** In a thread: tells the pool something besides the results of tasks. */
export const report = (what: unknown): void => void reports.push(what)

/** A result whose buffers are moved to the pool instead of copied. */
class Moved<Result> {
  readonly result: Result
  readonly buffers: readonly ArrayBuffer[]

  constructor(result: Result, buffers: readonly ArrayBuffer[]) {
    this.result = result
    this.buffers = buffers
  }
}

/** In a thread: the result of a task that moves these of its buffers to the pool. The rest of it can be cloned. */
export const moving = <Result>(result: Result, buffers: readonly ArrayBuffer[]): Moved<Result> =>
  new Moved(result, buffers)

/** Makes functions the tasks of a pool's threads. */
export const threadTasks =
  (tasks: Tasks) =>
  async ({ name, args }: Task): Promise<unknown> => {
    let buffers: readonly ArrayBuffer[] = []
    const made = await outcomeOf(async () => {
      const task = tasks[name]
      if (!task) throw new Error(`There is no task '${name}'.`)
      const result = await task(args as never)
      // Cloned here, where a result that cannot be is a failure of its task: Piscina would end the thread.
      if (!(result instanceof Moved)) return structuredClone(result)
      buffers = result.buffers
      return result.result
    })
    const outcome: Outcome = { ...made, reports }
    reports = []
    // Piscina replaces an object with these symbols by the value, and moves the buffers.
    return buffers.length > 0
      ? Piscina.move({ [transferableSymbol]: buffers, [valueSymbol]: outcome })
      : outcome
  }

async function outcomeOf(work: () => Promise<unknown>): Promise<Omit<Outcome, 'reports'>> {
  try {
    return { result: await work() }
  } catch (error) {
    return { failure: failureOf(error) }
  }
}

function failureOf(error: unknown): Failure {
  if (error instanceof AppError) {
    const { code, fields, retryAfter } = error
    return { type: 'app', error: { code, fields, retryAfter } }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  const code = codeOf(error) || undefined
  return { type: error instanceof DatabaseUnavailable ? 'unavailable' : 'bug', message, stack, code }
}

function errorOf(failure: Failure): Error {
  if (failure.type === 'app') {
    const { code, fields, retryAfter } = failure.error
    return new AppError(code, fields, retryAfter)
  }
  const { type, message, stack, code } = failure
  const error = type === 'unavailable' ? new DatabaseUnavailable(message) : new Error(message)
  return Object.assign(error, stack !== undefined && { stack }, code !== undefined && { code })
}
