import { Worker } from 'node:worker_threads'
import { AppError, DatabaseUnavailable } from '../errors.ts'
import type { StatementLog, Writer } from './dialect.ts'

/** Entry of the thread: runs the loop of db/sqlite-commands.ts with all commands. */
const ENTRY = new URL('../writer.ts', import.meta.url)

/** `workerData` of the thread. */
export interface WriterData {
  readonly file: string
  /** Whether the statements are to be reported. */
  readonly isLogged: boolean
}

/** A message to the thread: run this command. */
export interface WriteRequest {
  readonly id: number
  readonly command: string
  readonly args: unknown
}

/** An error as it crosses threads. */
export type WriteError =
  | { readonly type: 'app'; readonly error: Pick<AppError, 'code' | 'fields' | 'retryAfter'> }
  | { readonly type: 'unavailable' | 'bug'; readonly message: string; readonly stack: string | undefined }

export type WriteReply = { readonly id: number } & (
  | { readonly result: unknown }
  | { readonly failure: WriteError }
)

/** A message from the thread: the results of a group, or a statement that it ran. */
export type WriterMessage = readonly WriteReply[] | Parameters<StatementLog>[0]

interface Waiting {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

/**
 * Runs the commands of a SQLite database in a thread, so that waiting for another process's lock or for the disk blocks
 * nothing else. The thread starts with the first command; one that dies is replaced.
 */
export class SqliteWriter implements Writer {
  readonly #data: WriterData
  readonly #log: StatementLog | undefined
  readonly #entry: URL
  #worker: Worker | undefined
  #waiting = new Map<number, Waiting>()
  #lastId = 0

  constructor(file: string, { log, entry = ENTRY }: { log?: StatementLog | undefined; entry?: URL } = {}) {
    this.#data = { file, isLogged: log !== undefined }
    this.#log = log
    this.#entry = entry
  }

  /** Resolves once the command is committed. */
  write(command: string, args: unknown): Promise<unknown> {
    const worker = this.#worker ?? this.#start()
    return new Promise((resolve, reject) => {
      const id = ++this.#lastId
      const request: WriteRequest = { id, command, args }
      worker.postMessage(request)
      // Keeps the process alive until the command has ended.
      worker.ref()
      this.#waiting.set(id, { resolve, reject })
    })
  }

  /** Ends the thread once all commands given so far have ended. */
  async close(): Promise<void> {
    const worker = this.#worker
    if (!worker) return
    const isClosed = new Promise((resolve) => worker.once('exit', resolve))
    worker.ref()
    worker.postMessage('close')
    await isClosed
  }

  #start(): Worker {
    const worker = new Worker(this.#entry, { workerData: this.#data })
    this.#worker = worker
    const waiting = new Map<number, Waiting>()
    this.#waiting = waiting
    let cause: unknown
    worker.on('message', (message: WriterMessage) => {
      if ('sql' in message) return this.#log?.(message)
      for (const reply of message) settle(waiting, reply)
      if (waiting.size === 0) worker.unref()
    })
    worker.on('error', (error) => {
      cause = error
    })
    worker.on('exit', () => {
      if (this.#worker === worker) this.#worker = undefined
      for (const { reject } of waiting.values())
        reject(new DatabaseUnavailable('The writing thread ended.', { cause }))
      waiting.clear()
    })
    return worker
  }
}

function settle(waiting: Map<number, Waiting>, reply: WriteReply): void {
  const one = waiting.get(reply.id)
  waiting.delete(reply.id)
  if ('failure' in reply) one?.reject(errorOf(reply.failure))
  else one?.resolve(reply.result)
}

function errorOf(failure: WriteError): Error {
  if (failure.type === 'app') {
    const { code, fields, retryAfter } = failure.error
    return new AppError(code, fields, retryAfter)
  }
  const error =
    failure.type === 'unavailable' ? new DatabaseUnavailable(failure.message) : new Error(failure.message)
  return Object.assign(error, failure.stack !== undefined && { stack: failure.stack })
}
