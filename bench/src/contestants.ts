import { setTimeout as sleep } from 'node:timers/promises'
import { groundOf, type SignedIn, signIn } from './account.ts'
import type { Plan } from './arguments.ts'
import type { Account, BenchDatabase } from './databases.ts'
import { type RunningServer, startProduct, startYardstick } from './servers.ts'
import { memory } from './usage.ts'

export const YARDSTICK = 'yardstick'

/** A server, and the account that it is asked for. */
export interface Contestant {
  /** {@link YARDSTICK}, or the name of a product. */
  readonly name: string
  /** Items in the database. */
  readonly items: number
  readonly account: Account
  readonly server: RunningServer
}

/** A server that was started, and what it took before anybody asked it for anything. */
export interface Started {
  readonly name: string
  readonly database: BenchDatabase
  readonly server: RunningServer
  /** Megabytes. */
  readonly idle: number
}

/** Milliseconds after which a started server has nothing more to do. */
const SETTLED = 1000

/** Starts the yardstick and each product over a database, one after the other. */
export async function startAll({ products }: Plan, database: BenchDatabase): Promise<Started[]> {
  const started: Started[] = []
  const add = async (name: string, server: RunningServer) => {
    await sleep(SETTLED)
    started.push({ name, database, server, idle: memory(server.pid) })
  }
  for (const { name, folder } of products) await add(name, await startProduct(folder, database.settings))
  await add(YARDSTICK, await startYardstick(database.settings))
  return started
}

/** Each of the servers with each account of its database. */
export const contestantsOf = (started: readonly Started[]): Contestant[] =>
  started.flatMap(({ name, database, server }) =>
    database.accounts.map((account) => ({ name, items: database.items, account, server })),
  )

/**
 * Signs in for each contestant. The yardstick knows neither sign-ins nor passwords: it is asked in the name of those
 * who signed in to a product over the same database.
 */
export async function signInAll(contestants: readonly Contestant[]): Promise<Map<Contestant, SignedIn>> {
  const signedIn = new Map<Contestant, SignedIn>()
  for (const contestant of contestants) {
    const { items, account } = contestant
    const product = contestants.find((other) => other.name !== YARDSTICK && other.items === items)
    if (!product) throw new Error('The yardstick runs beside a product.')
    const headers = await signIn(product.server.port, account)
    signedIn.set(contestant, { headers, ground: await groundOf(product.server.port, headers) })
  }
  return signedIn
}
