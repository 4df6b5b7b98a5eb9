import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import { DefaultQueryExecutor, Transaction } from 'kysely'
import { AppError, DatabaseUnavailable } from '../errors.ts'
import type { AnyCommand } from './command.ts'
import type { Tables, Trx } from './schema.ts'
import { ConnectionDialect, SqliteConnection } from './sqlite-connection.ts'
import type { WriteError, WriteReply, WriteRequest, WriterData, WriterMessage } from './sqlite-writer.ts'

/** Milliseconds to wait while another process writes. */
const LOCK_TIMEOUT = 5000

/** Most commands that share a transaction: the first of them waits for the last. */
const MAX_GROUP = 100

/** A command that is ready for its transaction. */
type Ready = { readonly id: number } & (
  | { readonly run: (trx: Trx) => Promise<unknown> }
  | { readonly failure: WriteError }
)

/** Main loop of the writer thread: runs all waiting commands in one transaction, then the next. */
export function runCommands(commands: readonly AnyCommand[]): void {
  const port = parentPort
  if (!port) throw new Error('This is the entry of a thread.')
  const { file, isLogged } = workerData as WriterData
  const byName = new Map(commands.map((each) => [each.name, each]))
  const log = isLogged ? (statement: WriterMessage) => port.postMessage(statement) : undefined
  const opened = opener(file, log)

  const ready = async ({ id, command, args }: WriteRequest): Promise<Ready> => {
    try {
      const known = byName.get(command)
      if (!known) throw new Error(`List the command '${command}' in server/src/commands.ts.`)
      // The list of all commands loses the types of arguments; the command's own prepare and run agree on them.
      const prepared = await known.prepare(args as never)
      return { id, run: (trx) => known.run(trx, prepared as never) }
    } catch (error) {
      return { id, failure: failureOf(error) }
    }
  }

  let isRunning = false
  port.on('message', async (first: WriteRequest | 'close') => {
    queue.push(first)
    if (isRunning) return
    isRunning = true
    while (queue.length > 0) {
      receiveWaiting(port)
      const group = takeGroup()
      if (group.length > 0) port.postMessage(await runGroup(opened, await Promise.all(group.map(ready))))
      if (queue[0] === 'close') {
        opened.close()
        return port.close()
      }
    }
    isRunning = false
  })

  const queue: (WriteRequest | 'close')[] = []

  function receiveWaiting(from: MessagePort): void {
    while (queue.length < MAX_GROUP) {
      const received = receiveMessageOnPort(from)
      if (!received) return
      queue.push(received.message)
    }
  }

  function takeGroup(): WriteRequest[] {
    const group: WriteRequest[] = []
    while (group.length < MAX_GROUP && queue.length > 0 && queue[0] !== 'close')
      group.push(queue.shift() as WriteRequest)
    return group
  }
}

type Opened = ReturnType<typeof opener>

/** The thread's connection, opened lazily: a file that cannot be opened now may be usable later. */
function opener(file: string, log: ((statement: WriterMessage) => void) | undefined) {
  let open: { connection: SqliteConnection; trx: Trx } | undefined
  return {
    get(): { connection: SqliteConnection; trx: Trx } {
      if (!open) {
        const connection = new SqliteConnection(file, { timeout: LOCK_TIMEOUT, log })
        open = { connection, trx: transactionOn(connection) }
      }
      return open
    },
    close(): void {
      open?.connection.close()
    },
  }
}

/** A Kysely whose transaction {@link runGroup} begins and commits. */
function transactionOn(connection: SqliteConnection): Trx {
  const dialect = new ConnectionDialect(() => connection)
  const adapter = dialect.createAdapter()
  adapter.direct = connection
  const executor = new DefaultQueryExecutor(dialect.createQueryCompiler(), adapter, {
    provideConnection: (consumer) => consumer(connection),
  })
  return new Transaction<Tables>({ config: { dialect }, dialect, driver: dialect.createDriver(), executor })
}

/** Runs the group in one transaction, with a savepoint each. */
async function runGroup(opened: Opened, group: readonly Ready[]): Promise<WriteReply[]> {
  const replies: WriteReply[] = []
  try {
    const { connection, trx } = opened.get()
    connection.begin()
    try {
      for (const each of group) replies.push(await runOne(connection, trx, each))
      connection.commit()
    } finally {
      connection.rollback()
    }
    return replies
  } catch (error) {
    const failure = failureOf(error)
    return group.map((each) => ({ id: each.id, failure: 'failure' in each ? each.failure : failure }))
  }
}

/** Runs one command in a savepoint. Throws if its error has ended the whole transaction. */
async function runOne(connection: SqliteConnection, trx: Trx, ready: Ready): Promise<WriteReply> {
  if ('failure' in ready) return ready
  connection.run('savepoint command')
  try {
    const result = await ready.run(trx)
    connection.run('release command')
    return { id: ready.id, result }
  } catch (error) {
    // SQLite has rolled back the whole transaction, as it does on a full disk.
    if (!connection.inTransaction) throw error
    connection.run('rollback to command')
    connection.run('release command')
    return { id: ready.id, failure: failureOf(error) }
  }
}

function failureOf(error: unknown): WriteError {
  if (error instanceof AppError) {
    const { code, fields, retryAfter } = error
    return { type: 'app', error: { code, fields, retryAfter } }
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error))
  return { type: error instanceof DatabaseUnavailable ? 'unavailable' : 'bug', message, stack }
}
