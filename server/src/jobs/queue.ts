import { endsWithin } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Db, JobsTable, Trx } from '../db/schema.ts'

/** Work that waits in the database: it outlives a restart, and every server on the database may do it. */
export type Job = Pick<JobsTable, 'owner_id' | 'id' | 'kind' | 'payload' | 'attempts' | 'created_at'>

/** A job is due at most this many milliseconds ahead, and a lease lasts at most as long. */
export const LONGEST_DELAY = 24 * 60 * 60_000

/** Adds a job that is due at once. `owner_id` may be nobody's, which its handler has to find out. */
export async function enqueue(
  trx: Trx,
  { now, ...job }: Pick<Job, 'owner_id' | 'id' | 'kind' | 'payload'> & { now: number },
): Promise<void> {
  await trx
    .insertInto('jobs')
    .values({ ...job, attempts: 0, run_at: now, leased_until: 0, created_at: now })
    .execute()
}

/** Takes back the owner's jobs of a kind, also one under way: {@link isClaimed} tells its handler. */
export async function withdrawJobs(trx: Trx, owner_id: string, kind: string): Promise<void> {
  await trx.deleteFrom('jobs').where('owner_id', '=', owner_id).where('kind', '=', kind).execute()
}

/** Whether the attempt is still ours: the job was not withdrawn, and nobody else has begun another. */
export async function isClaimed(
  trx: Trx,
  { owner_id, id, attempts }: Pick<Job, 'owner_id' | 'id' | 'attempts'>,
): Promise<boolean> {
  const job = await trx
    .selectFrom('jobs')
    .select('id')
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .forUpdate()
    .executeTakeFirst()
  return job !== undefined
}

/** The next job of the kind that is due. A time further ahead than any can be was written by a clock that was wrong. */
export async function findDueJob(db: Db, kind: string, now: number): Promise<Job | undefined> {
  const { after, until } = endsWithin(now, LONGEST_DELAY)
  return db
    .selectFrom('jobs')
    .select(['owner_id', 'id', 'kind', 'payload', 'attempts', 'created_at'])
    .where('kind', '=', kind)
    .where(({ eb, or }) => or([eb('run_at', '<=', after), eb('run_at', '>', until)]))
    .where(({ eb, or }) => or([eb('leased_until', '<=', after), eb('leased_until', '>', until)]))
    .orderBy('run_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

const attemptOf = (trx: Trx, { owner_id, id, attempts }: Job) =>
  trx
    .updateTable('jobs')
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .where('attempts', '=', attempts)

/** Begins an attempt that is nobody else's until the lease ends. False where another server was quicker. */
export const claimJob = command(
  'jobs.claim',
  async (trx, { job, leased_until }: { job: Job; leased_until: number }) => {
    const { numUpdatedRows } = await attemptOf(trx, job)
      .set({ attempts: job.attempts + 1, leased_until })
      .executeTakeFirst()
    return numUpdatedRows > 0n
  },
)

/** The job is due again at `run_at`. */
export const postponeJob = command(
  'jobs.postpone',
  async (trx, { job, run_at }: { job: Job; run_at: number }) => {
    await attemptOf(trx, job).set({ run_at, leased_until: 0 }).execute()
  },
)

/** The job is done, or given up. */
export const deleteJob = command('jobs.delete', async (trx, { owner_id, id, attempts }: Job) => {
  await trx
    .deleteFrom('jobs')
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .execute()
})
