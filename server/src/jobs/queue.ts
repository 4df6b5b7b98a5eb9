import { type ExpressionBuilder, sql } from 'kysely'
import { endsWithin } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Db, JobsTable, Tables, Trx } from '../db/schema.ts'
import { fullTextOf, statement, type Value } from '../db/statement.ts'

/** A job stored in the database: it survives a restart, and any server on the database may run it. */
export type Job = Pick<JobsTable, 'owner_id' | 'id' | 'kind' | 'payload' | 'attempts' | 'created_at'>

/** An attempt at a job. */
export type Attempt = Pick<Job, 'owner_id' | 'id' | 'attempts'>

/** Longest delay of a job and longest lease, in milliseconds. */
export const LONGEST_DELAY = 24 * 60 * 60_000

/** Adds a job that is due at `run_at`, or at once. `owner_id` may belong to no user; the handler has to check. */
export async function enqueue(
  trx: Trx,
  {
    now,
    run_at = now,
    ...job
  }: Pick<Job, 'owner_id' | 'id' | 'kind' | 'payload'> & { now: number; run_at?: number },
): Promise<void> {
  await trx
    .insertInto('jobs')
    .values({ ...job, attempts: 0, run_at, leased_until: 0, created_at: now })
    .execute()
}

/** Deletes a job, as {@link withdrawJobs} does. */
export async function withdrawJob(trx: Trx, { owner_id, id }: Pick<Job, 'owner_id' | 'id'>): Promise<void> {
  await trx.deleteFrom('jobs').where('owner_id', '=', owner_id).where('id', '=', id).execute()
}

const dueAt = statement((db, value: Value<Pick<Job, 'owner_id' | 'id'> & { run_at: number }>) =>
  db
    .updateTable('jobs')
    .set({ run_at: value('run_at') })
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

/** Makes a job due at another time; one that is under way goes on. */
export async function reschedule(
  trx: Trx,
  job: Pick<Job, 'owner_id' | 'id'> & { run_at: number },
): Promise<void> {
  await dueAt(trx, job)
}

/** What a turn adds to the number of a claim: no two claims of a job have the same one, so that a late one changes nothing. */
const TURN = 1000

const setDueAgain = statement(
  (db, value: Value<Pick<Job, 'owner_id' | 'id'> & { run_at: number; turn: number }>) =>
    db
      .updateTable('jobs')
      .set(({ eb }) => ({
        run_at: value('run_at'),
        leased_until: 0,
        attempts: eb('attempts', '+', value('turn')),
        created_at: value('run_at'),
      }))
      .where('owner_id', '=', value('owner_id'))
      .where('id', '=', value('id'))
      .where('leased_until', '>', 0),
)

/** Makes a job that is under way due again at `run_at`, however the attempt ends. Changes nothing of one that waits. */
export const dueAgain = (
  trx: Trx,
  job: Pick<Job, 'owner_id' | 'id'> & { run_at: number },
): Promise<unknown> => setDueAgain(trx, { ...job, turn: TURN - 1 })

/** When a job is due, and until when someone runs it. */
export const timesOf = statement((db, value: Value<Pick<Job, 'owner_id' | 'id'>>) =>
  db
    .selectFrom('jobs')
    .select(['run_at', 'leased_until'])
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

/** All jobs of a kind, due or not. */
export const jobsOf = (
  db: Db,
  kind: string,
): Promise<(Pick<Job, 'owner_id' | 'id'> & { run_at: number })[]> =>
  db
    .selectFrom('jobs')
    .select(['owner_id', 'id', 'run_at'])
    .where('kind', '=', kind)
    .orderBy('created_at')
    .execute()

/** Deletes the owner's jobs of a kind, also a running one, whose handler learns of it from {@link isClaimed}. */
export async function withdrawJobs(trx: Trx, owner_id: string, kind: string): Promise<void> {
  await trx.deleteFrom('jobs').where('owner_id', '=', owner_id).where('kind', '=', kind).execute()
}

/** Deletes jobs of the owner that were enqueued up to a time, of the kinds that begin with `kinds`. */
export const withdrawOldJobs = command(
  'jobs.withdraw-old',
  async (trx, { owner_id, kinds, until }: { owner_id: string; kinds: string; until: number }) => {
    await trx
      .deleteFrom('jobs')
      .where('owner_id', '=', owner_id)
      .where('kind', 'like', `${kinds}%`)
      .where('created_at', '<=', until)
      .execute()
  },
)

/** Whether the attempt is still valid: the job was not withdrawn, and no other server has begun another attempt. */
export async function isClaimed(
  trx: Trx,
  { owner_id, id, attempts }: Pick<Job, 'owner_id' | 'id' | 'attempts'>,
): Promise<boolean> {
  const job = await trx
    .selectFrom('jobs')
    .select('id')
    .where(({ and }) => and({ owner_id, id, attempts }))
    .forUpdate()
    .executeTakeFirst()
  return job !== undefined
}

const renew = statement((db, value: Value<Attempt & { leased_until: number }>) =>
  db
    .updateTable('jobs')
    .set({ leased_until: value('leased_until') })
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id'))
    .where('attempts', '=', value('attempts'))
    .returning('id'),
)

/** Renews the lease of a job; resolves to whether the attempt is still valid, as {@link isClaimed}. */
export const renewLease = async (trx: Trx, attempt: Attempt, leased_until: number): Promise<boolean> =>
  (await renew(trx, { ...attempt, leased_until })).length > 0

/**
 * Which jobs are wanted. `onePerOwner`: none of an owner who has another one of the kind under way. `behind`: none of an owner who
 * has a job of that kind, whether or not it is under way.
 */
interface Due {
  kind: string
  now: number
  onePerOwner?: boolean | undefined
  behind?: string | undefined
}

/** Whether a time of a job is over. One further ahead than any can be was written by a clock that was wrong. */
function hasPassed(column: 'run_at' | 'leased_until', now: number) {
  const { after, until } = endsWithin(now, LONGEST_DELAY)
  return ({ eb, or }: ExpressionBuilder<Tables, 'jobs'>) =>
    or([eb(column, '<=', after), eb(column, '>', until)])
}

/** The jobs that are due. */
function dueJobs(db: Db, { kind, now, onePerOwner = false, behind }: Due) {
  const { after, until } = endsWithin(now, LONGEST_DELAY)
  return db
    .selectFrom('jobs')
    .select(['owner_id', 'id', 'kind', 'payload', 'attempts', 'created_at'])
    .where('kind', '=', kind)
    .where(hasPassed('run_at', now))
    .where(hasPassed('leased_until', now))
    .$if(onePerOwner, (jobs) =>
      jobs.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('jobs as other')
              .select('other.id')
              .whereRef('other.owner_id', '=', 'jobs.owner_id')
              .where('other.kind', '=', kind)
              .where('other.leased_until', '>', after)
              .where('other.leased_until', '<=', until),
          ),
        ),
      ),
    )
    .$if(behind !== undefined, (jobs) =>
      jobs.where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('jobs as other')
              .select('other.id')
              .whereRef('other.owner_id', '=', 'jobs.owner_id')
              .where('other.kind', '=', behind ?? ''),
          ),
        ),
      ),
    )
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
}

