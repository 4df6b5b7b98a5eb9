import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { JobHandler } from '../jobs/worker.ts'
import { endOf, historyOf, ownersOver, purgeOld, trimHistory } from './history.ts'
import { ATTEMPTS, BETWEEN_STEPS, enqueueOnce } from './maintenance.ts'
import { clearTrash } from './purge.ts'
import { resumeAbandoned, tasksUnderWay } from './running.ts'

/** The kind of the job that removes what is older than it is kept. */
export const PURGE = 'purge'

const DAY = 24 * 60 * 60_000
/** Milliseconds between two purges, and between two looks whether somebody has more than is allowed. */
const INTERVAL = DAY / 2
const LOOK_EVERY = 10 * 60_000
/** Milliseconds after the start until the first: a server that starts has other things to do. */
const FIRST = 60_000

export const schedulePurge = command('operations.schedule-purge', (trx, { now }: { now: number }) =>
  enqueueOnce(trx, PURGE, now),
)

interface Dependencies {
  db: Database
  clock: Clock
  config: Pick<Config, 'TRASH_DAYS'>
  /** Purges what else an owner has. */
  purgeMore: (owner_id: string, now: number, signal: AbortSignal) => Promise<void>
}

/**
 * Purges the trash, the operations and the versions of all owners, one after the other, and has jobs finish the operations that
 * have none any more. Throws the first error once all have run: what fails for one owner holds up no other. An attempt
 * that comes to no end is followed by one that begins with the next owner.
 */
export function purgeHandler({ db, clock, config: { TRASH_DAYS }, purgeMore }: Dependencies): JobHandler {
  /** The owner who last had his turn. */
  let last = ''

  async function purge(owner_id: string, now: number, signal: AbortSignal): Promise<void> {
    const until = now - TRASH_DAYS * DAY
    const isWanted = async () => {
      signal.throwIfAborted()
      // What is being undone or restored may need it: the next purge takes it.
      return (await tasksUnderWay(db, owner_id)).length === 0
    }
    if (TRASH_DAYS > 0) await clearTrash(db, { owner_id, session_id: null, now }, { until, isWanted })
    await purgeOld(db, { owner_id, now }, signal)
    // Last: what fails again and again leaves the trash to every second purge.
    await db.write(resumeAbandoned, { owner_id, now })
    await purgeMore(owner_id, now, signal)
  }

  return {
    ...ATTEMPTS,
    async run(_, signal) {
      const now = clock()
      const failures: unknown[] = []
      for await (const owner_id of ownersFrom(db, last)) {
        signal.throwIfAborted()
        last = owner_id
        await purge(owner_id, now, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          if (failures.length === 0) failures.push(error)
        })
      }
      if (failures.length > 0) throw failures[0]
    },
  }
}

/** The kind of the job that trims what takes more room than it may. */
export const TRIM = 'trim'

/** Part of what may be kept down to which history is trimmed, so that the next save does not exceed it again. */
const LEFT = 0.9

export const scheduleTrim = command('operations.schedule-trim', (trx, { now }: { now: number }) =>
  enqueueOnce(trx, TRIM, now),
)

type TrimDependencies = Pick<Dependencies, 'db' | 'clock'> & { config: Pick<Config, 'HISTORY_PER_USER'> }

/**
 * Trims the history of each owner who has more than is allowed, in steps that hold nobody up: the oldest first of what is not in the
 * trash, and then of the trash. Logs what fails for an owner, and goes on: the next look finds him again.
 */
export function trimHandler({
  db,
  clock,
  config: { HISTORY_PER_USER },
  log,
}: TrimDependencies & { log: Pick<FastifyBaseLogger, 'warn'> }): JobHandler {
  const most = Math.floor(HISTORY_PER_USER * LEFT)

  async function trim(owner_id: string, signal: AbortSignal): Promise<void> {
    for (let from: number | undefined = 0; from !== undefined; ) {
      signal.throwIfAborted()
      from = await db.write(trimHistory, { owner_id, most, from })
      if (from !== undefined) await sleep(BETWEEN_STEPS)
    }
    const isWanted = async () => {
      signal.throwIfAborted()
      // What is under way kept the rest of the history from being trimmed: the trash waits for its end.
      if (Number.isFinite(await endOf(db, owner_id))) return false
      return (await historyOf(db, owner_id)) > most
    }
    await clearTrash(db, { owner_id, session_id: null, now: clock() }, { isWanted })
  }

  return {
    ...ATTEMPTS,
    async run(_, signal) {
      for await (const owner_id of ownersOver(db, HISTORY_PER_USER))
        await trim(owner_id, signal).catch((error: unknown) => {
          signal.throwIfAborted()
          log.warn(
            { owner: owner_id, because: error instanceof Error ? error.message : 'unknown' },
            'history not trimmed',
          )
        })
    },
  }
}

/** All owners, beginning after one of them. */
async function* ownersFrom(db: Database, start: string): AsyncGenerator<string> {
  for (let id = await ownerAfter(db, start); id; id = await ownerAfter(db, id)) yield id
  for (let id = await ownerAfter(db, ''); id && id <= start; id = await ownerAfter(db, id)) yield id
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

/** Schedules a purge a minute after the start, and twice a day; and a trim where somebody has more than is allowed. */
export function createPurgeTimer({
  db,
  clock,
  config: { HISTORY_PER_USER },
  wakeJobs,
}: TrimDependencies & { wakeJobs: () => void }) {
  let timer: NodeJS.Timeout | undefined
  let looks: NodeJS.Timeout | undefined
  let looking: Promise<void> | undefined
  async function schedule(): Promise<void> {
    timer = setTimeout(schedule, INTERVAL)
    // A database that is away is asked again the next time.
    await db.write(schedulePurge, { now: clock() }).then(wakeJobs, () => {})
  }
  async function look(): Promise<void> {
    for await (const _ of ownersOver(db, HISTORY_PER_USER)) {
      await db.write(scheduleTrim, { now: clock() })
      return wakeJobs()
    }
  }
  return {
    start(): void {
      timer = setTimeout(schedule, FIRST)
      looks = setInterval(() => {
        looking ??= look()
          .catch(() => {})
          .finally(() => {
            looking = undefined
          })
      }, LOOK_EVERY)
    },
    async close(): Promise<void> {
      clearTimeout(timer)
      clearInterval(looks)
      await looking
    },
  }
}
