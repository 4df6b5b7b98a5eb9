import { accounts } from '@kopilka/contract/accounts.ts'
import { emailKey } from '@kopilka/contract/fields.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import type { Limits, Use } from '../http/limits.ts'
import type { Server } from '../http/serve.ts'
import type { Browsers } from './browsers.ts'
import type { SignIns } from './sign-ins.ts'
import type { Users } from './users.ts'

interface Parts {
  config: Pick<Config, 'REGISTRATION'>
  users: Users
  signIns: SignIns
  browsers: Browsers
  limits: Limits
}

export function serveAccounts({ serve }: Server, { config, users, signIns, browsers, limits }: Parts): void {
  serve(accounts.register, ({ body }) => {
    if (config.REGISTRATION === 'closed') throw new Refusal('registrationClosed')
    return users.register(body)
  })

  serve(accounts.login, async ({ body, address, browser }) => {
    const account = emailKey(body.email)
    const uses: Use[] = (await browsers.knows(account, browser.secret))
      ? [{ rate: 'signInFromKnownBrowser', who: `${account}\0${browser.secret}` }]
      : [
          { rate: 'signInToAccount', who: account },
          { rate: 'signInFromAddress', who: address },
        ]
    // Counted before the password is looked at, so that a thousand attempts at once are no way around; taken back where it was right.
    await limits.take(uses)
    const owner_id = await users.ownerWith(body)
    await limits.giveBack(uses)
    await browsers.add(owner_id, browser.remember())
    return signIns.begin(owner_id)
  })

  serve(accounts.refresh, async ({ body }) => {
    const session = await signIns.renew(body.refresh_token)
    if (!session) throw new Refusal('unauthorized')
    return session
  })

  serve(accounts.logout, async ({ caller }) => {
    await signIns.end(caller)
    return {}
  })

  serve(accounts.me, async ({ caller }) => {
    const user = await users.find(caller.owner_id)
    if (!user) throw new Refusal('unauthorized')
    return user
  })
}
