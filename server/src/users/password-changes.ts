import type { Locale } from '@kopilka/contract/field-messages.ts'
import { validate as isUuid, v7 as uuidv7 } from 'uuid'
import { type Clock, endsWithin } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Trx } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import { enqueue, type Job, withdrawJobs } from '../jobs/queue.ts'
import { endSessions, type VerifiedUser } from '../sessions/sessions.ts'
import { hashSecret } from '../sessions/tokens.ts'
import type { PasswordHasher } from './passwords.ts'
import { RESET_LIFE, RESET_MAIL, type ResetLink } from './reset-mail.ts'
import { setPasswordHash, type Users } from './users.ts'

/** Milliseconds by which the jobs of a reset request wait for its response. */
const RESPONSE_FIRST = 100

const wrongPassword = (): AppError =>
  new AppError('formInvalid', { current_password: ['wrongCurrentPassword'] })

/*
 * Both ways to a new password also end sessions, resets and queued reset mail in the same transaction. To avoid deadlocks
 * it touches tables in the same order everywhere: jobs, resets, users (after their lock), sessions.
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

/**
 * Uses the reset, sets the new hash, ends every session and revokes every API token. Throws 'resetLinkDead'; of two concurrent requests only one
 * succeeds.
 */
export const confirmReset = command(
  'users.confirm-reset',
  async (trx, { owner_id, token_hash, password_hash, now }: Reset & VerifiedUser) => {
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
    await trx.deleteFrom('api_tokens').where('owner_id', '=', owner_id).execute()
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

export type PasswordChanges = ReturnType<typeof createPasswordChanges>

export function createPasswordChanges({ db, clock, users, passwordHasher, wakeJobs }: Dependencies) {
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
    /**
     * Changes the password of a user who knows the current one, and ends every other session. Throws 'formInvalid' if the
     * current password is wrong.
     */
    async change(
      caller: Caller,
      { current_password, new_password }: { current_password: string; new_password: string },
    ): Promise<void> {
      const before = await users.passwordHash(caller.owner_id)
      if (before === undefined || !(await passwordHasher.verify(before, current_password)))
        throw wrongPassword()
      await db.write(changePassword, {
        caller,
        before,
        password_hash: await passwordHasher.hash(new_password),
      })
    },

    /**
     * Queues reset mail to the owner of an email. For an unknown email a job for a missing owner is queued, so that both
     * requests take the same time. The jobs themselves differ, so they start only after the response.
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

    /** Sets the password with the newest reset link and ends every session. Throws 'resetLinkDead'. */
    async confirmReset({ uid, token, new_password }: ResetLink & { new_password: string }): Promise<void> {
      const reset = { owner_id: isUuid(uid) ? uid : '', token_hash: hashSecret(token), now: clock() }
      if (!(await isAlive(reset))) throw new AppError('resetLinkDead')
      await db.write(confirmReset, {
        ...reset,
        password_hash: await passwordHasher.hash(new_password),
        now: clock(),
      })
    },
  }
}
