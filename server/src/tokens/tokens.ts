import { MAX_TOKENS } from '@kopilka/contract/limits.ts'
import { type ApiToken, TOKEN_PREFIX, type TokenScope } from '@kopilka/contract/tokens.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { ApiTokensTable } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { createVersionedCache } from '../db/versioned-cache.ts'
import { AppError } from '../errors.ts'
import { sha256 } from '../hash.ts'
import type { Identity } from '../http/caller.ts'
import { addressIn } from '../http/ip-address.ts'
import { lockCredentials } from '../sessions/sessions.ts'
import { areEqual, hashSecret, newSecret, readToken, writeToken } from '../sessions/tokens.ts'

/** The last use of a token is stored at most so often: once in these milliseconds. */
const USE_STORED_EVERY = 60_000

interface Key {
  owner_id: string
  id: string
}

type NewToken = Omit<ApiTokensTable, 'last_used_at' | 'last_used_from'>

/** Throws 'apiTokenQuota', and 'unauthorized' where the account has been closed. */
export const createToken = command('tokens.create', async (trx, token: NewToken) => {
  // Concurrent requests respect the limit, and a closed account gets no token.
  await lockCredentials(trx, token.owner_id)
  const user = await trx
    .selectFrom('users')
    .select('owner_id')
    .where('owner_id', '=', token.owner_id)
    .where('password_hash', '!=', '')
    .executeTakeFirst()
  if (!user) throw new AppError('unauthorized')
  const { count } = await trx
    .selectFrom('api_tokens')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('owner_id', '=', token.owner_id)
    .executeTakeFirstOrThrow()
  if (count >= MAX_TOKENS) throw new AppError('apiTokenQuota')
  await trx
    .insertInto('api_tokens')
    .values({ ...token, last_used_at: null, last_used_from: null })
    .execute()
})

/** Throws 'apiTokenNotFound'. */
export const revokeToken = command('tokens.revoke', async (trx, { owner_id, id }: Key) => {
  const { numDeletedRows } = await trx
    .deleteFrom('api_tokens')
    .where('owner_id', '=', owner_id)
    .where('id', '=', id)
    .executeTakeFirst()
  if (numDeletedRows === 0n) throw new AppError('apiTokenNotFound')
})

export const storeTokenUse = command(
  'tokens.store-use',
  async (trx, { owner_id, id, now, from }: Key & { now: number; from: string }) => {
    await trx
      .updateTable('api_tokens')
      .set({ last_used_at: now, last_used_from: from })
      .where('owner_id', '=', owner_id)
      .where('id', '=', id)
      .execute()
  },
)

const tokenOf = statement((db, value: Value<Key>) =>
  db
    .selectFrom('api_tokens')
    .select(['owner_id', 'id', 'scope', 'secret_hash', 'expires_at', 'last_used_at'])
    .where('owner_id', '=', value('owner_id'))
    .where('id', '=', value('id')),
)

type FoundToken = Omit<NewToken, 'name' | 'created_at'> & Pick<ApiTokensTable, 'last_used_at'>

/** The last moment that ISO 8601 writes with four digits of the year, as all times are sent. An offset leads beyond it. */
const LATEST = Date.UTC(10_000, 0, 1) - 1

const iso = (time: number | null): string | null => (time === null ? null : new Date(time).toISOString())

const shown = (row: Omit<ApiTokensTable, 'owner_id' | 'secret_hash'>): ApiToken => ({
  id: row.id,
  name: row.name,
  scope: row.scope,
  created_at: new Date(row.created_at).toISOString(),
  expires_at: iso(row.expires_at),
  last_used_at: iso(row.last_used_at),
  last_used_from: row.last_used_from,
})

export type ApiTokens = ReturnType<typeof createApiTokens>

/** Personal API tokens, with which other programs act for their owner. */
export function createApiTokens(db: Database, clock: Clock) {
  /** Tokens by the hash of their text. */
  const cached = createVersionedCache<FoundToken | undefined>(db)
  /** Ids of tokens whose use is being stored. */
  const storing = new Set<string>()

  async function find(text: string): Promise<FoundToken | undefined> {
    const token = readToken(text.slice(TOKEN_PREFIX.length))
    if (!token) return undefined
    const [row] = await tokenOf(db, { owner_id: token.owner_id, id: token.session_id })
    return row && areEqual(row.secret_hash, hashSecret(token.secret)) ? row : undefined
  }

  /** Stores the use without keeping the request waiting. While the database cannot write it is not stored. */
  function storeUse({ owner_id, id, last_used_at }: FoundToken, from: string): void {
    const now = clock()
    const isRecent = last_used_at !== null && Math.abs(now - last_used_at) < USE_STORED_EVERY
    if (isRecent || storing.has(id)) return
    storing.add(id)
    db.write(storeTokenUse, { owner_id, id, now, from })
      .catch(() => {})
      .finally(() => storing.delete(id))
  }

  return {
    /** The owner and the scope of a token; undefined if it is unknown, expired or revoked. `address`: who uses it. */
    async identify(text: string, address: string): Promise<Identity | undefined> {
      const token = await cached(sha256(text), () => find(text))
      if (!token || (token.expires_at !== null && token.expires_at <= clock())) return undefined
      storeUse(token, addressIn(address).address.replace(/^::ffff:(?=\d+\.)/i, ''))
      return { caller: { owner_id: token.owner_id, session_id: token.id }, scope: token.scope }
    },

    /** Creates a token. Throws 'formInvalid' where it would have expired, and what {@link createToken} throws. */
    async create(
      owner_id: string,
      {
        name,
        scope,
        expires_at,
      }: { name: string; scope: TokenScope; expires_at?: string | null | undefined },
    ): Promise<ApiToken & { token: string }> {
      const now = clock()
      const expiry = expires_at == null ? null : Math.min(Date.parse(expires_at), LATEST)
      if (expiry !== null && expiry <= now) throw new AppError('formInvalid', { expires_at: ['expiryOver'] })
      const [id, secret] = [uuidv7({ msecs: now }), newSecret()]
      const row = { owner_id, id, name, scope, created_at: now, expires_at: expiry }
      await db.write(createToken, { ...row, secret_hash: hashSecret(secret) })
      const token = `${TOKEN_PREFIX}${writeToken({ owner_id, session_id: id, secret })}`
      return { ...shown({ ...row, last_used_at: null, last_used_from: null }), token }
    },

    async list(owner_id: string): Promise<ApiToken[]> {
      const rows = await db
        .selectFrom('api_tokens')
        .select(['id', 'name', 'scope', 'created_at', 'expires_at', 'last_used_at', 'last_used_from'])
        .where('owner_id', '=', owner_id)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .execute()
      return rows.map(shown)
    },

    /** Revokes a token at once. Throws 'apiTokenNotFound'. */
    revoke: (owner_id: string, id: string): Promise<void> => db.write(revokeToken, { owner_id, id }),
  }
}
