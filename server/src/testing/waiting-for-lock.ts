import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { TestApp } from './create-test-app.ts'

/** Resolves once a statement that is LIKE this waits for the lock of another transaction, on PostgreSQL. */
export async function waitingForLock({ db }: Pick<TestApp, 'db'>, statement = '%'): Promise<void> {
  const waits = sql`select pid from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like ${statement}`
  while ((await waits.execute(db)).rows.length === 0) await sleep(10)
}
