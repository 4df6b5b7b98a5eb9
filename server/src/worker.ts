import { workerData } from 'piscina'
import { openReader } from './db/open.ts'
import { DatabaseUnavailable } from './errors.ts'
import { prepareBatch } from './search/indexer.ts'
import { search } from './search/search.ts'
import type { WorkerOptions, WorkerResult, WorkerTask } from './search/worker-pool.ts'
import { threadTask } from './threads/pool.ts'

// Entry of the threads of search/worker-pool.ts.
const { config, logsStatements }: WorkerOptions = workerData

let statements: WorkerResult['statements'][number][] = []
const db = openReader(config, logsStatements ? (statement) => statements.push(statement) : undefined)

/** Tasks by name. Arguments come from this program's own code, so the types of the callers are enough. */
const TASKS: Readonly<Record<string, (args: never) => unknown>> = {
  search: (request: Parameters<typeof search>[1]) => search(db, request),
  prepareBatch: (place: Parameters<typeof prepareBatch>[1]) => prepareBatch(db, place),
}

export const run = threadTask(async ({ name, args }: WorkerTask): Promise<WorkerResult> => {
  statements = []
  const task = TASKS[name]
  if (!task) throw new Error(`There is no task '${name}'.`)
  try {
    return { result: await task(args as never), statements }
  } catch (error) {
    // Errors lose their class between threads: this one travels as its message.
    if (error instanceof DatabaseUnavailable) return { unavailable: error.message, statements }
    throw error
  }
})
