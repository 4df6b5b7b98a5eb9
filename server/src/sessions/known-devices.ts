import { emailKey } from '@kopilka/contract/email-key.ts'
import { sql } from 'kysely'
import type { Db, Trx } from '../db/schema.ts'
import { sha256 } from '../hash.ts'

/** Most known devices of an account; the oldest are dropped. */
const AT_MOST = 20

/**
 * Finds a device by its secret: 'known' if the owner of this email has signed in with it, 'issued' if only others have;
 * undefined if the server never issued the secret. One query in every case.
 */
export async function findDevice(
  db: Db,
  email: string,
  secret: string | undefined,
): Promise<'known' | 'issued' | undefined> {
  const device = await db
    .selectFrom('known_devices')
    .innerJoin('users', 'users.owner_id', 'known_devices.owner_id')
    .select((eb) =>
      eb
        .case()
        .when('users.email_key', 'in', [emailKey(email), email.toLowerCase()])
        .then(sql.lit(1))
        .else(sql.lit(0))
        .end()
        .as('known'),
    )
    .where('known_devices.secret_hash', '=', sha256(secret ?? ''))
    .orderBy('known', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!device) return undefined
  return device.known ? 'known' : 'issued'
}

/** Stores that the owner signed in with this device, and deletes the oldest beyond {@link AT_MOST}. */
export async function rememberDevice(
  trx: Trx,
  { owner_id, secret_hash, now }: { owner_id: string; secret_hash: string; now: number },
): Promise<void> {
  await trx
    .insertInto('known_devices')
    .values({ owner_id, secret_hash, signed_in_at: now })
    .onConflict((conflict) =>
      conflict.columns(['owner_id', 'secret_hash']).doUpdateSet({ signed_in_at: now }),
    )
    .execute()
  // The present device is kept: after a clock that was ahead, all others may have later times.
  await trx
    .deleteFrom('known_devices')
    .where('owner_id', '=', owner_id)
    .where('secret_hash', '!=', secret_hash)
    .where('secret_hash', 'not in', (latest) =>
      latest
        .selectFrom('known_devices')
        .select('secret_hash')
        .where('owner_id', '=', owner_id)
        .where('secret_hash', '!=', secret_hash)
        .orderBy('signed_in_at', 'desc')
        .orderBy('secret_hash')
        .limit(AT_MOST - 1),
    )
    .execute()
}
