import { setTimeout as sleep } from 'node:timers/promises'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { exports } from '@kopilka/contract/exports.ts'
import { type Import, imports } from '@kopilka/contract/imports.ts'
import type { Client } from '../client.ts'
import { type Account, newAccount } from '../new-account.ts'
import { createRandom } from '../random.ts'
import { sendFile } from '../send-file.ts'

/** Time limit of a wait in milliseconds: attempts that an incident has ended are repeated after up to a minute. */
const TIME_LIMIT = 150_000
const WAIT = 50

/** A server, where it listens now. */
interface Reached {
  readonly address: string
  readonly client: Client
}

/** An import and exports that an incident interrupts. */
export interface Transfers {
  /** Stops exporting; resolves once nothing is under way. */
  stop(): Promise<void>
  /** Ends the import as its user would, and resolves to what is missing, twice, or otherwise wrong. */
  faults(server: Reached): Promise<string[]>
}

/** Sends a file of addresses, imports it as soon as it is read, and exports again and again meanwhile. */
export async function beginTransfers({ address, client }: Reached, seed: number): Promise<Transfers> {
  const account = await newAccount(client)
  const random = createRandom(seed)
  const urls = Array.from(
    { length: random.between(300, 1000) },
    (_, at) => `https://example.org/${seed}/${at}`,
  )
  const found: string[] = []
  let isWorking = true

  /** Whether the request that was under way when the incident happened has failed. */
  const unlessBroken = <T>(work: Promise<T>): Promise<T | undefined> => work.catch(() => undefined)

  async function importAll(): Promise<void> {
    const sent = await sendFile({ address }, account, urls.join('\n'))
    await run({ address, client }, account, sent.body, () => isWorking)
  }

  async function exportAgain(): Promise<void> {
    while (isWorking) {
      const whole = await unlessBroken(exported(address, account))
      if (whole !== undefined && addressesIn(whole) === undefined)
        found.push('выгрузка оборвана, но выдана за целую')
      await sleep(WAIT)
    }
  }

  const working = [unlessBroken(importAll()), exportAgain()]
  return {
    async stop() {
      isWorking = false
      await Promise.all(working)
    },

    async faults(server) {
      const begun = await server.client.call(imports.list, {}, account.auth)
      const [last = (await sendFile(server, account, urls.join('\n'))).body] = begun.results
      const done = await run(server, account, last, () => true)
      if (done.state !== 'done') return [...found, `импорт: ${done.state} ${done.error ?? ''}`]
      const kept = addressesIn(await exported(server.address, account)) ?? []
      if (kept.toSorted().join() !== urls.toSorted().join())
        found.push(`после импорта ${kept.length} ссылок, разных ${new Set(kept).size}, а не ${urls.length}`)
      const again = await read(server, account, (await sendFile(server, account, urls.join('\n'))).body)
      if (again.summary.new > 0) found.push(`второй импорт добавил бы ${again.summary.new}`)
      return found
    },
  }
}

/** Waits until an import has left a state; while the server does not respond, asks again. */
async function leaving(
  { client }: Reached,
  account: Account,
  { id }: Import,
  state: Import['state'],
  isWanted = () => true,
): Promise<Import> {
  const deadline = performance.now() + TIME_LIMIT
  for (;;) {
    const one = await client.call(imports.read, { params: { id } }, account.auth)
    if (one.state !== state || !isWanted()) return one
    if (performance.now() > deadline) throw new Error(`Импорт и через ${TIME_LIMIT / 1000} с: ${state}.`)
    await sleep(WAIT)
  }
}

const read = (server: Reached, account: Account, one: Import) => leaving(server, account, one, 'reading')

/** Reads and runs an import to its end, unless it is not wanted any more. */
async function run(server: Reached, account: Account, one: Import, isWanted: () => boolean): Promise<Import> {
  const { id, state } = await leaving(server, account, one, 'reading', isWanted)
  if (state === 'ready' && isWanted())
    await server.client.call(imports.run, { params: { id }, body: {} }, account.auth)
  return leaving(server, account, one, 'running', isWanted)
}

/** The text of an export; throws where the connection breaks. */
async function exported(address: string, { auth }: Account): Promise<string> {
  const response = await fetch(`${address}${API_PREFIX}${exports.file.path}?format=json`, {
    headers: { authorization: `Bearer ${auth.token}` },
  })
  if (!response.ok) throw new Error(`${exports.file.path}: ${response.status}`)
  return response.text()
}

/** The addresses of an export; undefined where it is not whole. */
function addressesIn(text: string): string[] | undefined {
  try {
    const { items }: { items: { url: string }[] } = JSON.parse(text)
    return items.map(({ url }) => url)
  } catch {
    return undefined
  }
}
