import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Session } from '@kopilka/contract/accounts.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import type { Db, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { transact } from '../db/transact.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import { deriveSecrets, hashSecret, newSecret, readToken, type Token, writeToken } from './tokens.ts'

/** Lifetimes in milliseconds (decisions, section 3). */
const ACCESS_LIFE = 15 * 60_000
const REFRESH_LIFE = 30 * 24 * 60 * 60_000
/** How long the refresh token just replaced still answers with the pair that replaced it: tabs race. */
const RACE_GRACE = 10_000

const sameHash = (one: string, other: string): boolean => {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** That someone may sign in: the hash of the password that was found right. */
export interface Proof {
  readonly owner_id: string
  readonly password_hash: string
}

const accessOf = statement((db, value: Value<Pick<Token, 'owner_id' | 'session_id'>>) =>
  db
    .selectFrom('sign_ins')
    .select(['access_hash', 'access_expires_at'])
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('session_id')),
)

export type Sessions = ReturnType<typeof createSessions>

/** Sign-ins: each a pair of tokens that is renewed until it is ended. */
export function createSessions(db: Db, clock: Clock) {
  const signInOf = ({ owner_id, session_id }: Pick<Token, 'owner_id' | 'session_id'>) => ({
    find: () =>
      db
        .selectFrom('sign_ins')
        .select(['previous_refresh_hash', 'rotation_salt', 'rotated_at'])
        .where('owner_id', '=', owner_id)
        .where('id', '=', session_id),
    change: () => db.updateTable('sign_ins').where('owner_id', '=', owner_id).where('id', '=', session_id),
    end: () =>
      db.deleteFrom('sign_ins').where('owner_id', '=', owner_id).where('id', '=', session_id).execute(),
  })

  const pair = (ids: Pick<Token, 'owner_id' | 'session_id'>, access: Buffer, refresh: Buffer): Session => ({
    access_token: writeToken({ ...ids, secret: access }),
    refresh_token: writeToken({ ...ids, secret: refresh }),
  })

  return {
    /**
     * Signs the user in and answers the first pair. Throws 'wrongCredentials' where the password that was right has been
     * changed in the meantime: a change ends the sign-ins there are, and none with the old password may come after.
     */
    async begin({ owner_id, password_hash }: Proof): Promise<Session> {
      const [now, access, refresh] = [clock(), newSecret(), newSecret()]
      const session_id = uuidv7({ msecs: now })
      await transact(db, async (trx) => {
        const user = await trx
          .selectFrom('users')
          .select('owner_id')
          .where('owner_id', '=', owner_id)
          .where('password_hash', '=', password_hash)
          .forUpdate()
          .executeTakeFirst()
        if (!user) throw new AppError('wrongCredentials')
        await trx
          .deleteFrom('sign_ins')
          .where('owner_id', '=', owner_id)
          .where('refresh_expires_at', '<=', now)
          .execute()
        await trx
          .insertInto('sign_ins')
          .values({
            owner_id,
            id: session_id,
            access_hash: hashSecret(access),
            access_expires_at: now + ACCESS_LIFE,
            refresh_hash: hashSecret(refresh),
            refresh_expires_at: now + REFRESH_LIFE,
            previous_refresh_hash: null,
            rotation_salt: null,
            rotated_at: null,
            created_at: now,
          })
          .execute()
      })
      return pair({ owner_id, session_id }, access, refresh)
    },

    /** Who holds this access token; undefined where it is unknown, expired or ended. */
    async identify(accessToken: string): Promise<Caller | undefined> {
      const token = readToken(accessToken)
      if (!token) return undefined
      const [signIn] = await accessOf(db, token)
      if (!signIn || signIn.access_expires_at <= clock()) return undefined
      if (!sameHash(signIn.access_hash, hashSecret(token.secret))) return undefined
      return { owner_id: token.owner_id, session_id: token.session_id }
    },

    /**
     * A new pair for a refresh token; undefined where it is dead.
     * One that was replaced longer ago than the grace time has been stolen or leaked: the whole sign-in ends.
     */
    async renew(refreshToken: string): Promise<Session | undefined> {
      const token = readToken(refreshToken)
      if (!token) return undefined
      const signIn = signInOf(token)
      const [now, hash, salt] = [clock(), hashSecret(token.secret), randomBytes(16).toString('base64url')]

      const { access, refresh } = deriveSecrets(token.secret, salt)
      const { numUpdatedRows } = await signIn
        .change()
        .set({
          access_hash: hashSecret(access),
          access_expires_at: now + ACCESS_LIFE,
          refresh_hash: hashSecret(refresh),
          refresh_expires_at: now + REFRESH_LIFE,
          previous_refresh_hash: hash,
          rotation_salt: salt,
          rotated_at: now,
        })
        .where('refresh_hash', '=', hash)
        .where('refresh_expires_at', '>', now)
        .executeTakeFirst()
      if (numUpdatedRows > 0n) return pair(token, access, refresh)

      const current = await signIn.find().executeTakeFirst()
      if (!current) return undefined
      const { previous_refresh_hash, rotation_salt, rotated_at } = current
      const raced = previous_refresh_hash !== null && sameHash(previous_refresh_hash, hash)
      if (raced && rotation_salt !== null && rotated_at !== null && now - rotated_at <= RACE_GRACE) {
        const same = deriveSecrets(token.secret, rotation_salt)
        return pair(token, same.access, same.refresh)
      }
      await signIn.end()
      return undefined
    },

    /** Ends one sign-in: both its tokens are dead at once. */
    async end({ owner_id, session_id }: Caller): Promise<void> {
      await signInOf({ owner_id, session_id }).end()
    },

    /** Ends every sign-in of the caller's owner but the caller's own. */
    async endOthers(trx: Trx, { owner_id, session_id }: Caller): Promise<void> {
      await trx
        .deleteFrom('sign_ins')
        .where('owner_id', '=', owner_id)
        .where('id', '!=', session_id)
        .execute()
    },

    /** Ends every sign-in of the owner. */
    async endAll(trx: Trx, owner_id: string): Promise<void> {
      await trx.deleteFrom('sign_ins').where('owner_id', '=', owner_id).execute()
    },
  }
}
