import { validate as isUuid } from 'uuid'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import type { Db, Trx } from '../db/schema.ts'
import type { Write } from '../jobs/queue.ts'
import { hashSecret, newSecret } from '../sessions/tokens.ts'
import { resetLetter } from './reset-mail.ts'

/** Milliseconds from the writing of the letter (decisions, section 3). */
const RESET_LIFE = 60 * 60_000

/** What the letter's link carries: the owner's id and the secret. */
export interface ResetLink {
  uid: string
  token: string
}

export type Resets = ReturnType<typeof createResets>

/** Password resets: one an owner, proved by the token of the newest letter. */
export function createResets(db: Db, clock: Clock, { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>) {
  const living = ({ uid, token }: ResetLink) => ({
    owner_id: isUuid(uid) ? uid : '',
    token_hash: hashSecret(Buffer.from(token, 'base64url')),
  })

  const write: Write = async (trx, { owner_id, locale }) => {
    const user = await trx
      .selectFrom('users')
      .select('email')
      .where('owner_id', '=', owner_id)
      .executeTakeFirst()
    if (!user) return undefined
    const token = newSecret()
    const reset = { token_hash: hashSecret(token), expires_at: clock() + RESET_LIFE }
    await trx
      .insertInto('password_resets')
      .values({ owner_id, ...reset })
      .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(reset))
      .execute()
    const link = new URL('/auth/password-confirm', PUBLIC_URL)
    link.search = new URLSearchParams({ uid: owner_id, token: token.toString('base64url') }).toString()
    return resetLetter(locale, { to: user.email, link: link.href })
  }

  return {
    /**
     * Writes the letter. Its token is made here, when the letter is about to go, and known to the letter alone: who reads
     * the database, with its queue or a copy of it, finds nothing that opens an account.
     */
    write,

    /** Whether the link would do; it may still be too late in {@link use}. */
    async isAlive(link: ResetLink): Promise<boolean> {
      const { owner_id, token_hash } = living(link)
      const reset = await db
        .selectFrom('password_resets')
        .select('owner_id')
        .where('owner_id', '=', owner_id)
        .where('token_hash', '=', token_hash)
        .where('expires_at', '>', clock())
        .executeTakeFirst()
      return reset !== undefined
    },

    /** Uses the link up. False where it is dead: of two at once only one is told true. */
    async use(trx: Trx, link: ResetLink): Promise<boolean> {
      const { owner_id, token_hash } = living(link)
      const { numDeletedRows } = await trx
        .deleteFrom('password_resets')
        .where('owner_id', '=', owner_id)
        .where('token_hash', '=', token_hash)
        .where('expires_at', '>', clock())
        .executeTakeFirst()
      return numDeletedRows > 0n
    },

    /** The link of a letter that is out is dead from now on. */
    async end(trx: Trx, owner_id: string): Promise<void> {
      await trx.deleteFrom('password_resets').where('owner_id', '=', owner_id).execute()
    },
  }
}
