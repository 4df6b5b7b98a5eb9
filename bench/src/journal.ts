import { cpSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import Database from 'better-sqlite3'
import { databaseWith } from './databases.ts'
import { sendOnce } from './load.ts'
import { type Case, closeSides, measured, openSide, type Side, scenarioNamed } from './sides.ts'
import { table } from './table.ts'

const ITEMS = 10_000
/** Notes that are deleted: more than all windows together delete. */
const DELETED = 8_000

/** What the journal writes. SQLite drops the row before it is inserted: the statement runs, and writes nothing. */
const JOURNAL = ['changes', 'operations', 'trash']

const savesOf = (deleted: ReadonlyMap<Side, readonly string[]>): readonly Case[] => [
  scenarioNamed('create'),
  scenarioNamed('change'),
  {
    name: 'delete',
    status: 204,
    requestsOf: (side) => (index) => {
      const id = deleted.get(side)?.[index]
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
      sides.push(await openSide({ DATA_DIR: copy }, account))
    }
    const deleted = new Map<Side, string[]>()
    for (const side of sides) deleted.set(side, await notesOf(side.server.port, side.headers))
    const rows = [['save', 'with, p50 ms', 'without, p50 ms', 'with ÷ without']]
    for (const save of savesOf(deleted)) rows.push(await measured(save, sides))
    console.log(table(rows))
  } finally {
    await closeSides(sides)
    rmSync(folder, { recursive: true })
  }
}

function dropJournal(file: string): void {
  const db = new Database(file)
  for (const name of JOURNAL)
    db.exec(`create trigger no_${name} before insert on ${name} begin select raise(ignore); end`)
  db.close()
}

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
