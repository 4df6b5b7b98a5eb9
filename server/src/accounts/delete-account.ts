import { setTimeout as sleep } from 'node:timers/promises'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import { AppError } from '../errors.ts'
import { recipientKey } from '../jobs/mail/outbox.ts'
import { enqueue } from '../jobs/queue.ts'
import { endSessions, lockCredentials, type VerifiedUser } from '../sessions/sessions.ts'
import type { PasswordHasher } from '../users/passwords.ts'
import type { Users } from '../users/users.ts'
import { ERASE_ACCOUNT, type ErasePayload } from './erase-account.ts'

const wrongPassword = (): AppError => new AppError('formInvalid', { password: ['wrongCurrentPassword'] })

interface Closing extends VerifiedUser {
  /** Of the job that erases the account. */
  id: string
  payload: string
  now: number
}

/**
 * Closes an account: from the commit on nobody is signed in to it, nothing of it can be read, its email is free, and its
 * running exports and jobs end. What it holds is deleted by a job, in steps, because a million items take minutes. Touches
 * tables in the order of users/password-changes.ts. Throws 'formInvalid' where the hash is another one by now.
 */
export const deleteAccount = command(
  'accounts.delete',
  async (trx, { owner_id, password_hash, id, payload, now }: Closing) => {
    await trx.deleteFrom('jobs').where('owner_id', '=', owner_id).execute()
    await enqueue(trx, { owner_id, id, kind: ERASE_ACCOUNT, payload, now })
    await trx.deleteFrom('password_resets').where('owner_id', '=', owner_id).execute()
    await lockCredentials(trx, owner_id)
    const { numUpdatedRows } = await trx
      .updateTable('users')
      // No email has this form, and no password this hash.
      .set({
        ...{ email: '', email_key: `deleted ${owner_id}`, first_name: '', last_name: '', password_hash: '' },
      })
      .where('owner_id', '=', owner_id)
      .where('password_hash', '=', password_hash)
      .executeTakeFirst()
    if (numUpdatedRows === 0n) throw wrongPassword()
    await endSessions(trx, owner_id)
    // A server that reads a file for one sees that it is not wanted any more, and deletes the file.
    await trx.updateTable('imports').set({ state: 'cancelled' }).where('owner_id', '=', owner_id).execute()
    for (const table of ['api_tokens', 'known_devices', 'export_links', 'item_counts', 'usage'] as const)
      await trx.deleteFrom(table).where('owner_id', '=', owner_id).execute()
  },
)

interface Dependencies {
  db: Database
  clock: Clock
  users: Users
  passwordHasher: PasswordHasher
  /** Wakes the workers of the job queue. */
  wakeJobs: () => void
}

/** Milliseconds that a deletion waits for the job that erases the account, and between two looks at it. */
const [ERASED_WITHIN, BETWEEN_LOOKS] = [10_000, 50]

/** Waits until nothing is left of an account, for a while: of a large one the rest is erased after the response. */
async function untilErased(db: Database, owner_id: string): Promise<void> {
  for (let waited = 0; waited < ERASED_WITHIN; waited += BETWEEN_LOOKS) {
    const left = await db
      .selectFrom('users')
      .select('owner_id')
      .where('owner_id', '=', owner_id)
      .executeTakeFirst()
    if (!left) return
    await sleep(BETWEEN_LOOKS)
  }
}

/** Deletes the account of a user who knows its password. Throws 'formInvalid' where it is wrong. */
export const createAccountDeletion =
  ({ db, clock, users, passwordHasher, wakeJobs }: Dependencies) =>
  async (owner_id: string, password: string): Promise<void> => {
    const password_hash = await users.passwordHash(owner_id)
    if (password_hash === undefined || !(await passwordHasher.verify(password_hash, password)))
      throw wrongPassword()
    const now = clock()
    const user = await users.find(owner_id)
    const payload: ErasePayload = { recipient: user && (await recipientKey(user.email)) }
    const job = { id: uuidv7({ msecs: now }), payload: JSON.stringify(payload) }
    await db.write(deleteAccount, { owner_id, password_hash, ...job, now })
    wakeJobs()
    // The account is closed whether or not this can be seen.
    await untilErased(db, owner_id).catch(() => {})
  }
