import { createHash } from 'node:crypto'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/schema.ts'

/** How many knownDevices an account is known by: the latest. */
const AT_MOST = 20

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

export type KnownDevices = ReturnType<typeof createKnownDevices>

/** The knownDevices in which someone signed in to an account before: they may sign in while others may not try. */
export function createKnownDevices(db: Db, clock: Clock) {
  return {
    /** Whether the account of this email, if there is one, was signed in to with this browser. One query in every case. */
    async knows(email_key: string, secret: string | undefined): Promise<boolean> {
      const found = await db
        .selectFrom('users')
        .innerJoin('browsers', 'browsers.owner_id', 'users.owner_id')
        .select('browsers.owner_id')
        .where('users.email_key', '=', email_key)
        .where('browsers.secret_hash', '=', hashOf(secret ?? ''))
        .executeTakeFirst()
      return found !== undefined
    },

    async add(owner_id: string, secret: string): Promise<void> {
      const signed_in_at = clock()
      await db
        .insertInto('browsers')
        .values({ owner_id, secret_hash: hashOf(secret), signed_in_at })
        .onConflict((conflict) => conflict.columns(['owner_id', 'secret_hash']).doUpdateSet({ signed_in_at }))
        .execute()
      await db
        .deleteFrom('browsers')
        .where('owner_id', '=', owner_id)
        .where('secret_hash', 'not in', (latest) =>
          latest
            .selectFrom('browsers')
            .select('secret_hash')
            .where('owner_id', '=', owner_id)
            .orderBy('signed_in_at', 'desc')
            .orderBy('secret_hash')
            .limit(AT_MOST),
        )
        .execute()
    },
  }
}
