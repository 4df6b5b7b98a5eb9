import { spawn } from 'node:child_process'

/** Programs running for us right now; whoever stops us stops them too. @type {Set<import('node:child_process').ChildProcess>} */
const running = new Set()

/**
 * Runs a program quietly to its end.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, shell?: boolean }} options
 * @returns {Promise<{ code: number, output: string }>} its exit code and everything it printed, in order
 */
export function run(program, args, options) {
  return new Promise((resolve, reject) => {
    // What is caught may be shown in a file or a log later: no colours.
    const env = { ...(options.env ?? process.env), NO_COLOR: '1' }
    const child = spawn(program, args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] })
    running.add(child)
    /** @type {Buffer[]} */
    const chunks = []
    child.stdout.on('data', (chunk) => chunks.push(chunk))
    child.stderr.on('data', (chunk) => chunks.push(chunk))
    child.on('error', reject)
    child.on('close', (code, signal) => {
      running.delete(child)
      resolve({ code: code ?? (signal ? 1 : 0), output: Buffer.concat(chunks).toString('utf8') })
    })
  })
}

/** Ends the programs that {@link run} has started and waits until they are gone. */
export async function stopRunning() {
  await Promise.all(
    [...running].map(
      (child) =>
        new Promise((resolve) => {
          child.once('close', resolve)
          child.kill('SIGTERM')
        }),
    ),
  )
}
