import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { JobHandler } from '../jobs/worker.ts'
import { ATTEMPTS, enqueueOnce } from './maintenance.ts'
import { clearTrash, purgeHistory } from './purge.ts'

/** The kind of the job that removes what is older than it is kept. */
export const PURGE = 'purge'

const DAY = 24 * 60 * 60_000
/** Milliseconds between two purges. */
const INTERVAL = DAY / 2
/** Milliseconds after the start until the first: a server that starts has other things to do. */
const FIRST = 60_000

export const schedulePurge = command('operations.schedule-purge', (trx, { now }: { now: number }) =>
  enqueueOnce(trx, PURGE, now),
)

interface Parts {
  db: Database
  clock: Clock
  config: Pick<Config, 'TRASH_DAYS'>
  /** Purges what else an owner has. */
  purgeMore: (owner_id: string, now: number, signal: AbortSignal) => Promise<void>
}

/**
 * Purges the trash, the operations and the versions of all owners, one after the other. Throws the first error once all have
 * had their turn: what fails for one owner holds up no other.
 */
export function purgeHandler({ db, clock, config: { TRASH_DAYS }, purgeMore }: Parts): JobHandler {
  async function purge(owner_id: string, now: number, signal: AbortSignal): Promise<void> {
    if (TRASH_DAYS > 0) await clearTrash(db, { owner_id, session_id: null, now }, now - TRASH_DAYS * DAY)
    while (await db.write(purgeHistory, { owner_id, now })) signal.throwIfAborted()
    await purgeMore(owner_id, now, signal)
  }

  return {
    ...ATTEMPTS,
    async run(_, signal) {
      const now = clock()
      const failures: unknown[] = []
      for (let owner_id = await ownerAfter(db, ''); owner_id; owner_id = await ownerAfter(db, owner_id)) {
        signal.throwIfAborted()
        await purge(owner_id, now, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          if (failures.length === 0) failures.push(error)
        })
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}

async function ownerAfter(db: Database, owner_id: string): Promise<string | undefined> {
  const next = await db
    .selectFrom('users')
    .select('owner_id')
    .where('owner_id', '>', owner_id)
    .orderBy('owner_id')
    .limit(1)
    .executeTakeFirst()
  return next?.owner_id
}

/** Schedules a purge a minute after the start, and twice a day. */
export function createPurgeTimer({
  db,
  clock,
  wakeJobs,
}: Pick<Parts, 'db' | 'clock'> & { wakeJobs: () => void }) {
  let timer: NodeJS.Timeout | undefined
  async function schedule(): Promise<void> {
    timer = setTimeout(schedule, INTERVAL)
    // A database that is away is asked again the next time.
    await db.write(schedulePurge, { now: clock() }).then(wakeJobs, () => {})
  }
  return {
    start(): void {
      timer = setTimeout(schedule, FIRST)
    },
    close: async (): Promise<void> => clearTimeout(timer),
  }
}
