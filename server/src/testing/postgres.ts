import { spawn } from 'node:child_process'
import { once } from 'node:events'
import process from 'node:process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const PROCESS = fileURLToPath(new URL('postgres-process.ts', import.meta.url))

/** A running PostgreSQL. */
export interface TestPostgres {
  /** Its administrative database. */
  readonly url: string
  /** `crash`: ends at once, without tidying up. */
  readonly tell: (command: 'start' | 'stop' | 'crash') => Promise<void>
  /** Ends it and removes its folder. */
  readonly close: () => Promise<void>
}

/** Starts a PostgreSQL of its own; it ends with this process, however that ends. */
export async function startPostgres(): Promise<TestPostgres> {
  // A group of its own: what Ctrl+C or a time limit ends must not end it before its folder is removed.
  const child = spawn(process.execPath, [PROCESS], { stdio: ['pipe', 'pipe', 'inherit'], detached: true })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const answer = async (): Promise<Record<string, unknown>> => {
    const { value, done } = await lines.next()
    if (done) throw new Error('The PostgreSQL of the tests did not start: see above.')
    return JSON.parse(value)
  }
  const { url } = await answer()
  return {
    url: String(url),
    async tell(command) {
      child.stdin.write(`${command}\n`)
      await answer()
    },
    async close() {
      child.stdin.end()
      await ended
    },
  }
}
