import { accounts, type User } from '@kopilka/contract/accounts.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import type { PasswordChanges } from './password-changes.ts'
import type { Users } from './users.ts'

interface Dependencies {
  config: Pick<Config, 'REGISTRATION'>
  users: Users
  passwords: PasswordChanges
  /** Throws 'formInvalid' where the password is wrong. */
  deleteAccount: (owner_id: string, password: string) => Promise<void>
}

/** Serves registration, the profile and passwords. */
export function serveUsers(
  { serve }: Server,
  { config, users, passwords, deleteAccount }: Dependencies,
): void {
  const registrationOpen = () => {
    if (config.REGISTRATION === 'closed') throw new AppError('registrationClosed')
  }
  serve(accounts.register, ({ body }) => users.register(body), registrationOpen)

  serve(accounts.passwordReset, async ({ body, locale }) => {
    await passwords.requestReset(body.email, locale)
    return {}
  })

  serve(accounts.passwordResetConfirm, async ({ body }) => {
    await passwords.confirmReset(body)
    return {}
  })

  const found = async (owner_id: string): Promise<User> => {
    const user = await users.find(owner_id)
    if (!user) throw new AppError('unauthorized')
    return user
  }

  serve(accounts.me, ({ caller }) => found(caller.owner_id))

  serve(accounts.changeProfile, async ({ caller: { owner_id }, body }) => {
    await users.rename(owner_id, body)
    return found(owner_id)
  })

  serve(accounts.remove, async ({ caller, body }) => {
    await deleteAccount(caller.owner_id, body.password)
    return undefined
  })

  serve(accounts.changePassword, async ({ caller, body }) => {
    await passwords.change(caller, body)
    return {}
  })
}
