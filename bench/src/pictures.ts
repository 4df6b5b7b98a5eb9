import { spawn } from 'node:child_process'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import pg from 'pg'
import { ROOT } from '../../scripts/prepare.mjs'
import { createProgressBar } from '../../scripts/progress-bar.mjs'
import { type Account, type BenchDatabase, copyOf, databaseWith } from './databases.ts'
import { closeSides, measured, openSide, type Side, scenarioNamed } from './sides.ts'
import { table } from './table.ts'

type Settings = BenchDatabase['settings']

const ITEMS = 20_000
const PICTURES = 10_000
/** Bytes of a picture: one chunk. */
const SIZE = 200_000

const SCENARIOS = ['first page', 'first page, short', 'one item', 'latest', 'tags', 'create', 'change']

/**
 * Prints what 10,000 pictures (2 GB) add to lists, items, saves and backups. `server`: as of `databaseWith`. See
 * bench/README.md.
 */
export async function pictures([server = 'sqlite']: readonly string[]): Promise<void> {
  const database = await databaseWith({ server, sizes: [ITEMS], items: ITEMS })
  const [account] = database.accounts
  if (!account) throw new RangeError('The database has no account.')
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-pictures-'))
  const copies = await Promise.all(
    ['with', 'without'].map(async (name) => ({
      ...(await copyOf(database, `pictures_${name}`, join(folder, name))),
      name,
    })),
  )
  const sides: Side[] = []
  try {
    const [full] = copies
    if (full) await fill(full.settings, account)
    for (const { settings } of copies) sides.push(await openSide(settings, account))
    const rows = [['', 'with', 'without', 'with ÷ without']]
    for (const name of SCENARIOS) {
      const [, ...cells] = await measured(scenarioNamed(name), sides)
      rows.push([`${name}, p50 ms`, ...cells])
    }
    const times: number[] = []
    for (const { settings, name } of copies) times.push(await backUp(settings, join(folder, `${name}-copy`)))
    const [one = Number.NaN, other = Number.NaN] = times
    rows.push(['backup, s', one.toFixed(1), other.toFixed(1), (one / other).toFixed(2)])
    console.log(table(rows))
  } finally {
    await closeSides(sides)
    for (const { remove } of copies) await remove()
    rmSync(folder, { recursive: true })
  }
}

type Query = (text: string, values: readonly unknown[]) => Promise<Record<string, unknown>[]>

/** Runs statements on a database of either kind. */
async function withDatabase<T>(
  { DATA_DIR, DATABASE_URL }: Settings,
  use: (query: Query) => Promise<T>,
): Promise<T> {
  if (DATABASE_URL === '') {
    const db = new Database(join(DATA_DIR, 'kopilka.sqlite'))
    const query: Query = async (text, values) => {
      const statement = db.prepare<unknown[], Record<string, unknown>>(text.replaceAll(/\$\d+/g, '?'))
      if (statement.reader) return statement.all(...values)
      statement.run(...values)
      return []
    }
    return use(query).finally(() => db.close())
  }
  const client = new pg.Client({ connectionString: DATABASE_URL })
  await client.connect()
  return use(async (text, values) => (await client.query(text, [...values])).rows).finally(() => client.end())
}

/** Gives the account pictures, each named by one of its items. */
const fill = (settings: Settings, { email }: Account): Promise<void> =>
  withDatabase(settings, async (query) => {
    const [user] = await query('select owner_id from users where email_key = $1', [email])
    const owner_id = user?.owner_id
    const items = await query('select id from items where owner_id = $1', [owner_id])
    const bar = createProgressBar('Картинки', PICTURES)
    for (let at = 0; at < PICTURES; at += 1) {
      const id = randomUUID()
      await query(
        `insert into files (owner_id, id, type, width, height, bytes, is_complete, begun_at)
          values ($1, $2, 'image/png', 1000, 200, $3, 1, $4)`,
        [owner_id, id, SIZE, Date.now()],
      )
      await query('insert into file_chunks (owner_id, file_id, seq, bytes) values ($1, $2, 0, $3)', [
        owner_id,
        id,
        randomBytes(SIZE),
      ])
      await query('insert into file_items (owner_id, file_id, item_id) values ($1, $2, $3)', [
        owner_id,
        id,
        items[at % items.length]?.id,
      ])
      if (at % 100 === 99) bar.show(at + 1)
    }
    bar.finish()
    await query('analyze', [])
  })

/** Seconds of `npm run backup`. */
async function backUp(settings: Settings, file: string): Promise<number> {
  const begun = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'scripts', 'backup.ts'), '--to', file], {
    cwd: settings.DATA_DIR,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The backup ended with ${code}.`)
  return (performance.now() - begun) / 1000
}
