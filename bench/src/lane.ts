import { forgetNewNotes, type SignedIn } from './account.ts'
import type { Contestant } from './contestants.ts'
import { askOnce, openLoad, writeRequest } from './load.ts'
import type { Scenario } from './scenarios.ts'
import { processorTime } from './usage.ts'

/** What was measured of one contestant in one scenario, all windows together. */
export interface Figures {
  readonly scenario: string
  readonly connections: number
  /** `yardstick`, or the name of a product. */
  readonly name: string
  /** Items in the database, and in the account. */
  readonly items: number
  readonly account: number
  readonly requests: number
  /** Requests a second. */
  readonly throughput: number
  /** Milliseconds. */
  readonly p50: number
  readonly p95: number
  /** Milliseconds of processor a request, of the server's process. */
  readonly processor: number
}

/** A contestant in one scenario, with its connections open. */
export interface Lane {
  readonly contestant: Contestant
  /** Bytes of the answer to the first request. */
  readonly bytes: number
  /** Asks for so many milliseconds; counted in the figures, or to warm up. */
  window(milliseconds: number, counts: boolean): Promise<void>
  figures(): Figures
  /** Leaves the account as it was. */
  close(): Promise<void>
}

/** As many requests are written ahead as there are different ones; the generator only sends them. */
const WRITTEN = 200

/** Opens the connections of a contestant for a scenario. */
export async function openLane(
  contestant: Contestant,
  { headers, ground }: SignedIn,
  scenario: Scenario,
  connections: number,
): Promise<Lane> {
  const { name, server, items, account } = contestant
  const began = Date.now()
  const asked = Array.from({ length: WRITTEN }, (_, turn) => ({ headers, ...scenario.request(ground, turn) }))
  const requests = asked.map(writeRequest)
  const load = await openLoad(server.port, connections)
  const { body } = await askOnce(server.port, { headers, ...scenario.request(ground, 0) })
  const latencies: number[] = []
  let [milliseconds, processor, turn] = [0, 0, 0]

  function next(): Buffer {
    turn += 1
    return requests[turn % WRITTEN] ?? Buffer.alloc(0)
  }

  return {
    contestant,
    bytes: Buffer.byteLength(body),

    async window(length, counts) {
      const before = processorTime(server.pid)
      const sample = await load.ask(next, scenario.status, length)
      if (!counts) return
      processor += processorTime(server.pid) - before
      milliseconds += sample.milliseconds
      latencies.push(...sample.latencies)
    },

    figures() {
      const sorted = latencies.sort((one, other) => one - other)
      const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? Number.NaN
      return {
        scenario: scenario.name,
        connections,
        name,
        items,
        account: account.items,
        requests: sorted.length,
        throughput: (sorted.length * 1000) / milliseconds,
        p50: at(0.5),
        p95: at(0.95),
        processor: processor / sorted.length,
      }
    },

    async close() {
      load.close()
      if (scenario.writes) await forgetNewNotes(server.port, headers, began)
    },
  }
}
