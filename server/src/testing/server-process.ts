import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { fileURLToPath } from 'node:url'

/** The bundle that `npm start` runs, built by vitest.config.ts before the tests. */
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** The server as a child process, which the test that starts it must end. */
export type ServerProcess = ReturnType<typeof startServer>

interface StartOptions {
  /** The working folder, which also holds the data unless settings say otherwise. */
  folder: string
  settings?: Record<string, string>
  /** Another user to run as; requires root. */
  user?: { uid: number; gid: number } | undefined
}

/** Starts the process on a free port; `address` resolves when it listens. */
export function startServer({ folder, settings = {}, user }: StartOptions) {
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
    /** The exit code after all output was read; null where a signal ended it. */
    ended: once(child, 'close').then(([code]) => code as number | null),
    /** The URL, once it listens. */
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
