import type { User } from '@kopilka/contract/accounts.ts'
import { emailKey } from '@kopilka/contract/email-key.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Db, Tables, Trx } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { lockCredentials, type VerifiedUser } from '../sessions/sessions.ts'
import { createPasswordHasher } from './passwords.ts'

interface NewUser {
  email: string
  password: string
  first_name: string
  last_name: string
}

interface Names {
  first_name?: string | undefined
  last_name?: string | undefined
}

/** Throws 'formInvalid' with a message for the email if it is taken. */
export const registerUser = command('users.register', async (trx, user: Tables['users']) => {
  const { numInsertedOrUpdatedRows } = await trx
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email_key').doNothing())
    .executeTakeFirst()
  if (!numInsertedOrUpdatedRows) throw new AppError('formInvalid', { email: ['emailTaken'] })
})

export const renameUser = command(
  'users.rename',
  async (trx, { owner_id, names }: { owner_id: string; names: Names }) => {
    await trx.updateTable('users').set(names).where('owner_id', '=', owner_id).execute()
  },
)

/** Sets the hash if it still is `before`, and keeps sign-ins waiting until the commit. Resolves to whether it was set. */
export async function setPasswordHash(
  trx: Trx,
  { owner_id, password_hash }: VerifiedUser,
  before?: string,
): Promise<boolean> {
  await lockCredentials(trx, owner_id)
  const { numUpdatedRows } = await trx
    .updateTable('users')
    .set({ password_hash })
    .where('owner_id', '=', owner_id)
    .$if(before !== undefined, (update) => update.where('password_hash', '=', before ?? ''))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * The user of an email in any spelling of its mailbox. An older account whose key would collide with another account's is
 * found by its own spelling only.
 */
async function findByEmail(db: Db, email: string): Promise<VerifiedUser | undefined> {
  const own = email.toLowerCase()
  return db
    .selectFrom('users')
    .select(['owner_id', 'password_hash'])
    .where('email_key', 'in', [emailKey(email), own])
    .orderBy(({ eb }) => eb.case().when('email_key', '=', own).then(eb.lit(0)).else(eb.lit(1)).end())
    .limit(1)
    .executeTakeFirst()
}

export type Users = ReturnType<typeof createUsers>

/** The users. */
export function createUsers(db: Database, clock: Clock, passwordHasher = createPasswordHasher()) {
  return {
    /** Throws what {@link registerUser} throws. */
    async register({ email, password, first_name, last_name }: NewUser): Promise<User> {
      const now = clock()
      const owner_id = uuidv7({ msecs: now })
      await db.write(registerUser, {
        owner_id,
        email,
        email_key: emailKey(email),
        first_name,
        last_name,
        password_hash: await passwordHasher.hash(password),
        created_at: now,
      })
      return { id: owner_id, email, first_name, last_name }
    },

    /** The owner of an email. */
    ownerOf: async (email: string): Promise<string | undefined> => (await findByEmail(db, email))?.owner_id,

    /** Verifies an email and password. Throws 'wrongCredentials', after the same time for an unknown email. */
    async checkCredentials({ email, password }: Pick<NewUser, 'email' | 'password'>): Promise<VerifiedUser> {
      const user = await findByEmail(db, email)
      const fits = await passwordHasher.verify(user?.password_hash, password)
      if (!user || !fits) throw new AppError('wrongCredentials')
      return user
    },

    async find(owner_id: string): Promise<User | undefined> {
      return db
        .selectFrom('users')
        .select(['owner_id as id', 'email', 'first_name', 'last_name'])
        .where('owner_id', '=', owner_id)
        .executeTakeFirst()
    },

    /** Changes names; an undefined one stays. */
    async rename(owner_id: string, { first_name, last_name }: Names): Promise<void> {
      const names = {
        ...(first_name !== undefined && { first_name }),
        ...(last_name !== undefined && { last_name }),
      }
      if (Object.keys(names).length > 0) await db.write(renameUser, { owner_id, names })
    },

    async passwordHash(owner_id: string): Promise<string | undefined> {
      const user = await db
        .selectFrom('users')
        .select('password_hash')
        .where('owner_id', '=', owner_id)
        .executeTakeFirst()
      return user?.password_hash
    },
  }
}
