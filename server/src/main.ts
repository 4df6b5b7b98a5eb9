import { join } from 'node:path'
import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { buildApp } from './app.ts'
import { type Config, ConfigError, loadConfig, settingsWarning } from './config.ts'
import { UnusableDatabase } from './db/dialect.ts'
import { type Database, openDb } from './db/open.ts'
import { newestBackup } from './db/sqlite-backup.ts'
import { removeAbandoned } from './db/unfinished.ts'
import { createResolver } from './metadata/connection.ts'

/** Milliseconds for which nothing was written into an unfinished backup that is abandoned: processes of other containers do not show. */
const STILL = 10 * 60_000

/** Connections that wait to be accepted, where the system allows as many. One over Node's own 511 is tried again a second later. */
const BACKLOG = 4_096

/**
 * The newest backup beside a database without users: the administrator may not expect an empty one. Undefined where the database
 * cannot be read.
 */
async function backupBesideEmpty(
  db: Database,
  { DATA_DIR, DATABASE_URL }: Config,
): Promise<string | undefined> {
  const newest = newestBackup(DATA_DIR, DATABASE_URL === '' ? '.sqlite' : '.dump')
  return newest === undefined || (await hasUsers(db).catch(() => true)) ? undefined : newest
}

/** What to do where {@link backupBesideEmpty there is a backup}. */
const restoreAdvice = (backup: string, { DATABASE_URL }: Config): string =>
  DATABASE_URL === ''
    ? `В базе данных нет ни одного пользователя, хотя копии есть. Если записи были, остановите Копилку и верните их: npm run restore -- ${backup} --force`
    : `В базе PostgreSQL нет ни одного пользователя, хотя копии есть. Если записи были, остановите Копилку, создайте новую базу (createdb), назовите её в DATABASE_URL и верните их: npm run restore -- ${backup}`

const hasUsers = async (db: Database): Promise<boolean> =>
  (await db.selectFrom('users').select('owner_id').limit(1).executeTakeFirst()) !== undefined

/** The process: settings in, a listening server out, and a clean end on SIGTERM and SIGINT. */
async function main(): Promise<void> {
  // Files of this process hold password hashes and users' notes: only its own user may read them.
  process.umask(0o077)
  const config = loadConfig()
  for (const folder of [config.DATA_DIR, join(config.DATA_DIR, 'backups')])
    removeAbandoned(folder, { now: Date.now(), still: STILL })
  const db = await openDb(config)
  const backup = await backupBesideEmpty(db, config)
  const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url))
  const app = await buildApp({ config, db, clock: Date.now, resolve: createResolver(), webRoot })
  // The database is closed last: while a thread that searches still has it open, its log does not move into the file.
  let closed: Promise<void> | undefined
  const close = () => {
    closed ??= app.close().finally(() => db.destroy())
    return closed
  }
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void close())

  try {
    // One line names the address at every log level: Fastify logs one for each address, and none at 'warn'.
    app.log.level = 'silent'
    await app.listen({ port: config.PORT, host: listensAt(config), backlog: BACKLOG })
    app.log.level = config.LOG_LEVEL
    const bound = app.server.address()
    const port = typeof bound === 'object' && bound ? bound.port : config.PORT
    const always = app.log.child({}, { level: 'info' })
    always.info(`Копилка открыта: ${placeOf(config, port)}`)
    for (const risk of [db.risk, settingsWarning(config)]) if (risk !== undefined) app.log.warn(risk)
    if (backup !== undefined) always.warn(restoreAdvice(backup, config))
  } catch (error) {
    // Open connections and timers would keep a process alive that serves nobody.
    await close()
    throw listenFault(error, config)
  }
}

/**
 * The address to listen at. For `localhost` only 127.0.0.1: for its other addresses Fastify would create more servers, which
 * miss everything that is set up on `app.server`, closing included.
 */
const listensAt = ({ HOST }: Config): string => (HOST === 'localhost' ? '127.0.0.1' : HOST)

/** The address to open in a browser; `localhost` if the server listens at all addresses. */
function placeOf({ HOST }: Config, port: number): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** One line for an error that the administrator can fix; the whole stack for any other. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof UnusableDatabase) return error.message
  return String(error instanceof Error ? error.stack : error)
}

/** Maps an error of `listen` to the wrong setting; returns other errors unchanged. */
function listenFault(error: unknown, { PORT, HOST }: Config): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : undefined
  switch (code) {
    case 'EADDRINUSE':
      return new ConfigError(
        `Неверная настройка PORT="${PORT}": ожидается порт, не занятый другой программой.`,
      )
    case 'EACCES':
    case 'EPERM':
      return new ConfigError(`Неверная настройка PORT="${PORT}": ожидается порт, который разрешено занять.`)
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return new ConfigError(`Неверная настройка HOST="${HOST}": ожидается имя или IP-адрес этой машины.`)
    default:
      return error
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
