import { accounts } from '@kopilka/contract/accounts.ts'
import type { Config } from '../config.ts'
import { Refusal } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import type { SignIns } from './sign-ins.ts'
import type { Users } from './users.ts'

interface Parts {
  config: Pick<Config, 'REGISTRATION'>
  users: Users
  signIns: SignIns
}

export function serveAccounts({ serve }: Server, { config, users, signIns }: Parts): void {
  serve(accounts.register, ({ body }) => {
    if (config.REGISTRATION === 'closed') throw new Refusal('registrationClosed')
    return users.register(body)
  })

  serve(accounts.login, async ({ body }) => signIns.begin(await users.ownerWith(body)))

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
