import type { User } from '@kopilka/contract/accounts.ts'
import { emailKey } from '@kopilka/contract/fields.ts'
import { v7 as uuidv7 } from 'uuid'
import type { Clock } from '../clock.ts'
import type { Db } from '../db/schema.ts'
import { Refusal } from '../errors.ts'
import { checkPassword, hashPassword } from './passwords.ts'

interface NewUser {
  email: string
  password: string
  first_name: string
  last_name: string
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
      if (!numInsertedOrUpdatedRows) throw new Refusal('formInvalid', { email: ['emailTaken'] })
      return { id: owner_id, email, first_name, last_name }
    },

    /** The owner whose email and password these are; throws 'wrongCredentials', after the same time for an unknown email. */
    async ownerWith({ email, password }: Pick<NewUser, 'email' | 'password'>): Promise<string> {
      const user = await db
        .selectFrom('users')
        .select(['owner_id', 'password_hash'])
        .where('email_key', '=', emailKey(email))
        .executeTakeFirst()
      const fits = await checkPassword(user?.password_hash, password)
      if (!user || !fits) throw new Refusal('wrongCredentials')
      return user.owner_id
    },

    async find(owner_id: string): Promise<User | undefined> {
      const user = await db
        .selectFrom('users')
        .select(['owner_id as id', 'email', 'first_name', 'last_name'])
        .where('owner_id', '=', owner_id)
        .executeTakeFirst()
      return user
    },
  }
}
