import { randomBytes } from 'node:crypto'
import type { Session } from '@kopilka/contract/accounts.ts'
import { v7 as uuidv7 } from 'uuid'
import { type Clock, endsWithin, isOver } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import { ownerLock } from '../db/owner-lock.ts'
import type { Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { createVersionedCache } from '../db/versioned-cache.ts'
import { AppError } from '../errors.ts'
import { sha256 } from '../hash.ts'
import type { Caller, Identity } from '../http/caller.ts'
import { type CounterKey, checkCounters } from '../http/rate-limits/counters.ts'
import { rememberDevice } from './known-devices.ts'
import {
  areEqual,
  hashSecret,
  newRefreshSecret,
  newSecret,
  readToken,
  replacementOf,
  type Token,
  wasIssued,
  writeToken,
} from './tokens.ts'

/** Lifetimes in milliseconds (docs/behaviour.md, section 3). */
const ACCESS_LIFE = 15 * 60_000
const REFRESH_LIFE = 30 * 24 * 60 * 60_000
/** Milliseconds for which a replaced refresh token still returns the pair that replaced it, because tabs race. */
const RACE_GRACE = 10_000
/** Most sessions of an account. */
const AT_MOST = 100

/** A user whose password was verified, with the hash it was verified against. */
export interface VerifiedUser {
  readonly owner_id: string
  readonly password_hash: string
}

interface NewSession extends VerifiedUser {
  session_id: string
  access_hash: string
  refresh_hash: string
  retirement_key: string
  device_hash: string
  /** Counters that must be below their limits. */
  counters: readonly CounterKey[]
  now: number
}

/**
 * Of the password hash of a user. Whoever changes the hash ends the sessions of before in the same transaction: this lock,
 * taken before the change, keeps a sign-in that has read the old hash from beginning one that is missed.
 */
export const lockCredentials = ownerLock('credentials')

/** Throws 'wrongCredentials' if the password was changed since it was verified, and 'rateLimited'. */
export const beginSession = command('sessions.begin', async (trx, session: NewSession) => {
  const { owner_id, session_id, access_hash, refresh_hash, retirement_key, now } = session
  await checkCounters(trx, session.counters, now)
  await lockCredentials(trx, owner_id)
  const user = await trx
    .selectFrom('users')
    .select('owner_id')
    .where('owner_id', '=', owner_id)
    .where('password_hash', '=', session.password_hash)
    .executeTakeFirst()
  if (!user) throw new AppError('wrongCredentials')
  await rememberDevice(trx, { owner_id, secret_hash: session.device_hash, now })
  // The session unused longest is the one whose refresh token expires first. Expired sessions are deleted by this limit
  // alone and not by time, because a clock that is ahead for a while would end every session. Those of such a time go first.
  await trx
    .deleteFrom('sessions')
    .where('owner_id', '=', owner_id)
    .where('id', 'not in', (latest) =>
      latest
        .selectFrom('sessions')
        .select('id')
        .where('owner_id', '=', owner_id)
        .orderBy((session) => session('refresh_expires_at', '>', endsWithin(now, REFRESH_LIFE).until))
        .orderBy('refresh_expires_at', 'desc')
        .orderBy('id', 'desc')
        .limit(AT_MOST - 1),
    )
    .execute()
  await trx
    .insertInto('sessions')
    .values({
      owner_id,
      id: session_id,
      access_hash,
      access_expires_at: now + ACCESS_LIFE,
      refresh_hash,
      refresh_expires_at: now + REFRESH_LIFE,
      previous_refresh_hash: null,
      rotation_salt: null,
      rotated_at: null,
      created_at: now,
      retirement_key,
    })
    .execute()
})

interface Renewal {
  token: Token
  /** Salt for deriving the new pair if the token is the current one. */
  salt: string
  /** For a session that has no retirement key yet. */
  newRetirementKey: string
  now: number
}

/**
 * Replaces the pair of a refresh token's session and resolves to the secrets of the new pair; undefined if the token is
 * not valid. A refresh token of the session that was replaced before the grace time has leaked: the session ends. Any
 * other token is a guess or a mistake and ends nothing.
 */
export const renewSession = command('sessions.renew', async (trx, renewal: Renewal) => {
  const { token, now } = renewal
  const session = await trx
    .selectFrom('sessions')
    .select([
      'refresh_hash',
      'refresh_expires_at',
      'previous_refresh_hash',
      'rotation_salt',
      'rotated_at',
      'retirement_key',
    ])
    .where('owner_id', '=', token.owner_id)
    .where('id', '=', token.session_id)
    .forUpdate()
    .executeTakeFirst()
  if (!session) return undefined

  const hash = hashSecret(token.secret)
  const retirement_key = session.retirement_key ?? renewal.newRetirementKey
  if (areEqual(session.refresh_hash, hash)) {
    if (session.refresh_expires_at <= now) return undefined
    const pair = replacementOf(token.secret, renewal.salt, retirement_key)
    await trx
      .updateTable('sessions')
      .set({
        access_hash: hashSecret(pair.access),
        access_expires_at: now + ACCESS_LIFE,
        refresh_hash: hashSecret(pair.refresh),
        refresh_expires_at: now + REFRESH_LIFE,
        previous_refresh_hash: hash,
        rotation_salt: renewal.salt,
        rotated_at: now,
        retirement_key,
      })
      .where('owner_id', '=', token.owner_id)
      .where('id', '=', token.session_id)
      .execute()
    return pair
  }

  const { previous_refresh_hash, rotation_salt, rotated_at } = session
  if (previous_refresh_hash !== null && areEqual(previous_refresh_hash, hash)) {
    const since = now - (rotated_at ?? now)
    if (Math.abs(since) <= RACE_GRACE && rotation_salt !== null)
      return replacementOf(token.secret, rotation_salt, retirement_key)
    // The clock was ahead when the token was replaced: the time since then is unknown.
    if (since < 0) return undefined
  } else if (!wasIssued(token.secret, retirement_key)) return undefined
  await endSession.run(trx, token)
  return undefined
})

/** Ends a session: both its tokens become invalid at once. */
export const endSession = command('sessions.end', async (trx, { owner_id, session_id }: Caller) => {
  await trx.deleteFrom('sessions').where('owner_id', '=', owner_id).where('id', '=', session_id).execute()
})

/** Ends all sessions of the owner, except `kept`. */
export async function endSessions(trx: Trx, owner_id: string, kept = ''): Promise<void> {
  await trx.deleteFrom('sessions').where('owner_id', '=', owner_id).where('id', '!=', kept).execute()
}

const accessOf = statement((db, value: Value<Caller>) =>
  db
    .selectFrom('sessions')
    .select(['access_hash', 'access_expires_at'])
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('session_id')),
)

