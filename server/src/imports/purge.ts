import { OPERATION_DAYS } from '@kopilka/contract/limits.ts'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import { statement, type Value } from '../db/statement.ts'
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

/** Entries that an import keeps once it is done, the first that it did not save, and imports of an owner that keep any. */
const KEPT_ROWS = 10_000
const KEPT_IMPORTS = 10

/** Imports that are done and have entries, the newest first, each with the number of the first entry that is not kept. */
const doneImports = statement(
  (_, value: Value<{ owner_id: string; limit: number }>) => sql<{ id: string; excess: number | null }>`
    select id, (select seq from import_rows where owner_id = ${value('owner_id')} and import_id = imports.id
      order by seq limit 1 offset ${value('limit')}) as excess
    from imports where owner_id = ${value('owner_id')} and state = 'done'
      and exists (select 1 from import_rows where owner_id = ${value('owner_id')} and import_id = imports.id)
    order by id desc`,
)

/** Deletes entries of the owner's imports that are done: of files of any size those would stay that were not saved. */
export async function trimImports(db: Database, owner_id: string, signal?: AbortSignal): Promise<void> {
  const done = await doneImports(db, { owner_id, limit: KEPT_ROWS })
  for (const [at, { id, excess }] of done.entries()) {
    const from = at < KEPT_IMPORTS ? excess : 0
    if (from === null) continue
    while (await db.write(deleteRows, { owner_id, id, from: Number(from) })) signal?.throwIfAborted()
  }
}

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
  await trimImports(db, owner_id)
}
