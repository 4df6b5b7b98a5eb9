import { spawn } from 'node:child_process'

/** Windows has no process groups. */
const GROUPS = process.platform !== 'win32'
/** npm finishes its current step before it obeys a signal, which can take half a minute. */
const PATIENCE_MS = 1000

/**
 * Running child programs, which are stopped together with this process. @type
 * {Set<import('node:child_process').ChildProcess>}
 */
const running = new Set()

/**
 * Runs a program to its end and captures its output.
 * @param {string} program
 * @param {string[]} args
 * @param {{ cwd: string, env?: NodeJS.ProcessEnv, shell?: boolean }} options
 * @returns {Promise<{ code: number, output: string }>} its exit code and everything it printed, in order
 */
export function run(program, args, options) {
  return new Promise((resolve, reject) => {
    // What is caught may be shown in a file or a log later: no colours.
    const env = { ...(options.env ?? process.env), NO_COLOR: '1' }
    // A process group of its own, so that its children end with it.
    const child = spawn(program, args, {
      ...options,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: GROUPS,
    })
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

/** Ends the programs that {@link run} has started, and all that those have started; waits until they are gone. */
export async function stopRunning() {
  await Promise.all(
    [...running].map(
      (child) =>
        new Promise((resolve) => {
          const impatient = setTimeout(() => signalGroup(child, 'SIGKILL'), PATIENCE_MS)
          child.once('close', () => {
            clearTimeout(impatient)
            resolve(undefined)
          })
          signalGroup(child, 'SIGTERM')
        }),
    ),
  )
}

/** @param {import('node:child_process').ChildProcess} child @param {NodeJS.Signals} signal */
function signalGroup(child, signal) {
  if (!GROUPS || child.pid === undefined) {
    child.kill(signal)
    return
  }
  try {
    process.kill(-child.pid, signal)
  } catch {
    // Already ended, its exit event is pending.
  }
}
