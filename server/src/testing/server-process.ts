import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** What `npm start` runs. vitest.config.ts builds it before the tests. */
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** The server as people run it, a process of its own. Whoever starts it ends it. */
export type ServerProcess = ReturnType<typeof startServer>

interface Starting {
  /** The working folder: without settings that say otherwise, the data is in it. */
  folder: string
  settings?: Record<string, string>
  /** Another user to run as, which only root can ask for. */
  user?: { uid: number; gid: number } | undefined
}

/** Starts the process on a free port; `address` tells when it listens. */
export function startServer({ folder, settings = {}, user }: Starting) {
  const child = spawn(process.execPath, [MAIN], {
    cwd: folder,
    env: { PATH: process.env.PATH, PORT: '0', ...settings },
    ...user,
  })
  let output = ''
  let errors = ''
  child.stdout.setEncoding('utf8').on('data', (part) => {
    output += part
  })
  child.stderr.setEncoding('utf8').on('data', (part) => {
    errors += part
  })
  return {
    child,
    output: () => output,
    errors: () => errors,
    /** The exit code, once all it said is here; null where a signal ended it. */
    ended: once(child, 'close').then(([code]) => code as number | null),
    /** Where it listens, once it does. */
    async address(): Promise<string> {
      for (;;) {
        const [, address] = output.match(/Копилка открыта: (http:\/\/\S+?)"/) ?? []
        if (address) return address
        if (child.exitCode !== null || child.signalCode !== null)
          throw new Error(`ended with ${child.exitCode ?? child.signalCode}: ${errors}`)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    },
  }
}
