import { randomUUID } from 'node:crypto'
import { accounts, type Session, type User } from '@kopilka/contract/accounts.ts'
import type { Client } from './client.ts'

export interface Account extends User {
  password: string
  session: Session
  /** Request options that authenticate as this account. */
  auth: { token: string }
}

/** Registers a new user and signs in. `headers`: added to both requests. */
export async function newAccount(
  app: Pick<Client, 'call'>,
  headers: Record<string, string> = {},
): Promise<Account> {
  const credentials = { email: `${randomUUID()}@example.org`, password: 'correct horse' }
  const user = await app.call(
    accounts.register,
    { body: { first_name: 'Анна', last_name: 'Каренина', ...credentials } },
    { headers },
  )
  const session = await app.call(accounts.login, { body: credentials }, { headers })
  return { ...user, password: credentials.password, session, auth: { token: session.access_token } }
}
