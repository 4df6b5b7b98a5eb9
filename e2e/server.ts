import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVER_BUNDLE } from '../scripts/prepare.mjs'

export interface RunningServer {
  readonly address: string
  /** Where it keeps everything, letters included. */
  readonly dataDir: string
  stop(): Promise<void>
}

/** The real server with the built interface, on a free port, over a database of its own. */
export async function startServer(settings: Record<string, string> = {}): Promise<RunningServer> {
  const folder = await mkdtemp(join(tmpdir(), 'kopilka-e2e-'))
  const child = spawn(process.execPath, [SERVER_BUNDLE], {
    cwd: folder,
    // Every journey registers somebody, all from one address.
    env: { PATH: process.env.PATH, PORT: '0', DATA_DIR: folder, RATE_LIMIT: 'off', ...settings },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const address = await new Promise<string>((resolve, reject) => {
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (part: string) => {
      output += part
      const [, found] = output.match(/Копилка открыта: (http:\/\/\S+?)"/) ?? []
      if (found) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}.`)))
  })
  return {
    address,
    dataDir: folder,
    async stop() {
      child.kill('SIGTERM')
      await ended
      await rm(folder, { recursive: true })
    },
  }
}
