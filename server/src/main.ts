import process from 'node:process'
import { fileURLToPath } from 'node:url'
import { buildApp } from './app.ts'
import { ConfigError, loadConfig } from './config.ts'
import { UnusableDatabase } from './db/dialect.ts'
import { openDb } from './db/open.ts'

/** The process: settings in, a listening server out, and a clean end on SIGTERM and SIGINT. */
async function main(): Promise<void> {
  const config = loadConfig()
  const db = await openDb(config)
  const webRoot = fileURLToPath(new URL('../../web/dist', import.meta.url))
  const app = await buildApp({ config, db, clock: Date.now, webRoot })
  app.addHook('onClose', () => db.destroy())

  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void app.close())

  await app.listen({
    port: config.PORT,
    host: config.HOST,
    listenTextResolver: (address) => `Копилка открыта: ${address}`,
  })
}

/** One line for what the person who starts the server can mend; everything else is a fault of ours, shown whole. */
function explain(error: unknown): string {
  if (error instanceof ConfigError || error instanceof UnusableDatabase) return error.message
  if (!(error instanceof Error) || !('code' in error))
    return String(error instanceof Error ? error.stack : error)
  switch (error.code) {
    case 'EADDRINUSE':
      return `Порт уже занят другой программой: задайте другой в настройке PORT. (${error.message})`
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `Такого адреса у этой машины нет: проверьте настройку HOST. (${error.message})`
    case 'EACCES':
    case 'EPERM':
      return `Порт занять не разрешено: задайте другой в настройке PORT. (${error.message})`
    default:
      return String(error.stack)
  }
}

try {
  await main()
} catch (error) {
  process.stderr.write(`${explain(error)}\n`)
  process.exitCode = 1
}
