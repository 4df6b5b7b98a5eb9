import { setTimeout as sleep } from 'node:timers/promises'
import { DatabaseConflict } from '../errors.ts'
import type { Db, Trx } from './schema.ts'

const ATTEMPTS = 5

/**
 * Does `work` in a transaction: all of it or nothing. Where another transaction is in the way, it is done again
 * from the start, so it must do nothing but ask `trx`. Throws {@link DatabaseConflict} where that never ends.
 */
export async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!(error instanceof DatabaseConflict) || attempt === ATTEMPTS) throw error
    }
    // Those in each other's way must not meet again at once.
    await sleep(Math.random() * 20 * attempt)
  }
}
