import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { buildApp } from './app.ts'
import { type Config, ConfigError, loadConfig } from './config.ts'
import { UnusableDatabase } from './db/dialect.ts'
import { openDb } from './db/open.ts'
import { backupWithoutDatabase } from './db/sqlite-backup.ts'
import { askNameServers } from './metadata/connection.ts'

/** The process: settings in, a listening server out, and a clean end on SIGTERM and SIGINT. */
async function main(): Promise<void> {
  // Passwords' hashes and people's notes: what this process writes is its user's alone to read.
  process.umask(0o077)
  const config = loadConfig()
  const backup = config.DATABASE_URL === '' ? backupWithoutDatabase(config.DATA_DIR) : undefined
  const db = await openDb(config)
  const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url))
  const app = await buildApp({ config, db, clock: Date.now, resolve: askNameServers(), webRoot })
  app.addHook('onClose', () => db.destroy())
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void app.close())

  try {
    // One line of our own says where, whatever is logged: Fastify has one for each address, and none at 'warn'.
    app.log.level = 'silent'
    await app.listen({ port: config.PORT, host: listensAt(config) })
    app.log.level = config.LOG_LEVEL
    const bound = app.server.address()
    const port = typeof bound === 'object' && bound ? bound.port : config.PORT
    app.log.child({}, { level: 'info' }).info(`Копилка открыта: ${placeOf(config, port)}`)
    if (db.risk !== undefined) app.log.warn(db.risk)
    if (backup !== undefined)
      app.log.warn(
        `В DATA_DIR не было базы данных, хотя копии есть: начата новая, пустая. Если записи были, остановите Копилку и верните их: npm run restore -- ${backup} --force`,
      )
  } catch (error) {
    // What is open or waits for its hour would keep a process alive that serves nobody.
    await app.close()
    throw listenFault(error, config)
  }
}

/**
 * Of `localhost` the one address that every machine has: for the others Fastify would make servers of its own, of which
 * neither closing nor anything else that is set up on `app.server` knows.
 */
const listensAt = ({ HOST }: Config): string => (HOST === 'localhost' ? '127.0.0.1' : HOST)

/** The address to open in a browser; where every address of the machine answers, the one that is always right. */
function placeOf({ HOST }: Config, port: number): string {
  const host = ['0.0.0.0', '::'].includes(HOST) ? 'localhost' : HOST
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

/** One line for what the person who starts the server can mend; everything else is a fault of ours, shown whole. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof UnusableDatabase) return error.message
  return String(error instanceof Error ? error.stack : error)
}

/** What the system says of an address it does not let us listen at, as the setting that is wrong. */
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
