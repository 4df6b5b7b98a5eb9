import { setTimeout as sleep } from 'node:timers/promises'
import { Transaction } from 'kysely'
import { DatabaseConflict } from '../errors.ts'
import type { Db, Trx } from './schema.ts'

const ATTEMPTS = 5

/**
 * Runs `work` in a transaction. On a conflict with another transaction it runs again from the start, so its only side
 * effects must be those on `trx`. Throws {@link DatabaseConflict} after too many attempts. Inside a transaction `work`
 * joins that transaction, and a conflict runs that one again.
 */
export async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  if (db instanceof Transaction) return work(db)
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (!(error instanceof DatabaseConflict) || attempt === ATTEMPTS) throw error
    }
    // A random delay, so that the same transactions do not conflict again.
    await sleep(Math.random() * 20 * attempt)
  }
}
