import { ROOT } from '../../scripts/prepare.mjs'
import { readAccount, signIn } from './account.ts'
import type { Account, BenchDatabase } from './databases.ts'
import { openLoad, writeRequest } from './load.ts'
import { type AccountData, type Requested, SCENARIOS } from './scenarios.ts'
import { type RunningServer, startProduct } from './servers.ts'

const ROUNDS = 30
const WINDOW = 300

/** A product over one of two databases, and the requests that it gets. */
export interface Side {
  readonly server: RunningServer
  readonly headers: Record<string, string>
  readonly data: AccountData
  readonly load: Awaited<ReturnType<typeof openLoad>>
}

export async function openSide(
  settings: Partial<BenchDatabase['settings']>,
  account: Account,
): Promise<Side> {
  const server = await startProduct(ROOT, settings)
  const headers = await signIn(server.port, account)
  const data = await readAccount(server.port, headers)
  return { server, headers, data, load: await openLoad(server.port, 1) }
}

export async function closeSides(sides: readonly Side[]): Promise<void> {
  for (const { load, server } of sides) {
    load.close()
    await server.stop()
  }
}

/** Requests of one kind. */
export interface Case {
  readonly name: string
  readonly status: number
  readonly requestsOf: (side: Side) => (index: number) => Requested
}

export const scenarioNamed = (name: string): Case => {
  const scenario = SCENARIOS.find((one) => one.name === name)
  if (!scenario) throw new RangeError(`There is no scenario '${name}'.`)
  return {
    name,
    status: scenario.status,
    requestsOf:
      ({ data }) =>
      (index) =>
        scenario.request(data, index),
  }
}

/** The medians of two sides and their ratio. Short windows of both in turn: whatever else the machine does is borne by both alike. */
export async function measured(
  { name, status, requestsOf }: Case,
  sides: readonly Side[],
): Promise<string[]> {
  const runs = sides.map((side) => {
    const request = requestsOf(side)
    let index = -1
    const next = () => {
      index += 1
      return writeRequest({ headers: side.headers, ...request(index) })
    }
    return { load: side.load, next, latencies: [] as number[] }
  })
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) {
      const { latencies } = await run.load.send(run.next, status, WINDOW)
      if (round > 0) run.latencies.push(...latencies)
    }
  const [one = Number.NaN, other = Number.NaN] = runs.map(({ latencies }) => medianOf(latencies))
  return [name, one.toFixed(3), other.toFixed(3), (one / other).toFixed(2)]
}

const medianOf = (times: number[]): number => times.sort((one, other) => one - other)[times.length >> 1] ?? 0
