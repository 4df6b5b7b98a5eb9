import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Clock, isOver } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Trx } from '../db/schema.ts'
import { type Attempt, hasDueJob, renewLease } from '../jobs/queue.ts'
import { type JobHandler, JobYields } from '../jobs/worker.ts'
import { BETWEEN_STEPS, forgetTermsSoon } from '../operations/maintenance.ts'
import { searchIndexOf } from '../search/index.ts'

/** The kind of the jobs that delete what closed accounts hold. */
export const ERASE_ACCOUNT = 'erase-account'

/** The payload of such a job. `recipient`: a key of jobs/mail/outbox.ts. */
export interface ErasePayload {
  recipient?: string | undefined
}

const MINUTE = 60_000
/** How long an account is erased before others that wait: who deletes a small one waits for the end of it. */
const TURN = 1_000
/** Milliseconds after which another server goes on where one died. */
const LEASE = MINUTE

/** Rows that one step deletes. */
const STEP = 200

/**
 * The tables of an account by the column that tells its rows apart, in the order in which they are emptied: what refers to
 * other rows comes first, because a cascade would take any number of them at once. `items` is emptied with its index. Of
 * pictures the chunks of one are deleted at a time: they are megabytes. {@link eraseNamed} empties `file_items`.
 */
const TABLES: readonly (readonly [table: string, key: string, step?: number])[] = [
  ['operation_items', 'item_id'],
  ['import_rows', 'seq'],
  ['imports', 'id'],
  ['trash', 'item_id'],
  ['changes', 'seq'],
  ['operations', 'id'],
  ['file_chunks', 'file_id', 1],
  ['files', 'id'],
  ['items', 'id'],
  ['duplicates', 'identity_key'],
  ['tags', 'id'],
  ['search_removals', 'id'],
  ['search_forms', 'form'],
  ['import_rows', 'seq'],
  ['imports', 'id'],
  ['idempotency_keys', 'key_hash'],
  ['linkding_ids', 'number'],
]

/**
 * Deletes some of what is kept of which item named which picture. Neither tells a row apart: each may have thousands. Resolves
 * to whether there was any.
 */
async function eraseNamed(trx: Trx, owner_id: string): Promise<boolean> {
  const rows = await trx
    .selectFrom('file_items')
    .select(['item_id', 'file_id'])
    .where('owner_id', '=', owner_id)
    .orderBy('item_id')
    .limit(STEP)
    .execute()
  for (const [item_id, named] of Map.groupBy(rows, (row) => row.item_id))
    await trx
      .deleteFrom('file_items')
      .where('owner_id', '=', owner_id)
      .where('item_id', '=', item_id)
      .where(
        'file_id',
        'in',
        named.map(({ file_id }) => file_id),
      )
      .execute()
  return rows.length > 0
}

interface Step {
  attempt: Attempt
  now: number
}

/** Deletes some of what a closed account holds, the account last. Resolves to whether there is more. */
export const eraseStep = command(
  'accounts.erase-step',
  async (trx, { attempt, now }: Step): Promise<boolean> => {
    const { owner_id } = attempt
    if (!(await renewLease(trx, attempt, now + LEASE))) return false
    if (await eraseNamed(trx, owner_id)) return true
    for (const [table, key, step = STEP] of TABLES) {
      const { rows } = await sql<{ key: string }>`select ${sql.ref(key)} as key from ${sql.table(table)}
      where owner_id = ${owner_id} limit ${sql.lit(step)}`.execute(trx)
      if (rows.length === 0) continue
      const keys = rows.map((row) => row.key)
      if (table === 'items') await searchIndexOf(trx).deleteMany(trx, owner_id, keys)
      await sql`delete from ${sql.table(table)}
      where owner_id = ${owner_id} and ${sql.ref(key)} in (${sql.join(keys)})`.execute(trx)
      return true
    }
    // What a request has written that had begun before, goes with the account.
    await trx.deleteFrom('users').where('owner_id', '=', owner_id).where('password_hash', '=', '').execute()
    await forgetTermsSoon(trx, now)
    return false
  },
)

interface Dependencies {
  db: Database
  clock: Clock
  /** Removes the file of an import, which is in no table. */
  removeUpload: (import_id: string) => Promise<void>
  /** Removes the messages to a recipient that lie in a folder because there is no mail server. */
  removeMail: (recipient: string) => Promise<void>
  /** Wakes the workers of the job queue. */
  wakeJobs: () => void
}

/** Deletes what a closed account holds, in steps that hold nobody up. */
export const eraseAccountHandler = ({
  db,
  clock,
  removeUpload,
  removeMail,
  wakeJobs,
}: Dependencies): JobHandler => ({
  timeout: 30 * MINUTE,
  lease: LEASE,
  backoff: [1000, MINUTE, 60 * MINUTE],
  giveUpAfter: Number.POSITIVE_INFINITY,
  async run({ owner_id, id, kind, attempts, payload }, signal) {
    const until = clock() + TURN
    const { recipient }: ErasePayload = JSON.parse(payload === '' ? '{}' : payload)
    if (recipient !== undefined) await removeMail(recipient)
    const imports = await db.selectFrom('imports').select('id').where('owner_id', '=', owner_id).execute()
    for (const one of imports) await removeUpload(one.id)
    const attempt = { owner_id, id, attempts }
    while (await db.write(eraseStep, { attempt, now: clock() })) {
      signal.throwIfAborted()
      const now = clock()
      if (isOver(until, now, TURN) && (await hasDueJob(db, { kind, now }))) throw new JobYields()
      await sleep(BETWEEN_STEPS)
    }
    // One may have been under way.
    if (recipient !== undefined) await removeMail(recipient)
    wakeJobs()
  },
})
