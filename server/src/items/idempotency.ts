import { createHash } from 'node:crypto'
import type { ItemKind, Trx } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { ItemDraft } from './item.ts'

/** How long a request may be sent again, in milliseconds. */
const KEPT_FOR = 24 * 60 * 60_000

interface Creation {
  owner_id: string
  kind: ItemKind
  /** The `Idempotency-Key` of the request. */
  idempotencyKey: string
  draft: ItemDraft
  item_id: string
  now: number
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url')

/**
 * To be asked in the transaction that makes an item: the id of the item that this very request made before, undefined
 * where it was not sent before. Throws 'idempotencyKeyReused' where the key came with another request.
 * What was asked is kept as a hash only: a text that is deleted is gone.
 */
export async function findIdempotentResult(
  trx: Trx,
  { owner_id, kind, idempotencyKey, draft, item_id, now }: Creation,
): Promise<string | undefined> {
  const key_hash = hashOf(idempotencyKey)
  const request_hash = hashOf(JSON.stringify([kind, Object.entries(draft).toSorted()]))
  await trx
    .deleteFrom('idempotency_keys')
    .where('owner_id', '=', owner_id)
    .where('created_at', '<=', now - KEPT_FOR)
    .execute()
  // Of two at once the second waits here until the first is done.
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('idempotency_keys')
    .values({ owner_id, key_hash, request_hash, item_id, created_at: now })
    .onConflict((conflict) => conflict.columns(['owner_id', 'key_hash']).doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows) return undefined
  const known = await trx
    .selectFrom('idempotency_keys')
    .select(['request_hash', 'item_id'])
    .where('owner_id', '=', owner_id)
    .where('key_hash', '=', key_hash)
    .executeTakeFirstOrThrow()
  if (known.request_hash !== request_hash) throw new AppError('idempotencyKeyReused')
  return known.item_id
}
