import { accounts, type User } from '@kopilka/contract/accounts.ts'
import { emailKey } from '@kopilka/contract/fields.ts'
import type { Config } from '../config.ts'
import { AppError } from '../errors.ts'
import type { Limits, Use } from '../http/limits.ts'
import type { Server } from '../http/serve.ts'
import type { KnownDevices } from '../sessions/known-devices.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { PasswordChanges } from './password-changes.ts'
import type { Users } from './users.ts'

interface Parts {
  config: Pick<Config, 'REGISTRATION'>
  users: Users
  sessions: Sessions
  passwords: PasswordChanges
  knownDevices: KnownDevices
  limits: Limits
}

export function serveAccounts(
  { serve }: Server,
  { config, users, sessions, passwords, knownDevices, limits }: Parts,
): void {
  const registrationOpen = () => {
    if (config.REGISTRATION === 'closed') throw new AppError('registrationClosed')
  }
  serve(accounts.register, ({ body }) => users.register(body), registrationOpen)

  serve(accounts.login, async ({ body, address, browser }) => {
    const account = emailKey(body.email)
    const uses: Use[] = (await knownDevices.knows(account, browser.secret))
      ? [{ rate: 'signInFromKnownBrowser', who: `${account}\0${browser.secret}` }]
      : [
          { rate: 'signInToAccount', who: account },
          { rate: 'signInFromAddress', who: address },
        ]
    // Counted before the password is looked at, so that a thousand attempts at once are no way around; taken back where it was right.
    await limits.take(uses)
    const proof = await users.ownerWith(body)
    await limits.giveBack(uses)
    await knownDevices.add(proof.owner_id, browser.remember())
    return sessions.begin(proof)
  })

  serve(accounts.refresh, async ({ body }) => {
    const session = await sessions.renew(body.refresh_token)
    if (!session) throw new AppError('unauthorized')
    return session
  })

  serve(accounts.logout, async ({ caller }) => {
    await sessions.end(caller)
    return {}
  })

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

  serve(accounts.changePassword, async ({ caller, body }) => {
    await passwords.change(caller, body)
    return {}
  })
}
