import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import Database from 'better-sqlite3'
import { ROOT } from '../../scripts/prepare.mjs'
import { readAccount, signIn } from './account.ts'
import { databaseWith } from './databases.ts'
import { openLoad, sendOnce, writeRequest } from './load.ts'
import { type AccountData, type Requested, SCENARIOS } from './scenarios.ts'
import { type RunningServer, startProduct } from './servers.ts'
import { table } from './table.ts'

const ITEMS = 10_000
const ROUNDS = 30
const WINDOW = 300
/** Notes that are deleted: more than all windows together delete. */
const DELETED = 8_000

/** What the journal writes. SQLite drops the row before it is inserted: the statement runs, and writes nothing. */
const JOURNAL = ['changes', 'operations', 'trash']

/** A product over a copy of the database, and the requests that it gets. */
interface Side {
  readonly server: RunningServer
  readonly headers: Record<string, string>
  readonly data: AccountData
  readonly load: Awaited<ReturnType<typeof openLoad>>
}

interface Save {
  readonly name: string
  readonly status: number
  readonly requestsOf: (data: AccountData, deleted: readonly string[]) => (index: number) => Requested
}

const scenarioNamed = (name: string): Save => {
  const scenario = SCENARIOS.find((one) => one.name === name)
  if (!scenario) throw new RangeError(`There is no scenario '${name}'.`)
  return { name, status: scenario.status, requestsOf: (data) => (index) => scenario.request(data, index) }
}

const SAVES: readonly Save[] = [
  scenarioNamed('create'),
  scenarioNamed('change'),
  {
    name: 'delete',
    status: 204,
    requestsOf: (_, deleted) => (index) => {
      const id = deleted[index]
      if (id === undefined) throw new RangeError('All notes were deleted.')
      return { method: 'DELETE', path: API_PREFIX + notes.remove.path.replace(':id', id) }
    },
  },
]

/** Prints what the journal adds to a save on SQLite, with and without it in turn. See bench/README.md. */
export async function journal(): Promise<void> {
  const database = await databaseWith({ server: 'sqlite', sizes: [ITEMS], items: ITEMS })
  const [account] = database.accounts
  if (!account) throw new RangeError('The database has no account.')
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-journal-'))
  const sides: Side[] = []
  try {
    for (const name of ['with', 'without']) {
      const copy = join(folder, name)
      cpSync(database.settings.DATA_DIR, copy, { recursive: true })
      if (name === 'without') dropJournal(join(copy, 'kopilka.sqlite'))
      const server = await startProduct(ROOT, { DATA_DIR: copy })
      const headers = await signIn(server.port, account)
      const data = await readAccount(server.port, headers)
      sides.push({ server, headers, data, load: await openLoad(server.port, 1) })
    }
    const rows = [['save', 'with, p50 ms', 'without, p50 ms', 'with ÷ without']]
    for (const save of SAVES) rows.push(await measured(save, sides))
    console.log(table(rows))
  } finally {
    for (const { load, server } of sides) {
      load.close()
      await server.stop()
    }
    rmSync(folder, { recursive: true })
  }
}

function dropJournal(file: string): void {
  const db = new Database(file)
  for (const name of JOURNAL)
    db.exec(`create trigger no_${name} before insert on ${name} begin select raise(ignore); end`)
  db.close()
}

/** Short windows of both in turn: whatever else the machine does is borne by both alike. */
async function measured({ name, status, requestsOf }: Save, sides: readonly Side[]): Promise<string[]> {
  const runs = []
  for (const { server, headers, data, load } of sides) {
    const deleted = name === 'delete' ? await notesOf(server.port, headers) : []
    const request = requestsOf(data, deleted)
    let index = -1
    const next = () => {
      index += 1
      return writeRequest({ headers, ...request(index) })
    }
    runs.push({ load, next, latencies: [] as number[] })
  }
  for (let round = 0; round <= ROUNDS; round += 1)
    for (const run of round % 2 === 0 ? runs : runs.toReversed()) {
      const { latencies } = await run.load.send(run.next, status, WINDOW)
      if (round > 0) run.latencies.push(...latencies)
    }
  const [one = Number.NaN, other = Number.NaN] = runs.map(({ latencies }) => medianOf(latencies))
  return [name, one.toFixed(3), other.toFixed(3), (one / other).toFixed(2)]
}

const medianOf = (times: number[]): number => times.sort((one, other) => one - other)[times.length >> 1] ?? 0

async function notesOf(port: number, headers: Record<string, string>): Promise<string[]> {
  const ids: string[] = []
  for (let page = 1; ids.length < DELETED; page += 1) {
    const path = `${API_PREFIX}${notes.list.path}?page=${page}&view=summary`
    const { body } = await sendOnce(port, { method: 'GET', path, headers })
    const { results }: { results: { id: string }[] } = JSON.parse(body)
    if (results.length === 0) break
    ids.push(...results.map(({ id }) => id))
  }
  return ids
}
