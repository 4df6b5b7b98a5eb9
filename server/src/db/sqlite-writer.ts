import { DatabaseUnavailable } from '../errors.ts'
import { createPool, ThreadEnded } from '../threads/pool.ts'
import type { StatementLog, Writer } from './dialect.ts'
import { noteDamage } from './sqlite-connection.ts'

/** Where the thread begins: it joins the commands with db/sqlite-commands.ts. */
const ENTRY = new URL('../writer.ts', import.meta.url)

/** Milliseconds without a command after which the thread ends: it takes some 25 MB, and a tenth of a second to start. */
const IDLE = 5 * 60_000

/** Commands that share a transaction at most: the first of them waits for the last. */
const MAX_GROUP = 100

/** What the thread is started with. */
export interface WriterData {
  readonly file: string
  /** Whether the statements are to be reported. */
  readonly isLogged: boolean
}

/** A message to the thread: run this command. */
export interface WriteRequest {
  readonly command: string
  readonly args: unknown
}

/**
 * Runs the commands of a SQLite database in a thread, so that waiting for another process's lock or for the disk blocks
 * nothing else. The thread starts with the first command; one that dies, or ended when it was idle, is replaced.
 */
export function createSqliteWriter(
  file: string,
  { log, entry = ENTRY, idle = IDLE }: { log?: StatementLog | undefined; entry?: URL; idle?: number } = {},
): Writer {
  const data: WriterData = { file, isLogged: log !== undefined }
  const pool = createPool(entry, { threads: 1, tasksPerThread: MAX_GROUP, idle, data, onReport: log })
  let isStarted = false

  return {
    async write(command, args) {
      isStarted = true
      const request: WriteRequest = { command, args }
      return pool.run('write', request).catch((error: unknown) => {
        noteDamage(file, error)
        throw error instanceof ThreadEnded ? new DatabaseUnavailable(error.message, { cause: error }) : error
      })
    },

    async close() {
      if (isStarted) await pool.run('close')
      isStarted = false
      await pool.close()
    },
  }
}
