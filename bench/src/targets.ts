import { setTimeout as sleep } from 'node:timers/promises'
import { readAccount, type SignedIn, signIn } from './account.ts'
import type { Plan } from './arguments.ts'
import type { Account, BenchDatabase } from './databases.ts'
import { type RunningServer, startBaseline, startProduct } from './servers.ts'
import { memory } from './usage.ts'

export const BASELINE = 'baseline'

/** A server and an account of its database. */
export interface Target {
  /** {@link BASELINE}, or the name of a product. */
  readonly name: string
  /** Items in the database. */
  readonly items: number
  readonly account: Account
  readonly server: RunningServer
}

/** A server that was started, and what it took before its first request. */
export interface Started {
  readonly name: string
  readonly database: BenchDatabase
  readonly server: RunningServer
  /** Milliseconds to its first response, the median of {@link STARTS}. */
  readonly coldStart: number
  /** Megabytes before its first request. */
  readonly idle: number
}

/** Milliseconds after which a started server is idle. */
const SETTLED = 1000

const STARTS = 9

/** Starts the baseline and each product over a database, one after the other. */
export async function startAll({ products }: Plan, database: BenchDatabase): Promise<Started[]> {
  const started: Started[] = []
  const add = async (name: string, start: () => Promise<RunningServer>) => {
    const coldStarts: number[] = []
    for (let count = 1; count < STARTS; count += 1) {
      const server = await start()
      coldStarts.push(server.coldStart)
      await server.stop()
    }
    const server = await start()
    coldStarts.push(server.coldStart)
    await sleep(SETTLED)
    const coldStart = coldStarts.sort((one, other) => one - other)[Math.floor(STARTS / 2)] ?? Number.NaN
    started.push({ name, database, server, coldStart, idle: memory(server.pid) })
  }
  for (const { name, folder } of products) await add(name, () => startProduct(folder, database.settings))
  await add(BASELINE, () => startBaseline(database.settings))
  return started
}

/** Each of the servers with each account of its database. */
export const targetsOf = (started: readonly Started[]): Target[] =>
  started.flatMap(({ name, database, server }) =>
    database.accounts.map((account) => ({ name, items: database.items, account, server })),
  )

/** Signs in for each target. The baseline authenticates nobody: it gets the headers of a product over the same database. */
export async function signInAll(targets: readonly Target[]): Promise<Map<Target, SignedIn>> {
  const signedIn = new Map<Target, SignedIn>()
  for (const target of targets) {
    const { items, account } = target
    const product = targets.find((other) => other.name !== BASELINE && other.items === items)
    if (!product) throw new Error('The baseline runs beside a product.')
    const headers = await signIn(product.server.port, account)
    signedIn.set(target, { headers, data: await readAccount(product.server.port, headers) })
  }
  return signedIn
}
