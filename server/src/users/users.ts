import type { User } from '@kopilka/contract/accounts.ts'
import { emailKey } from '@kopilka/contract/fields.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import type { Db, Trx } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { Proof } from '../sessions/sessions.ts'
import { checkPassword, hashPassword } from './passwords.ts'

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

export type Users = ReturnType<typeof createUsers>

/** The people who have an account. */
export function createUsers(db: Db, clock: Clock) {
  return {
    /** Throws 'formInvalid' with the email's message where it is taken. */
    async register({ email, password, first_name, last_name }: NewUser): Promise<User> {
      const now = clock()
      const owner_id = uuidv7({ msecs: now })
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('users')
        .values({
          owner_id,
          email,
          email_key: emailKey(email),
          first_name,
          last_name,
          password_hash: await hashPassword(password),
          created_at: now,
        })
        .onConflict((conflict) => conflict.column('email_key').doNothing())
        .executeTakeFirst()
      if (!numInsertedOrUpdatedRows) throw new AppError('formInvalid', { email: ['emailTaken'] })
      return { id: owner_id, email, first_name, last_name }
    },

    /** Whose email this is. */
    async ownerOf(email: string): Promise<string | undefined> {
      const user = await db
        .selectFrom('users')
        .select('owner_id')
        .where('email_key', '=', emailKey(email))
        .executeTakeFirst()
      return user?.owner_id
    },

    /** The owner whose email and password these are; throws 'wrongCredentials', after the same time for an unknown email. */
    async ownerWith({ email, password }: Pick<NewUser, 'email' | 'password'>): Promise<Proof> {
      const user = await db
        .selectFrom('users')
        .select(['owner_id', 'password_hash'])
        .where('email_key', '=', emailKey(email))
        .executeTakeFirst()
      const fits = await checkPassword(user?.password_hash, password)
      if (!user || !fits) throw new AppError('wrongCredentials')
      return user
    },

    async find(owner_id: string): Promise<User | undefined> {
      const user = await db
        .selectFrom('users')
        .select(['owner_id as id', 'email', 'first_name', 'last_name'])
        .where('owner_id', '=', owner_id)
        .executeTakeFirst()
      return user
    },

    /** A name that is undefined stays as it is. */
    async rename(owner_id: string, { first_name, last_name }: Names): Promise<void> {
      const names = {
        ...(first_name !== undefined && { first_name }),
        ...(last_name !== undefined && { last_name }),
      }
      if (Object.keys(names).length === 0) return
      await db.updateTable('users').set(names).where('owner_id', '=', owner_id).execute()
    },

    async passwordHash(owner_id: string): Promise<string | undefined> {
      const user = await db
        .selectFrom('users')
        .select('password_hash')
        .where('owner_id', '=', owner_id)
        .executeTakeFirst()
      return user?.password_hash
    },

    /** `before`: it is set only where this is still the hash. Answers whether it was set. */
    async setPasswordHash(trx: Trx, { owner_id, password_hash }: Proof, before?: string): Promise<boolean> {
      const { numUpdatedRows } = await trx
        .updateTable('users')
        .set({ password_hash })
        .where('owner_id', '=', owner_id)
        .$if(before !== undefined, (update) => update.where('password_hash', '=', before ?? ''))
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
