import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Config } from '../../config.ts'
import { openDb } from '../../db/open.ts'
import { type Client, createClient } from '../client.ts'
import { type Account, newAccount } from '../new-account.ts'
import type { TestPostgres } from '../postgres.ts'
import { createRandom } from '../random.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { compare } from './compare.ts'
import { faultsInside } from './inside.ts'
import { createLedger, type Ledger } from './ledger.ts'
import { create } from './requests.ts'
import { moreAcknowledged, underLoad } from './under-load.ts'

/** Writes that must be acknowledged before something happens, so that a round is about something. */
const ENOUGH = 32

/** What happens under load. The server is killed, or the database server, or both. */
export type Incident = 'kill-server' | 'crash-postgres' | 'stop-postgres' | 'kill-both'

/** What a round saw. */
export interface Seen {
  /** Sentences that name what is wrong; none where all is well. */
  readonly faults: readonly string[]
  readonly acknowledged: number
  /** Writes that nobody answered. */
  readonly unanswered: number
  /** Milliseconds from the database server's return to the next acknowledged write, where the server lived on. */
  readonly recovery: number | undefined
}

interface Place {
  readonly settings: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>
  /** The database server, where it is one that may be crashed. */
  readonly postgres?: TestPostgres
}

/** Rounds over one database, which grows with them, and one server, which is started again as often as it is killed. */
export async function createRounds({ settings, postgres }: Place) {
  let server: ServerProcess
  let client: Client
  const killServer = () => server.child.kill('SIGKILL')
  process.once('exit', killServer)

  async function start(): Promise<void> {
    const environment = { ...settings, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' }
    server = startServer({ folder: settings.DATA_DIR, settings: environment })
    client = createClient(await server.address())
  }

  /** What happens; true where the server lived on. */
  const incidents: Readonly<Record<Incident, () => Promise<boolean>>> = {
    async 'kill-server'() {
      killServer()
      await server.ended
      return false
    },
    async 'kill-both'() {
      killServer()
      await postgres?.tell('crash')
      await server.ended
      await postgres?.tell('start')
      return false
    },
    async 'crash-postgres'() {
      await postgres?.tell('crash')
      await postgres?.tell('start')
      return true
    },
    async 'stop-postgres'() {
      await postgres?.tell('stop')
      await postgres?.tell('start')
      return true
    },
  }

  /** Writes until the incident, and where the server lives, some time beyond it. Milliseconds until it worked again. */
  const load = (incident: Incident, ledger: Ledger, account: Account, seed: number) =>
    underLoad({ client, account, ledger, seed }, async () => {
      await moreAcknowledged(ledger, ENOUGH)
      await sleep(createRandom(seed).between(0, 500))
      const lives = await incidents[incident]()
      if (!lives) return undefined
      const back = performance.now()
      await moreAcknowledged(ledger, 1)
      const recovery = performance.now() - back
      await moreAcknowledged(ledger, ENOUGH)
      return recovery
    })

  /** Sends again what was not answered, as a client does that came back: nothing is made twice. */
  async function sendAgain(ledger: Ledger, { session }: Account): Promise<string[]> {
    const faults: string[] = []
    for (const entry of ledger.entries.values()) {
      const [before, version, ...more] = entry.possible
      if (before !== undefined || version === undefined || more.length > 0) continue
      const writing = { client, token: session.access_token, ledger }
      if (!(await create(writing, entry, version))) faults.push(`${entry.name}: повторный запрос не принят`)
    }
    return faults
  }

  async function inside(): Promise<string[]> {
    const db = await openDb(settings)
    try {
      return await faultsInside(db)
    } finally {
      await db.destroy()
    }
  }

  await start()
  return {
    async run(incident: Incident, seed: number): Promise<Seen> {
      const ledger = createLedger()
      const account = await newAccount(client)
      const reading = () => ({ client, token: account.session.access_token })
      const recovery = await load(incident, ledger, account, seed)
      if (recovery === undefined) await start()
      const unanswered = [...ledger.entries.values()].filter(({ possible }) => possible.length > 1).length
      const faults = [
        ...ledger.wrongAnswers,
        ...(recovery === undefined && ledger.away > 0 ? [`ответов 503 без причины: ${ledger.away}`] : []),
        ...(await compare(reading(), ledger)),
        ...(await sendAgain(ledger, account)),
        ...(await compare(reading(), ledger)),
        ...(await inside()),
      ]
      return { faults: [...new Set(faults)], acknowledged: ledger.acknowledged(), unanswered, recovery }
    },

    async close(): Promise<void> {
      process.off('exit', killServer)
      server.child.kill('SIGTERM')
      await server.ended
    },
  }
}