/** Whom an access token identifies, and its expiry. */
interface Access {
  readonly identity: Identity
  readonly expires_at: number
}

export type Sessions = ReturnType<typeof createSessions>

/** Sessions. Each has a pair of tokens that is renewed until the session ends. */
export function createSessions(db: Database, clock: Clock) {
  /** Access by the hash of a verified access token. */
  const cached = createVersionedCache<Access | undefined>(db)
  const pairOf = (ids: Caller, { access, refresh }: { access: string; refresh: string }): Session => ({
    access_token: writeToken({ ...ids, secret: access }),
    refresh_token: writeToken({ ...ids, secret: refresh }),
  })

  async function findAccess(accessToken: string): Promise<Access | undefined> {
    const token = readToken(accessToken)
    if (!token) return undefined
    const [session] = await accessOf(db, token)
    if (!session || !areEqual(session.access_hash, hashSecret(token.secret))) return undefined
    const { owner_id, session_id } = token
    const identity = { caller: { owner_id, session_id }, scope: 'account' } as const
    return { identity, expires_at: session.access_expires_at }
  }

  return {
    /** Begins a session and resolves to its first pair. Throws what {@link beginSession} throws. */
    async begin(
      proof: VerifiedUser,
      { device, counters }: { device: string; counters: readonly CounterKey[] },
    ): Promise<Session> {
      const now = clock()
      const ids = { owner_id: proof.owner_id, session_id: uuidv7({ msecs: now }) }
      const retirement_key = newSecret()
      const [access, refresh] = [newSecret(), newRefreshSecret(retirement_key)]
      await db.write(beginSession, {
        ...proof,
        ...ids,
        access_hash: hashSecret(access),
        refresh_hash: hashSecret(refresh),
        retirement_key,
        device_hash: sha256(device),
        counters,
        now,
      })
      return pairOf(ids, { access, refresh })
    },

    /** Whom an access token identifies; undefined if it is unknown, expired or ended. */
    async identify(accessToken: string): Promise<Identity | undefined> {
      const access = await cached(sha256(accessToken), () => findAccess(accessToken))
      return access && !isOver(access.expires_at, clock(), ACCESS_LIFE) ? access.identity : undefined
    },

    /** A new pair for a refresh token; undefined if the token is not valid. */
    async renew(refreshToken: string): Promise<Session | undefined> {
      const token = readToken(refreshToken)
      if (!token) return undefined
      const pair = await db.write(renewSession, {
        token,
        salt: randomBytes(16).toString('base64url'),
        newRetirementKey: newSecret(),
        now: clock(),
      })
      return pair && pairOf(token, pair)
    },

    end: (caller: Caller): Promise<void> => db.write(endSession, caller),
  }
}
