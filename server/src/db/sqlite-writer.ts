import { DatabaseUnavailable } from '../errors.ts'
import { createPool, ThreadEnded } from '../threads/pool.ts'
import { ownerOf } from './command.ts'
import { noteDamage } from './damage.ts'
import type { StatementLog, Writer } from './dialect.ts'

/** Where the thread begins: it joins the commands with db/sqlite-commands.ts. */
const ENTRY = new URL('../writer.ts', import.meta.url)

/** Milliseconds without a command after which the thread ends: it takes some 25 MB, and a tenth of a second to start. */
const IDLE = 5 * 60_000

/** Commands that share a transaction at most: the first of them waits for the last. */
const MAX_GROUP = 100
/** Of one owner, so that the commands of others need not wait for all of one's. */
const MAX_OF_OWNER = 20

/**
 * The heap of the thread, in megabytes. It holds a group of the largest commands many times over; without a limit V8 lets
 * garbage grow to several times what is in use.
 */
const MEMORY = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 12 }

/** What the thread is started with. */
export interface WriterData {
  readonly file: string
  /** Whether the statements are to be reported. */
  readonly isLogged: boolean
}

/** A message to the thread: run this command. */
export interface WriteRequest<Args = unknown> {
  readonly command: string
  readonly args: Args
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
  const pool = createPool(entry, {
    threads: 1,
    tasksPerThread: MAX_GROUP,
    perOwner: MAX_OF_OWNER,
    ...{ idle, data, memory: MEMORY, onReport: log },
  })
  const running = new Set<Promise<unknown>>()
  let isStarted = false

  return {
    async write(command, args, moved = []) {
      isStarted = true
      const request: WriteRequest = { command, args }
      const done = pool
        .run('write', request, { owner_id: ownerOf(args) ?? '', transfer: moved })
        .catch((error: unknown) => {
          noteDamage(file, error)
          throw error instanceof ThreadEnded
            ? new DatabaseUnavailable(error.message, { cause: error })
            : error
        })
      running.add(done)
      try {
        return await done
      } finally {
        running.delete(done)
      }
    },

    async close() {
      await Promise.allSettled(running)
      if (isStarted) await pool.run('close')
      isStarted = false
      await pool.close()
    },
  }
}
