import type { Locale } from '@kopilka/contract/field-messages.ts'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import { type Clock, endsWithin } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Trx } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import { enqueue, type Job, withdrawJobs } from '../jobs/queue.ts'
import { endSessions, type Proof } from '../sessions/sessions.ts'
import { hashSecret } from '../sessions/tokens.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import { RESET_LIFE, RESET_MAIL, type ResetLink } from './reset-mail.ts'
import { setPasswordHash, type Users } from './users.ts'

/** Milliseconds after which the response to a reset request is sent. */
const RESPONSE_FIRST = 100

const wrongPassword = (): AppError =>
  new AppError('formInvalid', { current_password: ['wrongCurrentPassword'] })

/*
 * Both ways to a new password end sessions, resets and reset letters with the old one in one transaction, which touches
 * its tables in one order everywhere: jobs, resets, users, sessions.
 */

/** Sets the new hash and ends every session but the caller's. Throws 'formInvalid' where `before` is no longer the hash. */
export const changePassword = command(
  'users.change-password',
  async (
    trx,
    { caller, before, password_hash }: { caller: Caller; before: string; password_hash: string },
  ) => {
    const { owner_id, session_id } = caller
    await withdrawJobs(trx, owner_id, RESET_MAIL)
    await trx.deleteFrom('password_resets').where('owner_id', '=', owner_id).execute()
    if (!(await setPasswordHash(trx, { owner_id, password_hash }, before))) throw wrongPassword()
    await endSessions(trx, owner_id, session_id)
  },
)

export const requestReset = command(
  'users.request-reset',
  (trx: Trx, job: Pick<Job, 'owner_id' | 'id' | 'kind' | 'payload'> & { now: number }) => enqueue(trx, job),
)

interface Reset {
  owner_id: string
  token_hash: string
  now: number
}

/** Uses the reset up, sets the new hash and ends every session. Throws 'resetLinkDead': of two at once only one succeeds. */
export const confirmReset = command(
  'users.confirm-reset',
  async (trx, { owner_id, token_hash, password_hash, now }: Reset & Proof) => {
    const { after, until } = endsWithin(now, RESET_LIFE)
    await withdrawJobs(trx, owner_id, RESET_MAIL)
    const { numDeletedRows } = await trx
      .deleteFrom('password_resets')
      .where('owner_id', '=', owner_id)
      .where('token_hash', '=', token_hash)
      .where('expires_at', '>', after)
      .where('expires_at', '<=', until)
      .executeTakeFirst()
    if (numDeletedRows === 0n) throw new AppError('resetLinkDead')
    await setPasswordHash(trx, { owner_id, password_hash })
    await endSessions(trx, owner_id)
  },
)

interface Parts {
  db: Database
  clock: Clock
  users: Users
  /** Has the jobs in the queue done. */
  wakeJobs: () => void
}

export type PasswordChanges = ReturnType<typeof createPasswordChanges>

export function createPasswordChanges({ db, clock, users, wakeJobs }: Parts) {
  async function isAlive({ owner_id, token_hash, now }: Reset): Promise<boolean> {
    const { after, until } = endsWithin(now, RESET_LIFE)
    const reset = await db
      .selectFrom('password_resets')
      .select('owner_id')
      .where('owner_id', '=', owner_id)
      .where('token_hash', '=', token_hash)
      .where('expires_at', '>', after)
      .where('expires_at', '<=', until)
      .executeTakeFirst()
    return reset !== undefined
  }

  return {
    /** By who knows the current one. Every other session ends. Throws 'formInvalid' where it is not the current one. */
    async change(
      caller: Caller,
      { current_password, new_password }: { current_password: string; new_password: string },
    ): Promise<void> {
      const before = await users.passwordHash(caller.owner_id)
      if (before === undefined || !(await checkPassword(before, current_password))) throw wrongPassword()
      await db.write(changePassword, { caller, before, password_hash: await hashPassword(new_password) })
    },

    /**
     * Queues mail to the owner of this email. Where it is nobody's, a job is queued all the same, for an owner who does
     * not exist: both requests take the same work, so the same time. What the jobs do differs, so they begin only once the
     * response is out.
     */
    async requestReset(email: string, locale: Locale): Promise<void> {
      const owner_id = (await users.ownerOf(email)) ?? uuidv7()
      const now = clock()
      const id = uuidv7({ msecs: now })
      await db.write(requestReset, {
        owner_id,
        id,
        kind: RESET_MAIL,
        payload: JSON.stringify({ locale }),
        now,
      })
      setTimeout(wakeJobs, RESPONSE_FIRST).unref()
    },

    /** Sets the password by the newest reset link. Ends every session. Throws 'resetLinkDead'. */
    async confirmReset({ uid, token, new_password }: ResetLink & { new_password: string }): Promise<void> {
      const reset = { owner_id: isUuid(uid) ? uid : '', token_hash: hashSecret(token), now: clock() }
      if (!(await isAlive(reset))) throw new AppError('resetLinkDead')
      await db.write(confirmReset, {
        ...reset,
        password_hash: await hashPassword(new_password),
        now: clock(),
      })
    },
  }
}
