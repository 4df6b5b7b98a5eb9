import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { SERVER_BUNDLE } from '../scripts/prepare.mjs'

export interface RunningServer {
  readonly address: string
  /** Where it keeps everything, letters included. */
  readonly dataDir: string
  /** Ends its process; nothing listens at its address until it is resumed. */
  pause(): Promise<void>
  /** Starts it again at the same address over the same data: the same bundle, or another. */
  resume(bundle?: string): Promise<void>
  /** Stops its process without ending it, until it is thawed: connections open, and get no response. */
  freeze(): void
  thaw(): void
  stop(): Promise<void>
}

/** Resolves once the server listens, to where it does. */
async function listening(child: ChildProcessByStdio<null, Readable, null>): Promise<string> {
  return await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      output += part
      const [, found] = output.match(/Копилка открыта: (http:\/\/\S+?)"/) ?? []
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
}

/** The real server with the built interface, on a free port, over a database of its own. */
export async function startServer(settings: Record<string, string> = {}): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'kopilka-e2e-'))
  const run = async (PORT: string, bundle: string) => {
    const child = spawn(process.execPath, [bundle], {
      cwd: folder,
      // Every journey registers somebody, all from one address.
      env: { PATH: process.env.PATH, PORT, DATA_DIR: folder, RATE_LIMIT: 'off', ...settings },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const ended = once(child, 'exit')
    const address = await listening(child)
    const end = async () => {
      child.kill('SIGTERM')
      await ended
    }
    return { address, end, child }
  }
  const first = await run('0', SERVER_BUNDLE)
  const { address } = first
  let running: Awaited<ReturnType<typeof run>> | undefined = first
  const thaw = () => {
    running?.child.kill('SIGCONT')
  }
  const pause = async () => {
    thaw()
    await running?.end()
    running = undefined
  }
  return {
    address,
    dataDir: folder,
    pause,
    async resume(bundle = SERVER_BUNDLE) {
      running = await run(new URL(address).port, bundle)
    },
    freeze() {
      running?.child.kill('SIGSTOP')
    },
    thaw,
    async stop() {
      await pause()
      await rm(folder, { recursive: true })
    },
  }
}
