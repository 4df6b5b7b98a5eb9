import { sql } from 'kysely'
import { command } from '../db/command.ts'
import { deleteFirst } from '../db/delete-first.ts'
import type { Database } from '../db/open.ts'
import type { ItemKind, Trx } from '../db/schema.ts'
import { statement, type Value } from '../db/statement.ts'
import { AppError } from '../errors.ts'
import { sha256 } from '../hash.ts'
import type { ItemContent, OptionalFields } from './item.ts'

/** Lifetime of an idempotency key, in milliseconds. */
const KEPT_FOR = 30 * 24 * 60 * 60_000

/**
 * Most keys of an owner that a purge keeps, twice a day: within the rate limits one might make 26 million in 30 days, which are 10 GB.
 */
const AT_MOST = 100_000

/** Most expired keys that a request deletes, so that no request pays for many. */
const PURGED_AT_ONCE = 10

/** Most keys that a step of a purge deletes, so that others write in between. */
const STEP = 1000

/** Identifies a request without storing its texts: deleted texts must not remain here. Absent fields do not count. */
export function requestHash(kind: ItemKind, request: ItemContent & Partial<OptionalFields>): string {
  const sent = Object.entries(request).filter(([, value]) => value !== undefined)
  return sha256(JSON.stringify([kind, sent.toSorted()]))
}

interface KeyRow {
  owner_id: string
  key_hash: string
  request_hash: string
  item_id: string
  now: number
  expired: number
}

/** Returns a row if the key is new or expired. A concurrent request with the key waits here for the first transaction. */
const claim = statement((db, value: Value<KeyRow>) =>
  db
    .insertInto('idempotency_keys')
    .values({
      owner_id: value('owner_id'),
      key_hash: value('key_hash'),
      request_hash: value('request_hash'),
      item_id: value('item_id'),
      created_at: value('now'),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['owner_id', 'key_hash'])
        .doUpdateSet(({ ref }) => ({
          request_hash: ref('excluded.request_hash'),
          item_id: ref('excluded.item_id'),
          created_at: ref('excluded.created_at'),
        }))
        .where('idempotency_keys.created_at', '<=', value('expired')),
    )
    .returning('item_id'),
)

const known = statement((db, value: Value<Pick<KeyRow, 'owner_id' | 'key_hash'>>) =>
  db
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'item_id'])
    .where('owner_id', '=', value('owner_id'))
    .where('key_hash', '=', value('key_hash')),
)

const purge = deleteFirst<Pick<KeyRow, 'owner_id' | 'expired'> & { limit: number }>({
  ...{ table: 'idempotency_keys', key: 'key_hash', order: 'created_at' },
  where: (value) => sql`created_at <= ${value('expired')}`,
})

export interface IdempotentRequest {
  owner_id: string
  /** The `Idempotency-Key` of the request. */
  key: string
  /** From {@link requestHash}. */
  request_hash: string
  /** The item that the request is about to create. */
  item_id: string
  now: number
}

/**
 * Records the key in the transaction that creates an item. Returns the id of the item that the same request created before;
 * undefined if the request is new. Throws 'idempotencyKeyReused' if another request used the key.
 */
export async function findIdempotentResult(
  trx: Trx,
  { key, ...request }: IdempotentRequest,
): Promise<string | undefined> {
  const { owner_id, now, request_hash } = request
  const [key_hash, expired] = [sha256(key), now - KEPT_FOR]
  const claimed = await claim(trx, { ...request, key_hash, expired })
  if (claimed.length > 0) {
    await purge(trx, { owner_id, expired, limit: PURGED_AT_ONCE })
    return undefined
  }
  const [before] = await known(trx, { owner_id, key_hash })
  if (before?.request_hash !== request_hash) throw new AppError('idempotencyKeyReused')
  return before.item_id
}

interface Forgotten {
  owner_id: string
  until: number
}

/** Deletes {@link STEP} keys until a time at most. Resolves to how many. */
export const forgetKeys = command('items.forget-keys', async (trx, { owner_id, until }: Forgotten) => {
  const keys = await purge(trx, { owner_id, expired: until, limit: STEP })
  return keys.length
})

/** Deletes expired keys, and the oldest of too many. */
export async function purgeKeys(
  db: Database,
  { owner_id, now }: { owner_id: string; now: number },
  atMost = AT_MOST,
): Promise<void> {
  const excess = await db
    .selectFrom('idempotency_keys')
    .select('created_at')
    .where('owner_id', '=', owner_id)
    .orderBy('created_at', 'desc')
    .offset(atMost)
    .limit(1)
    .executeTakeFirst()
  const until = Math.max(now - KEPT_FOR, excess?.created_at ?? 0)
  while ((await db.write(forgetKeys, { owner_id, until })) === STEP) {}
}
