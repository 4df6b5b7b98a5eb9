import { emailKey } from '@kopilka/contract/email-key.ts'
import { endsWithin } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Db, Trx } from '../db/schema.ts'
import { sha256 } from '../hash.ts'

/** Most known devices of an account; the oldest are dropped. */
const AT_MOST = 20
/** Milliseconds for which a device is known after a sign-in: as long as its cookie lasts (http/device-cookie.ts). */
const KNOWN_FOR = 365 * 24 * 60 * 60_000

/**
 * The secret by which the account that an email names knows the device that sends these; undefined if there is none. Secrets of
 * other accounts do not count: somebody may have planted his own in the browser. An email without an account takes the same query.
 */
export async function findDevice(
  db: Db,
  { email, owner_id, secrets }: { email: string; owner_id: string | undefined; secrets: readonly string[] },
): Promise<string | undefined> {
  const hashes = new Map(secrets.map((secret) => [sha256(secret), secret]))
  const known = await db
    .selectFrom('known_devices')
    .select('secret_hash')
    // Of no account, but on some machine of a distributed database, and always the same one, as an account's is.
    .where('owner_id', '=', owner_id ?? sha256(emailKey(email)))
    .where('secret_hash', 'in', [...hashes.keys()])
    .limit(1)
    .executeTakeFirst()
  return known && hashes.get(known.secret_hash)
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
  // Devices of a clock that was ahead go first. The present one is kept: the clock may have been right, and be behind now.
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
        .orderBy((device) => device('signed_in_at', '>', endsWithin(now, 0).until))
        .orderBy('signed_in_at', 'desc')
        .orderBy('secret_hash')
        .limit(AT_MOST - 1),
    )
    .execute()
}

interface OldDevices {
  owner_id: string
  until: number
}

export const forgetDevices = command(
  'sessions.forget-devices',
  async (trx, { owner_id, until }: OldDevices) => {
    await trx
      .deleteFrom('known_devices')
      .where('owner_id', '=', owner_id)
      .where('signed_in_at', '<=', until)
      .execute()
  },
)

/** Deletes the devices whose cookie has expired: the owner has not signed in with them since. */
export async function purgeDevices(db: Database, owner_id: string, now: number): Promise<void> {
  const until = now - KNOWN_FOR
  const old = await db
    .selectFrom('known_devices')
    .select('secret_hash')
    .where('owner_id', '=', owner_id)
    .where('signed_in_at', '<=', until)
    .executeTakeFirst()
  if (old) await db.write(forgetDevices, { owner_id, until })
}
