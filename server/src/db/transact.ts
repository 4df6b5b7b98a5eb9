import { setTimeout as sleep } from 'node:timers/promises'
import { Transaction } from 'kysely'
import { DatabaseConflict } from '../errors.ts'
import type { Db, Trx } from './schema.ts'

const ATTEMPTS = 5

/**
 * Does `work` in a transaction: all of it or nothing. Where another transaction is in the way, it is done again
 * from the start, so it must do nothing but ask `trx`. Throws {@link DatabaseConflict} where that never ends.
 * Within a transaction it is a part of that one: whoever began it begins again.
 */
export async function transact<T>(db: Db, work: (trx: Trx) => Promise<T>): Promise<T> {
  if (db instanceof Transaction) return work(db)
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
