import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { devNull } from 'node:os'
import { createInterface } from 'node:readline'
import { refuseForeign } from '../../server/src/db/migrate.ts'
import { dialectFor } from '../../server/src/db/open.ts'
import {
  citusIn,
  ForeignDump,
  fillPostgres,
  gatherStatistics,
  hasTables,
} from '../../server/src/db/postgres-backup.ts'
import { codeOf } from '../../server/src/errors.ts'
import { CliError } from '../prepare.mjs'
import { run } from '../run.mjs'
import { listed, makeFile } from './new-file.ts'

type Program = 'pg_dump' | 'pg_restore'

/** Writes a checked copy of the PostgreSQL at `url`, which may be in use, into the new file `path`. */
export async function backUpPostgres(url: string, path: string): Promise<void> {
  const [citus, program] = await Promise.allSettled([explained(url, citusIn), ask('pg_dump', ['--version'])])
  // Before a word about the program: nobody is to put it where such a database is.
  if (citus.status === 'fulfilled') refuseCitus(citus.value)
  if (program.status === 'rejected') throw program.reason
  if (citus.status === 'rejected') throw citus.reason
  await makeFile(path, async (unfinished) => {
    console.log('Копирую базу PostgreSQL…')
    await ask('pg_dump', ['--format=custom', `--file=${unfinished}`], url)
    console.log('Проверяю копию…')
    await ask('pg_restore', [`--file=${devNull}`, unfinished])
    refuseForeign(await migrationsIn(unfinished))
  })
}

/** Fills the empty PostgreSQL at `url` from the copy `path`: all of it or nothing. */
export async function restorePostgres(url: string, path: string): Promise<void> {
  const applied = await migrationsIn(path)
  refuseForeign(applied)
  if (await explained(url, hasTables)) {
    throw new CliError(
      'База PostgreSQL не пуста: создайте новую (createdb) и назовите её в DATABASE_URL, прежняя останется нетронутой.',
    )
  }
  const parts = await partsIn(path)
  console.log('Восстанавливаю базу PostgreSQL…')
  await explained(url, () => fillPostgres(url, { applied, parts, script: rowsIn(path) }))
  console.log('Собираю статистику для запросов…')
  await gatherStatistics(url)
}

/** The rows of the table `migrations` in a copy made by pg_dump. */
async function migrationsIn(path: string): Promise<string[]> {
  const sql = await ask('pg_restore', ['--data-only', '--table=migrations', '--file=-', path])
  const [, rows = ''] = /^COPY .*?;\n(.*?)^\\\.$/ms.exec(sql) ?? []
  return rows.split('\n').filter((name) => name !== '')
}

/** What a copy made by pg_dump lists besides those that create no tables and change no rows. */
const PART =
  /^\d+; \d+ \d+ (?!(?:TABLE DATA|STATISTICS DATA|ENCODING|STDSTRINGS|SEARCHPATH|DATABASE|DATABASE PROPERTIES|SCHEMA|EXTENSION|COMMENT|ACL|DEFAULT ACL|SECURITY LABEL) )(.+) \S+$/gm

/** What a copy would create, by type, schema and name. */
async function partsIn(path: string): Promise<string[]> {
  const list = await ask('pg_restore', ['--list', path])
  return [...list.matchAll(PART)].map(([, part = '']) => part)
}

/** The lines of a script with the rows of a copy, in latin1. */
async function* rowsIn(path: string): AsyncGenerator<string> {
  const program: Program = 'pg_restore'
  const child = spawn(program, ['--data-only', '--file=-', path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const closed = once(child, 'close')
  try {
    yield* createInterface({ input: child.stdout.setEncoding('latin1') })
    const [code] = await closed
    if (code !== 0) throw new CliError(`${program} не справилась.`)
  } finally {
    child.kill()
  }
}

/**
 * Of tables that are spread over machines, pg_dump reads each machine at a moment of its own: an item could be without its
 * tags, and no restore would take it. Where none is, the copy would still ask for Citus in the database that it is to fill.
 */
function refuseCitus({ isThere, hasSpread }: Awaited<ReturnType<typeof citusIn>>): void {
  if (!isThere) return
  if (!hasSpread)
    throw new CliError(
      'К базе подключён Citus, хотя таблицы не разнесены: без него копия не восстановилась бы. Отключите его (drop extension citus) и повторите или разнесите таблицы, подробности в docs/scale.md.',
    )
  throw new CliError(
    'Таблицы разнесены по машинам (Citus): pg_dump прочитал бы их в разные моменты, и такая копия не восстановилась бы. Остановите серверы Копилки и на каждой машине выполните pg_basebackup, подробности в docs/scale.md. Записи одного человека: npm run export.',
  )
}

async function explained<T>(url: string, use: (url: string) => Promise<T>): Promise<T> {
  try {
    return await use(url)
  } catch (error) {
    const cause = error instanceof Error && error.cause ? error.cause : error
    const explanation = unfit(cause) ?? dialectFor({ DATABASE_URL: url, DATA_DIR: '' }).explain(cause)
    throw explanation === undefined ? cause : new CliError(explanation)
  }
}

/** One line about a copy that is not what its migrations create; undefined for other errors. */
function unfit(error: unknown): string | undefined {
  if (error instanceof ForeignDump)
    return `Таблицы в копии изменены не Копилкой (${listed(error.parts)}): восстановить её нельзя.`
  // PostgreSQL's classes of wrong values, and of keys and limits that rows break.
  if (/^2[23]/.test(codeOf(error)) && error instanceof Error)
    return `Строки в копии испорчены (${error.message}): восстановить её нельзя.`
  return undefined
}

/**
 * Runs a PostgreSQL program and returns its output. The password is in the environment, because all users of the machine
 * see arguments.
 */
async function ask(program: Program, args: string[], url?: string): Promise<string> {
  const address = url === undefined ? undefined : new URL(url)
  const PGPASSWORD = decodeURIComponent(address?.password ?? '')
  if (address) address.password = ''
  const { code, output } = await run(program, [...args, ...(address ? [`--dbname=${address}`] : [])], {
    cwd: process.cwd(),
    env: { ...process.env, ...(PGPASSWORD && { PGPASSWORD }) },
  }).catch((error: unknown) => {
    throw codeOf(error) === 'ENOENT' ? new CliError(missing(program)) : error
  })
  if (code !== 0) throw new CliError(`${program} не справилась: ${output.trim()}`)
  return output
}

const BY_HAND: Readonly<Record<Program, string>> = {
  pg_dump: 'pg_dump --format=custom --file=kopilka.dump "$DATABASE_URL"',
  pg_restore: 'pg_restore --single-transaction --no-owner --dbname="$DATABASE_URL" kopilka.dump',
}

const missing = (program: Program): string =>
  `Программы ${program} здесь нет: поставьте клиент PostgreSQL (пакет postgresql-client) или выполните там, где она есть: ${BY_HAND[program]}`
