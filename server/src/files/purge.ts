import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import { statement, type Value } from '../db/statement.ts'
import type { Pool } from '../threads/pool.ts'
import type { UseCursor, UseOfFiles } from './references.ts'
import { deleteBrokenOff, hideFile } from './store.ts'

const DAY = 24 * 60 * 60_000
/** Milliseconds between two steps: waiting writers come first. */
const BETWEEN_STEPS = 20

interface Marking {
  owner_id: string
  ids: readonly string[]
  unused_since: number | null
}

const mark = statement(
  (_, value: Value<Omit<Marking, 'unused_since'> & { unused_since: number }>) => sql<never>`update files
    set unused_since = ${value('unused_since')} where owner_id = ${value('owner_id')}
    and unused_since is null and ${value.among('id', 'ids')}`,
)

const unmark = statement((db, value: Value<Omit<Marking, 'unused_since'>>) =>
  db
    .updateTable('files')
    .set({ unused_since: null })
    .where('owner_id', '=', value('owner_id'))
    .where(value.among('id', 'ids')),
)

/**
 * Marks files as unused, or as used again, as {@link UseOfFiles} says. A picture of which it has been known for a day that nothing names it is deleted, unless
 * something has named it since: then `unused_since` is another. Resolves to whether another step is needed.
 */
export const markUnusedFiles = command(
  'files.mark-unused',
  async (
    trx,
    { owner_id, unused, used, now }: Pick<UseOfFiles, 'unused' | 'used'> & { owner_id: string; now: number },
  ): Promise<boolean> => {
    const fresh = unused.filter(({ unused_since }) => unused_since === null).map(({ id }) => id)
    if (fresh.length > 0) await mark(trx, { owner_id, ids: fresh, unused_since: now })
    if (used.length > 0) await unmark(trx, { owner_id, ids: used })
    for (const { id, unused_since } of unused)
      if (unused_since !== null && unused_since <= now - DAY)
        if (await hideFile(trx, { owner_id, id, unused_since })) return true
    return false
  },
)

/** Deletes pictures of an owner that nothing has named for a day, and uploads that were broken off, in steps. */
export async function purgeFiles(
  { db, pool }: { db: Database; pool: Pool },
  owner_id: string,
  now: number,
  signal?: AbortSignal,
): Promise<void> {
  for (let from: UseCursor | undefined = { after: '' }; from !== undefined; ) {
    const options = { owner_id, signal, unlimitedWait: true }
    const use: UseOfFiles = await pool.run('useOfFiles', { owner_id, ...from }, options)
    const { unused, used } = use
    if (unused.length + used.length > 0)
      while (await db.write(markUnusedFiles, { owner_id, unused, used, now }))
        await sleep(BETWEEN_STEPS, undefined, { signal })
    from = use.next
  }
  while (await db.write(deleteBrokenOff, { owner_id, now })) await sleep(BETWEEN_STEPS, undefined, { signal })
}
