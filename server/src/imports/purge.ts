import { OPERATION_DAYS } from '@kopilka/contract/limits.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import { withdrawOldJobs } from '../jobs/queue.ts'
import { deleteRows, failImport, type ImportKey, READ_JOBS } from './store.ts'

const DAY = 24 * 60 * 60_000
/** How long an import is kept, and how long one may be read before its server counts as gone. */
const KEPT_FOR = OPERATION_DAYS * DAY
const READ_FOR = DAY

/** Removes an import whose entries are deleted. */
export const removeImport = command('imports.remove', async (trx, { owner_id, id }: ImportKey) => {
  await trx.deleteFrom('imports').where('owner_id', '=', owner_id).where('id', '=', id).execute()
})

/**
 * Ends the owner's imports that nobody reads any more, with the jobs that no other server can do, and removes those that are
 * older than they are kept.
 */
export async function purgeImports(db: Database, owner_id: string, now: number): Promise<void> {
  const old = await db
    .selectFrom('imports')
    .select(['id', 'state', 'created_at'])
    .where('owner_id', '=', owner_id)
    .where('created_at', '<=', now - READ_FOR)
    .where('state', '!=', 'running')
    .execute()
  if (old.length > 0) await db.write(withdrawOldJobs, { owner_id, kinds: READ_JOBS, until: now - READ_FOR })
  for (const { id, state, created_at } of old) {
    const key = { owner_id, id }
    if (state === 'reading') await db.write(failImport, { ...key, error: 'importLost' })
    if (created_at > now - KEPT_FOR) continue
    while (await db.write(deleteRows, key));
    await db.write(removeImport, key)
  }
}
