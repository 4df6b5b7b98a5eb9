import { setTimeout as sleep } from 'node:timers/promises'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Trx } from '../db/schema.ts'
import { dueAgain } from '../jobs/queue.ts'
import type { JobHandler } from '../jobs/worker.ts'
import { searchIndexOf } from '../search/index.ts'
import { cleanVocabulary } from '../search/indexer.ts'

/** Milliseconds between two steps of a large work: waiting writers come first. */
export const BETWEEN_STEPS = 20

/** The owner of jobs that concern the whole database. */
const NOBODY = ''

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

/** How jobs of the whole database are tried. */
export const ATTEMPTS: Omit<JobHandler, 'run'> = {
  timeout: 30 * MINUTE,
  backoff: [MINUTE, 5 * MINUTE, 60 * MINUTE],
  giveUpAfter: DAY,
}

/** Adds a job that concerns the whole database, unless it waits already. */
export async function enqueueOnce(trx: Trx, kind: string, now: number): Promise<void> {
  await trx
    .insertInto('jobs')
    .values({
      ...{ owner_id: NOBODY, id: kind, kind, payload: '' },
      ...{ attempts: 0, run_at: now, leased_until: 0, created_at: now },
    })
    .onConflict((conflict) => conflict.columns(['owner_id', 'id']).doNothing())
    .execute()
}

/** The kind of the job that removes the terms of deleted items from the index of search. */
export const FORGET_TERMS = 'forget-terms'

/** Milliseconds from a deletion until the job runs again, where it is under way: it serves all deletions of that time at once. */
const AGAIN = 5 * MINUTE

/**
 * To be called in the transaction that deletes items for ever. A job that is under way may have passed what is deleted now: it is
 * due again, and its end no longer deletes it.
 */
export async function forgetTermsSoon(trx: Trx, now: number): Promise<void> {
  if (!searchIndexOf(trx).keepsDeletedTerms) return
  await enqueueOnce(trx, FORGET_TERMS, now)
  await dueAgain(trx, { owner_id: NOBODY, id: FORGET_TERMS, run_at: now + AGAIN })
}

export const forgetTerms = command('search.forget-terms', (trx, { isFirst }: { isFirst: boolean }) =>
  searchIndexOf(trx).forgetDeletedTerms(trx, isFirst),
)

/** Removes the terms of deleted items from the index of search, in steps that hold nobody up. */
export const forgetTermsHandler = (db: Database): JobHandler => ({
  ...ATTEMPTS,
  async run(_, signal) {
    await cleanVocabulary(db, signal)
    for (let isFirst = true; await db.write(forgetTerms, { isFirst }); isFirst = false) {
      signal.throwIfAborted()
      await sleep(BETWEEN_STEPS)
    }
  },
})
