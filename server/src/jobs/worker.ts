import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/open.ts'
import { DatabaseUnavailable } from '../errors.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import { attemptsOf, claimJob, deleteJob, hasDueJob, type Job, LONGEST_DELAY, postponeJob } from './queue.ts'

/** Milliseconds between checks of the queue: jobs become due, and other servers may have died. */
const POLL_INTERVAL = 5000
/** Milliseconds that closing waits for running attempts. */
const CLOSE_TIMEOUT = 1000
/** Most attempts at a job, whatever its age: a wrong clock may have dated it. */
const MAX_ATTEMPTS = 100

/** Handles a kind of job. Times are in milliseconds. */
export interface JobHandler {
  /**
   * Makes an attempt. Throws {@link JobRejected} if retrying is useless, {@link JobDeferred} if only this job has to wait, and
   * {@link JobYields} to let others come first; after any other error all jobs of the kind wait. Where the database was away it
   * counts as no attempt. `signal` aborts on timeout and when the server closes.
   */
  readonly run: (job: Job, signal: AbortSignal) => Promise<void>
  /** Time limit of an attempt. A job whose server died is due again after twice as long. */
  readonly timeout: number
  /**
   * Milliseconds after which a job whose server died is due again, where that is not twice the time limit: the handler
   * renews the lease with `renewLease` (queue.ts).
   */
  readonly lease?: number
  /** Most jobs of the kind at a time on this server; absent: one. */
  readonly concurrency?: number
  /** Of each owner one at a time, so that one with many does not hold up others. */
  readonly onePerOwner?: boolean
  /** A kind of jobs: an owner who has one of them waits with his jobs of this kind until it is done. */
  readonly behind?: string
  /** Delay after each failed attempt; the last one repeats. */
  readonly backoff: readonly [number, ...number[]]
  /** Age at which a failing job is given up. */
  readonly giveUpAfter: number
}

/** The job can never be done. */
export class JobRejected extends Error {
  override name = 'JobRejected'
}

/** The job cannot be done now; others of its kind may. */
export class JobDeferred extends Error {
  override name = 'JobDeferred'
}

/** The job goes on once the others of its kind that wait have run. It counts as no attempt. */
export class JobYields extends Error {
  override name = 'JobYields'
}

interface Dependencies {
  db: Database
  clock: Clock
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>
  /** By kind of job. */
  handlers: Readonly<Record<string, JobHandler>>
}

/** Runs queued jobs: of each kind one at a time, or as many as its handler says. */
export function createJobWorker({ db, clock, log, handlers }: Dependencies) {
  const poller = createPoller(db)
  const workers = Object.entries(handlers).flatMap(([kind, handler]) =>
    Array.from({ length: handler.concurrency ?? 1 }, () =>
      createKindWorker(kind, handler, { db, clock, log, poller }),
    ),
  )
  let timer: NodeJS.Timeout | undefined

  /** Checks the queue now. Called once a job is committed. */
  function wake(): void {
    for (const worker of workers) worker.wake()
  }

  return {
    wake,

    start(): void {
      timer = setInterval(wake, POLL_INTERVAL)
      wake()
    },

    /** Waits for running attempts, and aborts those that take long: the next server repeats them. */
    async close(): Promise<void> {
      clearInterval(timer)
      poller.close()
      await Promise.all(workers.map((worker) => worker.close()))
    },
  }
}

/**
 * Looks for due jobs, for all kinds one after the other. On Citus a look asks every machine: while one is silent, it keeps its
 * connection until the statement times out, and many polls at a time would keep those of all requests.
 */
function createPoller(db: Database) {
  const one = createConcurrencyLimit({ total: 1, perOwner: 1 })
  let isFailing = false
  let isClosed = false
  return {
    isDue: (due: Parameters<typeof hasDueJob>[1]): Promise<boolean> =>
      one.run('', async () => {
        const isDue = !isClosed && (await hasDueJob(db, due))
        isFailing = false
        return isDue
      }),

    /** From now on nothing is due. */
    close(): void {
      isClosed = true
    },

    /** Whether it is the first failure in a row: each kind fails, every few seconds. */
    failed(): boolean {
      const isFirst = !isFailing
      isFailing = true
      return isFirst
    },
  }
}

function createKindWorker(
  kind: string,
  { run, timeout, lease = 2 * timeout, onePerOwner, behind, backoff, giveUpAfter }: JobHandler,
  { db, clock, log, poller }: Omit<Dependencies, 'handlers'> & { poller: ReturnType<typeof createPoller> },
) {
  const ending = new AbortController()
  let closing = false
  let round: Promise<void> | undefined
  let wokenAgain = false

  async function claim(): Promise<Job | undefined> {
    const now = clock()
    const due = { kind, now, onePerOwner, behind }
    // Looked up first: an idle server writes nothing.
    if (!(await poller.isDue(due))) return undefined
    return db.write(claimJob, { ...due, leased_until: now + lease })
  }

  /** Resolves to false if other jobs of the kind must wait as well. */
  async function attempt(job: Job): Promise<boolean> {
    const { id } = job
    try {
      await run(job, AbortSignal.any([ending.signal, AbortSignal.timeout(timeout)]))
    } catch (error) {
      return await fail(job, error)
    }
    await db.write(deleteJob, job)
    log.info({ job: id, kind, attempts: attemptsOf(job) }, 'job done')
    return true
  }

  async function fail(job: Job, error: unknown): Promise<boolean> {
    const { id, created_at } = job
    const attempts = attemptsOf(job)
    const now = clock()
    if (ending.signal.aborted) {
      await db.write(postponeJob, { job, run_at: now })
      return false
    }
    if (error instanceof JobYields) {
      await db.write(postponeJob, { job, run_at: now, counts: false })
      return true
    }
    const because = error instanceof Error ? error.message : 'unknown'
    const delay = Math.min(backoff[Math.min(attempts, backoff.length) - 1] ?? backoff[0], LONGEST_DELAY)
    const isTooOld = now + delay - created_at > giveUpAfter || attempts >= MAX_ATTEMPTS
    if (error instanceof JobRejected || isTooOld) {
      await db.write(deleteJob, job)
      log.warn({ job: id, kind, attempts, because }, 'job given up')
      return true
    }
    const counts = !(error instanceof DatabaseUnavailable)
    await db.write(postponeJob, { job, run_at: now + delay, counts })
    log.warn({ job: id, kind, attempts, because, seconds: delay / 1000 }, 'job failed, to be tried again')
    return error instanceof JobDeferred
  }

  async function runAll(): Promise<void> {
    try {
      do {
        wokenAgain = false
        for (;;) {
          if (closing) return
          const job = await claim()
          if (!job) break
          if (!(await attempt(job))) return
        }
      } while (wokenAgain)
    } catch (error) {
      // The database is unavailable: the next poll tries again.
      const because = error instanceof Error ? error.name : 'unknown'
      if (poller.failed()) log.warn({ kind, because }, 'jobs wait')
    }
  }

  return {
    wake(): void {
      if (closing) return
      wokenAgain = true
      round ??= runAll().finally(() => {
        round = undefined
      })
    },

    async close(): Promise<void> {
      closing = true
      const waited = new AbortController()
      await Promise.race([round, sleep(CLOSE_TIMEOUT, undefined, { signal: waited.signal }).catch(() => {})])
      waited.abort()
      ending.abort()
      await round
    },
  }
}
