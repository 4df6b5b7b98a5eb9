import { emailKey } from '@kopilka/contract/email-key.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Db, Trx } from '../db/schema.ts'
import { DatabaseUnavailable } from '../errors.ts'
import { sha256 } from '../hash.ts'

/** Most known devices of an account; the oldest are dropped. */
const AT_MOST = 20
/** Milliseconds for which a device is known after a sign-in: as long as its cookie lasts (http/device-cookie.ts). */
const KNOWN_FOR = 365 * 24 * 60 * 60_000

/**
 * Finds a device by its secret: 'known' if the account that an email names has signed in with it, 'issued' if only others
 * have; undefined if the server never issued the secret. An email without an account takes the same queries.
 */
export async function findDevice(
  db: Db,
  { email, owner_id, secret }: { email: string; owner_id: string | undefined; secret: string },
): Promise<'known' | 'issued' | undefined> {
  const secret_hash = sha256(secret)
  const known = await db
    .selectFrom('known_devices')
    .select('owner_id')
    // Of no account, but on some machine of a distributed database, and always the same one, as an account's is.
    .where('owner_id', '=', owner_id ?? sha256(emailKey(email)))
    .where('secret_hash', '=', secret_hash)
    .executeTakeFirst()
  if (known) return 'known'
  const ofOther = await findIssued(db, secret_hash).catch((error: unknown) => {
    // It asks every machine of a distributed database. Without one the device gets a new secret: nobody is kept out.
    if (error instanceof DatabaseUnavailable) return undefined
    throw error
  })
  return ofOther && 'issued'
}

const findIssued = (db: Db, secret_hash: string) =>
  db
    .selectFrom('known_devices')
    .select('secret_hash')
    .where('secret_hash', '=', secret_hash)
    .limit(1)
    .executeTakeFirst()

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
