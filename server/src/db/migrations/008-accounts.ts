import { emailKey } from '@kopilka/contract/email-key.ts'
import { type Kysely, sql } from 'kysely'
import type { Migration } from '../migration.ts'

/** Renames tables to sessions, known devices, jobs and rate limits; renews email keys so that spellings of one address share a key. */
export const accounts: Migration = {
  name: '008-accounts',
  up: async (db) => {
    await db.schema.alterTable('sign_ins').renameTo('sessions').execute()
    await db.schema.alterTable('sessions').addColumn('retirement_key', 'text').execute()

    await db.schema.alterTable('browsers').renameTo('known_devices').execute()
    await db.schema.createIndex('known_devices_by_secret').on('known_devices').column('secret_hash').execute()

    await renameLetters(db)

    await db.schema.dropIndex('limit_counts_over').execute()
    await db.schema.alterTable('limit_counts').renameTo('rate_limits').execute()
    await db.schema.alterTable('rate_limits').renameColumn('subject', 'key').execute()
    await db.schema.createIndex('rate_limits_by_end').on('rate_limits').column('ends_at').execute()

    await renewEmailKeys(db as unknown as Kysely<UsersOnly>)
  },
}

/** Alters the table instead of creating a new one: a table that was partitioned stays partitioned. */
async function renameLetters(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('letters').renameTo('jobs').execute()
  const jobs = () => db.schema.alterTable('jobs')
  await jobs().renameColumn('next_attempt_at', 'run_at').execute()
  await jobs()
    .addColumn('leased_until', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute()
  await jobs()
    .addColumn('payload', 'text', (column) => column.notNull().defaultTo('{}'))
    .execute()
  await sql`update jobs set payload = '{"locale":"' || locale || '"}'`.execute(db)
  await jobs().dropColumn('locale').execute()
  // Dropping the column drops its check: SQLite cannot drop the check alone.
  await jobs()
    .addColumn('job_kind', 'text', (column) => column.notNull().defaultTo(''))
    .execute()
  await sql`update jobs set job_kind = kind`.execute(db)
  await jobs().dropColumn('kind').execute()
  await jobs().renameColumn('job_kind', 'kind').execute()
  await db.schema.createIndex('jobs_due').on('jobs').columns(['kind', 'run_at']).execute()
}

interface UsersOnly {
  users: { owner_id: string; email: string; email_key: string }
}

const USERS_AT_A_TIME = 5000

/** If two accounts would get the same key, the older account gets it and the other keeps its current key. */
async function renewEmailKeys(db: Kysely<UsersOnly>): Promise<void> {
  for (let after = ''; ; ) {
    const users = await db
      .selectFrom('users')
      .select(['owner_id', 'email', 'email_key'])
      .where('owner_id', '>', after)
      .orderBy('owner_id')
      .limit(USERS_AT_A_TIME)
      .execute()
    for (const { owner_id, email, email_key } of users) {
      const key = emailKey(email)
      if (key === email_key) continue
      await db
        .updateTable('users')
        .set({ email_key: key })
        .where('owner_id', '=', owner_id)
        .where(({ not, exists, selectFrom }) =>
          not(exists(selectFrom('users as others').select('owner_id').where('others.email_key', '=', key))),
        )
        .execute()
    }
    const last = users.at(-1)
    if (!last || users.length < USERS_AT_A_TIME) return
    after = last.owner_id
  }
}