/** Whether a job is due. */
export const hasDueJob = async (db: Db, due: Due): Promise<boolean> =>
  (await dueJobs(db, due).executeTakeFirst()) !== undefined

const attemptOf = (trx: Trx, { owner_id, id, attempts }: Job) =>
  trx.updateTable('jobs').where(({ and }) => and({ owner_id, id, attempts }))

/** Jobs that others have claimed first, after which a server waits for the next time. */
const LOST_AT_MOST = 10

/**
 * Begins an attempt at the next job that is due, which is nobody else's until the lease ends. No row is locked to be read:
 * jobs of all owners lie on all machines of a Citus cluster, which refuses that. The update, of one owner's row, tells
 * whether the job is still due.
 */
export const claimJob = command(
  'jobs.claim',
  async (trx, { leased_until, ...due }: Due & { leased_until: number }): Promise<Job | undefined> => {
    // A concurrent claim would not see the lease of a job that is not committed yet.
    if (due.onePerOwner && fullTextOf(trx) === 'tsvector')
      await sql`select pg_advisory_xact_lock(hashtext(${due.kind}))`.execute(trx)
    for (let lost = 0; lost < LOST_AT_MOST; lost += 1) {
      const job = await dueJobs(trx, due).executeTakeFirst()
      if (!job) return undefined
      const attempts = job.attempts + 1
      const { numUpdatedRows } = await attemptOf(trx, job)
        .where(hasPassed('run_at', due.now))
        .where(hasPassed('leased_until', due.now))
        .set({ attempts, leased_until })
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return { ...job, attempts }
    }
    return undefined
  },
)

/** How many attempts at a job were made; yielding is none. */
export const attemptsOf = ({ attempts }: Pick<Job, 'attempts'>): number => attempts % TURN

/** Makes the job due again at `run_at`. `counts`: whether this was an attempt, or a turn. */
export const postponeJob = command(
  'jobs.postpone',
  async (trx, { job, run_at, counts = true }: { job: Job; run_at: number; counts?: boolean }) => {
    const attempts = job.attempts + (counts ? 0 : TURN - 1)
    await attemptOf(trx, job).set({ run_at, leased_until: 0, attempts }).execute()
  },
)

/** Deletes a job that is done or given up. */
export const deleteJob = command('jobs.delete', async (trx, { owner_id, id, attempts }: Job) => {
  await trx
    .deleteFrom('jobs')
    .where(({ and }) => and({ owner_id, id, attempts }))
    .execute()
})
