// `npm start`: installs and builds what is missing, then serves. Any Node from 20 on runs this file.
//
// package.json says `exec node …` so that no shell stands between npm and this process: a shell dies of the SIGTERM
// that npm hands on, and npm with it, while the server lives. Windows has no `exec` and goes on after the `||`.
// `--max-semi-space-size=4`: what requests leave behind is swept sooner, at no cost in processor time that could be
// measured, and holds 12 MB instead of 48.
import { spawn } from 'node:child_process'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, CliError, install, isNewEnough, nodeToUse, ROOT } from './prepare.mjs'
import { stopRunning } from './run.mjs'

/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM']

let serving = false
let stopping = false
for (const signal of SIGNALS) process.on(signal, stopEarly)

try {
  await install()
  await build()
} catch (error) {
  if (!stopping) fail(error)
}
if (!stopping) {
  serving = true
  // What was made of our TypeScript is kept: the next start is quicker, and goes without the compiler's 20 MB.
  module.enableCompileCache?.(join(ROOT, '.cache', 'compiled'))
  if (isNewEnough()) await import(pathToFileURL(join(ROOT, 'server', 'src', 'main.ts')).href)
  else continueInNewerNode()
}

/**
 * Asked to stop before there is a server: nothing is half done that the next start would not repeat.
 * Afterwards the server stops itself; listening on keeps a second signal (Ctrl+C reaches npm and us, and npm hands
 * it on) from killing it on the way.
 */
function stopEarly() {
  if (serving) return
  stopping = true
  stopRunning().finally(() => process.exit(0))
}

/** @param {unknown} error */
function fail(error) {
  if (!(error instanceof CliError)) throw error
  console.error(error.message)
  process.exit(1)
}

function continueInNewerNode() {
  const server = spawn(nodeToUse(), [...process.execArgv, fileURLToPath(import.meta.url)], {
    stdio: 'inherit',
  })
  for (const signal of SIGNALS) process.on(signal, () => server.kill(signal))
  server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
