import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PROCESS = fileURLToPath(new URL('postgres-process.ts', import.meta.url))

/** A running PostgreSQL. */
export interface TestPostgres {
  /** URL of its administrative database. */
  readonly url: string
  /** `crash`: an immediate shutdown, so that it recovers at the next start. */
  readonly control: (command: 'start' | 'stop' | 'crash') => Promise<void>
  /** Ends it and removes its folder. */
  readonly close: () => Promise<void>
}

/** Starts a PostgreSQL that ends with this process, however that ends. */
export async function startPostgres(): Promise<TestPostgres> {
  // Detached into its own process group: Ctrl+C or a time limit must not end it before its folder is removed.
  const child = spawn(process.execPath, [PROCESS], { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const nextLine = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('The PostgreSQL for tests did not start: see above.')
    return JSON.parse(value)
  }
  const { url } = await nextLine()
  return {
    url: String(url),
    async control(command) {
      child.stdin.write(`${command}\n`)
      await nextLine()
    },
    async close() {
      child.stdin.end()
      await ended
    },
  }
}
