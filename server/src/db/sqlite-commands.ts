import { workerData } from 'node:worker_threads'
import { DefaultQueryExecutor, Transaction } from 'kysely'
import { DatabaseUnavailable } from '../errors.ts'
import { report, threadTasks } from '../threads/pool.ts'
import type { AnyCommand } from './command.ts'
import type { Tables, Trx } from './schema.ts'
import { ConnectionDialect, loadSqlite, SqliteConnection } from './sqlite-connection.ts'
import type { WriteRequest, WriterData } from './sqlite-writer.ts'

/** Milliseconds to wait while another process writes. */
const LOCK_TIMEOUT = 5000

/** Kilobytes of pages in memory: the indexes of a large account do not fit into the usual 2,000. */
const CACHE = 8_000
/** Four times the usual number: pages that many commits change are copied into the file less often. */
const PAGES_UNTIL_CHECKPOINT = 4_000

/** A command that is ready for its transaction. */
interface Ready {
  readonly isDeferred: boolean
  readonly run: (trx: Trx) => Promise<unknown>
  readonly resolve: (result: unknown) => void
  readonly reject: (error: unknown) => void
}

/** The tasks of the writing thread: commands, of which all that wait share a transaction. */
export function runCommands(commands: readonly AnyCommand[]) {
  const { file, isLogged }: WriterData = workerData
  loadSqlite()
  const byName = new Map(commands.map((each) => [each.name, each]))
  let open: { connection: SqliteConnection; trx: Trx } | undefined
  let waiting: Ready[] = []
  let running: Promise<void> | undefined

  /** Opened when it is needed: a file that cannot be opened now may be later. */
  function opened() {
    if (open) return open
    const connection = new SqliteConnection(file, {
      fileMustExist: true,
      timeout: LOCK_TIMEOUT,
      log: isLogged ? report : undefined,
    })
    connection.run(`pragma cache_size = ${-CACHE}`)
    connection.run(`pragma wal_autocheckpoint = ${PAGES_UNTIL_CHECKPOINT}`)
    open = { connection, trx: transactionOn(connection) }
    return open
  }

  async function runGroups(): Promise<void> {
    // The commands that have come meanwhile are received first.
    await new Promise(setImmediate)
    while (waiting.length > 0) {
      const group = waiting
      waiting = []
      await runGroup(opened, group)
      await new Promise(setImmediate)
    }
    running = undefined
  }

  return threadTasks({
    async write({ command, args }: WriteRequest<never>): Promise<unknown> {
      const known = byName.get(command)
      if (!known) throw new Error(`List the command '${command}' in server/src/commands.ts.`)
      const run = await known.ready(args)
      return new Promise((resolve, reject) => {
        waiting.push({ run, resolve, reject, isDeferred: known.isDeferred ?? false })
        running ??= runGroups()
      })
    },

    /** After the commands that have come before. The last connection to close moves the write-ahead log into the file. */
    async close(): Promise<void> {
      await new Promise(setImmediate)
      await running
      try {
        opened().connection.close()
      } catch (error) {
        if (!(error instanceof DatabaseUnavailable)) throw error
      }
    },
  })
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

/**
 * Runs the group in one transaction, with a savepoint each; settles its commands once it is committed. One that is alone
 * has none: within a savepoint each statement takes longer, the more pages were changed since.
 */
async function runGroup(
  open: () => { connection: SqliteConnection; trx: Trx },
  group: readonly Ready[],
): Promise<void> {
  const settle: (() => void)[] = []
  try {
    const { connection, trx } = open()
    connection.waitForDisk(!group.every(({ isDeferred }) => isDeferred))
    connection.begin()
    try {
      const [first] = group
      if (first && group.length === 1) {
        const result = await first.run(trx)
        settle.push(() => first.resolve(result))
      } else for (const each of group) settle.push(await runOne(connection, trx, each))
      connection.commit()
    } finally {
      connection.rollback()
    }
    for (const each of settle) each()
  } catch (error) {
    for (const { reject } of group) reject(error)
  }
}

/** Runs one command, to be settled later. Throws where all of its transaction is lost with it. */
async function runOne(
  connection: SqliteConnection,
  trx: Trx,
  { run, resolve, reject }: Ready,
): Promise<() => void> {
  connection.run('savepoint command')
  try {
    const result = await run(trx)
    connection.run('release command')
    return () => resolve(result)
  } catch (error) {
    // SQLite has rolled back the whole transaction, as it does on a full disk.
    if (!connection.inTransaction) throw error
    connection.run('rollback to command')
    connection.run('release command')
    return () => reject(error)
  }
}
