// `node bench/src/equal-time.ts [ROUNDS]`: whether the response time tells that an email has an account.
// See bench/README.md.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { accounts } from '@kopilka/contract/accounts.ts'
import { API_PREFIX, type Endpoint } from '@kopilka/contract/endpoint.ts'
import { ROOT } from '../../scripts/prepare.mjs'
import { sendOnce } from './load.ts'
import { startProduct } from './servers.ts'

const ROUNDS = Number(process.argv[2] ?? 200)
const ACCOUNTS = 20
/** Milliseconds after which the server has finished the background work of a request. */
const QUIET = 250

const KINDS = ['known', 'unknown'] as const
type Times = Record<(typeof KINDS)[number], number[]>

const emailOf = (kind: keyof Times, at: number): string => `${kind}-${at % ACCOUNTS}@example.org`

const folder = mkdtempSync(join(tmpdir(), 'kopilka-equal-time-'))
const { port, stop } = await startProduct(ROOT, { DATA_DIR: folder })

const timeOf = async ({ method, path }: Endpoint, body: object): Promise<number> => {
  const start = performance.now()
  await sendOnce(port, { method, path: `${API_PREFIX}${path}`, headers: {}, body })
  return performance.now() - start
}

async function compare(call: Endpoint): Promise<Times> {
  const times: Times = { known: [], unknown: [] }
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const kind of round % 2 ? KINDS : KINDS.toReversed()) {
      times[kind].push(await timeOf(call, { email: emailOf(kind, round), password: 'not this one' }))
      await sleep(QUIET)
    }
  }
  return times
}

const share = (times: number[], part: number): string =>
  (times.toSorted((one, other) => one - other)[Math.floor(times.length * part)] ?? 0).toFixed(2)

/** The share of all pairs in which the known email took longer: 0.5 tells nothing (Mann-Whitney U). */
const longer = ({ known, unknown }: Times): number =>
  known.flatMap((one) => unknown.filter((other) => one > other)).length / (known.length * unknown.length)

try {
  for (let at = 0; at < ACCOUNTS; at += 1) {
    const person = { email: emailOf('known', at), first_name: 'Анна', last_name: 'К.' }
    await timeOf(accounts.register, { ...person, password: 'secret one' })
  }
  for (const call of [accounts.login, accounts.passwordReset]) {
    const times = await compare(call)
    const rows = KINDS.map(
      (kind) => `${kind} p25 ${share(times[kind], 0.25)} p50 ${share(times[kind], 0.5)} ms`,
    )
    console.log(
      `${call.path} ${rows.join(', ')}; known took longer in ${longer(times).toFixed(2)} of all pairs`,
    )
  }
} finally {
  await stop()
  rmSync(folder, { recursive: true })
}
