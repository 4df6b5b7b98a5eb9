import process from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely } from 'kysely'
import type { Config } from '../../config.ts'
import { dialectFor, openDb } from '../../db/open.ts'
import type { Tables } from '../../db/schema.ts'
import { type Client, createClient } from '../client.ts'
import { type Account, newAccount } from '../new-account.ts'
import type { TestPostgres } from '../postgres.ts'
import { createRandom } from '../random.ts'
import { type ServerProcess, startServer } from '../server-process.ts'
import { compare } from './compare.ts'
import { beginDeletionsForEver } from './deletions-for-ever.ts'
import { integrityErrors } from './integrity.ts'
import { beginManyChanges } from './many-changes.ts'
import { beginPictures } from './pictures.ts'
import { create } from './requests.ts'
import { beginTransfers } from './transfers.ts'
import { moreAcknowledged, underLoad } from './under-load.ts'
import { createWriteLog, type WriteLog } from './write-log.ts'

/** Writes that must be acknowledged before the incident. */
const WARM_UP_WRITES = 32

/** What is killed or stopped under load. */
export type Incident = 'kill-server' | 'crash-postgres' | 'stop-postgres' | 'kill-both'

export interface RoundResult {
  /** A message for each error; none in a round that passed. */
  readonly faults: readonly string[]
  readonly acknowledged: number
  /** Number of writes without a response. */
  readonly unanswered: number
  /** Milliseconds from the database's return to the next acknowledged write, where the server survived. */
  readonly recovery: number | undefined
}

interface RoundOptions {
  readonly settings: Pick<Config, 'DATA_DIR' | 'DATABASE_URL'>
  /** The PostgreSQL to crash or stop. */
  readonly postgres?: TestPostgres
}

/** Runs rounds over one database, which grows, and one server, which is restarted after each kill. */
export async function createRounds({ settings, postgres }: RoundOptions) {
  let server: ServerProcess
  let client: Client
  let address: string
  const killServer = () => server.child.kill('SIGKILL')
  process.once('exit', killServer)

  async function start(): Promise<void> {
    const environment = { ...settings, RATE_LIMIT: 'off', LOG_LEVEL: 'silent' }
    server = startServer({ folder: settings.DATA_DIR, settings: environment })
    address = await server.address()
    client = createClient(address)
  }

  /** The jobs of a killed server are free once its leases are over. */
  async function endLeases(): Promise<void> {
    const db = new Kysely<Tables>({ dialect: dialectFor(settings).connectForMigrations() })
    try {
      await db.updateTable('jobs').set({ leased_until: 0 }).execute()
    } finally {
      await db.destroy()
    }
  }

  /** Each resolves to true where the server survived. */
  const incidents: Readonly<Record<Incident, () => Promise<boolean>>> = {
    async 'kill-server'() {
      killServer()
      await server.ended
      return false
    },
    async 'kill-both'() {
      killServer()
      await postgres?.control('crash')
      await server.ended
      await postgres?.control('start')
      return false
    },
    async 'crash-postgres'() {
      await postgres?.control('crash')
      await postgres?.control('start')
      return true
    },
    async 'stop-postgres'() {
      await postgres?.control('stop')
      await postgres?.control('start')
      return true
    },
  }

  /** Writes until the incident and, where the server survives, after it. Returns the recovery time in milliseconds. */
  const load = (incident: Incident, writeLog: WriteLog, account: Account, seed: number) =>
    underLoad({ client, account, writeLog, seed }, async () => {
      await moreAcknowledged(writeLog, WARM_UP_WRITES)
      await sleep(createRandom(seed).between(0, 500))
      const survives = await incidents[incident]()
      if (!survives) return undefined
      const back = performance.now()
      await moreAcknowledged(writeLog, 1)
      const recovery = performance.now() - back
      await moreAcknowledged(writeLog, WARM_UP_WRITES)
      return recovery
    })

  /** Retries creations without a response, as a reconnecting client does: none may be duplicated. */
  async function retryUnanswered(writeLog: WriteLog, { session }: Account): Promise<string[]> {
    const faults: string[] = []
    for (const entry of writeLog.entries.values()) {
      const [before, version, ...more] = entry.possible
      if (before !== undefined || version === undefined || more.length > 0) continue
      const writing = { client, token: session.access_token, writeLog }
      if (!(await create(writing, entry, version))) faults.push(`${entry.name}: повторный запрос не принят`)
    }
    return faults
  }

  async function checkIntegrity(): Promise<string[]> {
    const db = await openDb(settings)
    try {
      return await integrityErrors(db)
    } finally {
      await db.destroy()
    }
  }

  await start()
  return {
    async run(incident: Incident, seed: number): Promise<RoundResult> {
      const writeLog = createWriteLog()
      const account = await newAccount(client)
      const reading = () => ({ client, token: account.session.access_token })
      const transfers = await beginTransfers({ address, client }, seed)
      const manyChanges = await beginManyChanges({ client, writeLog }, seed)
      const pictures = await beginPictures({ address, client }, seed)
      // Every other round, whose seeds are 1,000 apart: they take long.
      const deletionsForEver =
        Math.trunc(seed / 1000) % 2 === 0
          ? await beginDeletionsForEver({ client, writeLog }, seed)
          : undefined
      const recovery = await load(incident, writeLog, account, seed)
      if (recovery === undefined) {
        await endLeases()
        await start()
      }
      await transfers.stop()
      await manyChanges.stop()
      await pictures.stop()
      await deletionsForEver?.stop()
      // Before anything is sent again.
      const broken = await checkIntegrity()
      const unanswered = [...writeLog.entries.values()].filter(({ possible }) => possible.length > 1).length
      const faults = [
        ...writeLog.unexpectedResponses,
        ...broken,
        ...(recovery === undefined && writeLog.unavailable > 0
          ? [`ответов 503 без причины: ${writeLog.unavailable}`]
          : []),
        // Before a job finishes what the server should have.
        ...(await manyChanges.faults(client, recovery === undefined)),
        ...(await compare(reading(), writeLog)),
        ...(await retryUnanswered(writeLog, account)),
        ...(await compare(reading(), writeLog)),
        ...(await transfers.faults({ address, client })),
        ...(await pictures.faults({ address, client })),
        ...((await deletionsForEver?.faults(client)) ?? []),
        ...(await checkIntegrity()),
      ]
      return { faults: [...new Set(faults)], acknowledged: writeLog.acknowledged(), unanswered, recovery }
    },

    async close(): Promise<void> {
      process.off('exit', killServer)
      server.child.kill('SIGTERM')
      await server.ended
    },
  }
}
