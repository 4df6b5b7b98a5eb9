import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { sendOnce } from './load.ts'

/** A measured server, a process of its own. */
export interface RunningServer {
  readonly port: number
  readonly pid: number
  /** Milliseconds from its start to its first response. */
  readonly coldStart: number
  stop(): Promise<void>
}

type Settings = Readonly<Record<string, string>>

const running = new Set<ChildProcess>()
process.on('exit', () => {
  for (const child of running) child.kill()
})
// Without listeners these signals end the process without 'exit'.
for (const [signal, code] of [
  ['SIGTERM', 143],
  ['SIGINT', 130],
] as const)
  process.once(signal, () => process.exit(code))

/** Starts the product of a repository's folder as `npm start` does, without rate limits if no setting turns them on. */
export const startProduct = (
  folder: string,
  settings: Settings,
  flags: readonly string[] = [],
): Promise<RunningServer> =>
  start(
    ['--max-semi-space-size=4', ...flags, join(folder, 'scripts', 'start.mjs')],
    { RATE_LIMIT: 'off', ...settings },
    settings.DATA_DIR,
  )

/** Starts the baseline over the same database. */
export const startBaseline = (settings: Settings): Promise<RunningServer> =>
  start([fileURLToPath(new URL('baseline.ts', import.meta.url))], settings, settings.DATA_DIR)

async function start(
  args: readonly string[],
  settings: Settings,
  cwd: string | undefined,
): Promise<RunningServer> {
  const port = await freePort()
  const begun = performance.now()
  const child = spawn(process.execPath, [...process.execArgv, ...args], {
    cwd,
    env: { PATH: process.env.PATH, ...settings, PORT: String(port) },
    // The log is written as usual and thrown away.
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  running.add(child)
  child.once('exit', () => running.delete(child))
  await responding(port, child)
  return {
    port,
    pid: child.pid ?? 0,
    coldStart: performance.now() - begun,
    async stop() {
      if (child.exitCode !== null) return
      child.kill('SIGTERM')
      await once(child, 'exit')
    },
  }
}

async function responding(port: number, child: ChildProcess): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with ${child.exitCode}.`)
    try {
      await sendOnce(port, { method: 'GET', path: '/readyz', headers: {} })
      return
    } catch {
      await sleep(5)
    }
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}
