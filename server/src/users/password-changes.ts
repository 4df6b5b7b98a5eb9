import type { Locale } from '@kopilka/contract/messages.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Db } from '../db/schema.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import type { Letters } from '../jobs/queue.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { ResetLink, Resets } from './password-resets.ts'
import { checkPassword, hashPassword } from './passwords.ts'
import type { Users } from './users.ts'

/** Milliseconds in which the answer to who asked for a letter is on its way. */
const ANSWER_FIRST = 100

interface Parts {
  db: Db
  users: Users
  sessions: Sessions
  resets: Resets
  letters: Letters
  /** Has the letters in the queue sent. */
  wakePost: () => void
}

export type PasswordChanges = ReturnType<typeof createPasswordChanges>

/**
 * The two ways to a new password. Each ends sign-ins, resets and reset letters with the old one in one transaction,
 * which touches its tables in one order everywhere: letters, resets, users, sign-ins.
 */
export function createPasswordChanges({ db, users, sessions, resets, letters, wakePost }: Parts) {
  const wrongPassword = () => new AppError('formInvalid', { current_password: ['wrongCurrentPassword'] })

  return {
    /** By who knows the current one. Every other sign-in ends. Throws 'formInvalid' where it is not the current one. */
    async change(
      caller: Caller,
      { current_password, new_password }: { current_password: string; new_password: string },
    ): Promise<void> {
      const { owner_id } = caller
      const before = await users.passwordHash(owner_id)
      if (!(await checkPassword(before, current_password))) throw wrongPassword()
      const password_hash = await hashPassword(new_password)
      await transact(db, async (trx) => {
        await letters.withdraw(trx, owner_id, 'password-reset')
        await resets.end(trx, owner_id)
        if (!(await users.setPasswordHash(trx, { owner_id, password_hash }, before))) throw wrongPassword()
        await sessions.endOthers(trx, caller)
      })
    },

    /**
     * Has a letter sent to whose email this is. Where it is nobody's, a letter is queued all the same, for an owner
     * who does not exist, and dropped when its turn comes: both answers take the same work, so the same time. What the
     * post does differs, so it begins only once the answer is out.
     */
    async requestReset(email: string, locale: Locale): Promise<void> {
      const owner_id = (await users.ownerOf(email)) ?? uuidv7()
      await letters.add(owner_id, 'password-reset', locale)
      setTimeout(wakePost, ANSWER_FIRST).unref()
    },

    /** By who has the newest letter. Every sign-in ends. Throws 'resetLinkDead'. */
    async confirmReset({ new_password, ...link }: ResetLink & { new_password: string }): Promise<void> {
      if (!(await resets.isAlive(link))) throw new AppError('resetLinkDead')
      const owner_id = link.uid
      const password_hash = await hashPassword(new_password)
      await transact(db, async (trx) => {
        await letters.withdraw(trx, owner_id, 'password-reset')
        if (!(await resets.use(trx, link))) throw new AppError('resetLinkDead')
        await users.setPasswordHash(trx, { owner_id, password_hash })
        await sessions.endAll(trx, owner_id)
      })
    },
  }
}
