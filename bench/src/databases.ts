import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CliError, ROOT } from '../../scripts/prepare.mjs'
import { createProgressBar } from '../../scripts/progress-bar.mjs'
import { copyDatabase, openServer } from './postgres.ts'

/** An account of a database, with what one signs in with. */
export interface Account {
  readonly email: string
  readonly password: string
  readonly items: number
}

/** A database with accounts full of items. */
export interface BenchDatabase {
  /** In all accounts together. */
  readonly items: number
  readonly accounts: readonly Account[]
  /** The settings that name it. */
  readonly settings: { readonly DATA_DIR: string; readonly DATABASE_URL: string }
}

interface Wanted {
  /** `sqlite`, or the address of a PostgreSQL whose user may create databases. */
  readonly server: string
  /** Sizes of the accounts to measure. */
  readonly sizes: readonly number[]
  /** The rest belongs to other accounts, which stay idle. */
  readonly items: number
}

/** Items that one run of the seed makes: an interrupted fill continues after its last portion. */
const PORTION = 10_000
/** The file that says how many portions there are. */
const STAMP = 'filled'
const PASSWORD = 'correct horse'
const FOLDER = join(ROOT, '.cache', 'bench')
const SEED = join(ROOT, 'scripts', 'seed.ts')
const MIGRATIONS = join(ROOT, 'server', 'src', 'db', 'migrations')

/** The newest migration: a database of an older schema is not measured. */
const newestMigration = (): string =>
  readdirSync(MIGRATIONS)
    .filter((file) => /^\d/.test(file))
    .sort()
    .at(-1) ?? ''

/** A database with these accounts. Made once and kept in .cache: a million items take a quarter of an hour. */
export async function databaseWith({ server, sizes, items }: Wanted): Promise<BenchDatabase> {
  const accounts = sizes.map((size) => accountOf(`bench-${size}`, size))
  const rest = items - sizes.reduce((sum, size) => sum + size, 0)
  if (rest < 0) throw new CliError(`В базе на ${items} записей нет места для счетов на ${sizes.join(' и ')}.`)
  const others = Array.from({ length: Math.ceil(rest / PORTION) }, (_, at) =>
    accountOf(`other-${at}`, Math.min(PORTION, rest - at * PORTION)),
  )
  const name = ['bench', newestMigration().slice(0, 3), ...sizes, items].join('_')
  const folder = join(FOLDER, server === 'sqlite' ? name : `${name}_postgres`)
  mkdirSync(folder, { recursive: true })
  const settings = { DATA_DIR: folder, DATABASE_URL: await addressOf(server, name, folder) }
  const database = { items, accounts, settings }
  await fill(database, [...accounts, ...others])
  return database
}

/** A copy of a database, for one run: in a folder, on PostgreSQL a database of this name. */
export async function copyOf(
  { settings: { DATA_DIR, DATABASE_URL } }: BenchDatabase,
  name: string,
  folder: string,
) {
  cpSync(DATA_DIR, folder, { recursive: true })
  if (DATABASE_URL === '') return { settings: { DATA_DIR: folder, DATABASE_URL }, remove: async () => {} }
  const { address, remove } = await copyDatabase(DATABASE_URL, name)
  return { settings: { DATA_DIR: folder, DATABASE_URL: address }, remove }
}

/** Empty for SQLite. The PostgreSQL server may be another one than in the last run. */
async function addressOf(server: string, name: string, folder: string): Promise<string> {
  if (server === 'sqlite') return ''
  const { address, isNew } = await openServer(server, name)
  if (isNew) rmSync(join(folder, STAMP), { force: true })
  return address
}

const accountOf = (name: string, items: number): Account => ({
  email: `${name}@example.org`,
  password: PASSWORD,
  items,
})

async function fill({ items, settings }: BenchDatabase, accounts: readonly Account[]): Promise<void> {
  const stamp = join(settings.DATA_DIR, STAMP)
  const portions = accounts.flatMap(portionsOf)
  const done = existsSync(stamp) ? Number(readFileSync(stamp, 'utf8')) : 0
  if (done === portions.length) return
  const bar = createProgressBar(`База на ${items}`, portions.length)
  for (const [at, portion] of portions.entries()) {
    bar.show(at)
    if (at < done) continue
    await seed(portion, settings, at)
    writeFileSync(stamp, String(at + 1))
  }
  bar.finish()
}

const portionsOf = ({ items, ...account }: Account): Account[] =>
  Array.from({ length: Math.ceil(items / PORTION) }, (_, at) => ({
    ...account,
    items: Math.min(PORTION, items - at * PORTION),
  }))

async function seed(
  { email, password, items }: Account,
  settings: BenchDatabase['settings'],
  number: number,
) {
  const args = ['--email', email, '--password', password, '--items', String(items), '--seed', String(number)]
  const child = spawn(process.execPath, [SEED, ...args], {
    cwd: settings.DATA_DIR,
    env: { PATH: process.env.PATH, ...settings },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new CliError(`Не удалось наполнить базу: npm run seed закончился с кодом ${code}.`)
}
