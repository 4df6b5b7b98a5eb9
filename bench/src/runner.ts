import { deleteNewNotes, type SignedIn } from './account.ts'
import { openLoad, sendOnce, writeRequest } from './load.ts'
import type { AccountData, Requested, Scenario } from './scenarios.ts'
import type { Target } from './targets.ts'
import { processorTime } from './usage.ts'

/** What was measured of one target in one scenario, all windows together. */
export interface Figures {
  readonly scenario: string
  readonly connections: number
  /** `baseline`, or the name of a product. */
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
  /** Milliseconds of processor time a request, of the server's process. Meaningless where others load it as well. */
  readonly processor: number
}

/** Runs one scenario against one target, whose connections stay open. */
export interface Runner {
  readonly target: Target
  /** Bytes of the response to the first request. */
  readonly bytes: number
  /** Sends requests for so many milliseconds; counted in the figures, or only to warm up. */
  window(milliseconds: number, counts: boolean): Promise<void>
  figures(): Figures
  /** Deletes the notes that were created. */
  close(): Promise<void>
}

/** Reads are written ahead, so many different ones: the generator only sends them. */
const WRITTEN = 200

/** Opens the connections of a target for a scenario. */
export async function openRunner(
  target: Target,
  { headers, data }: SignedIn,
  scenario: Scenario,
  connections: number,
): Promise<Runner> {
  const { name, server, items, account } = target
  const began = Date.now()
  const load = await openLoad(server.port, connections)
  const next = requestsOf(scenario, data, headers)
  const { beside } = scenario
  const background = beside && {
    load: await openLoad(server.port, beside.connections),
    next: requestsOf(beside, data, headers),
    status: beside.status,
  }
  const { body } = await sendOnce(server.port, { headers, ...scenario.request(data, 0) })
  const latencies: number[] = []
  let [milliseconds, processor] = [0, 0]

  return {
    target,
    bytes: Buffer.byteLength(body),

    async window(length, counts) {
      const before = processorTime(server.pid)
      const [sample] = await Promise.all([
        load.send(next, scenario.status, length),
        background?.load.send(background.next, background.status, length),
      ])
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
        processor: background ? Number.NaN : processor / sorted.length,
      }
    },

    async close() {
      load.close()
      background?.load.close()
      if (scenario.writes || background) await deleteNewNotes(server.port, headers, began)
    },
  }
}

/** The requests of a scenario in order. Each write differs from all before it, so it is written when it is sent. */
function requestsOf(
  { request, writes }: Pick<Scenario, 'request' | 'writes'>,
  data: AccountData,
  headers: SignedIn['headers'],
): () => Buffer {
  const write = (index: number): Buffer => {
    const requested: Requested = request(data, index)
    return writeRequest({ headers, ...requested })
  }
  const written = writes ? [] : Array.from({ length: WRITTEN }, (_, index) => write(index))
  let index = 0
  return () => {
    index += 1
    return written[index % WRITTEN] ?? write(index)
  }
}
