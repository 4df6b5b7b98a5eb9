// `npm start`: installs and builds what is missing, then serves. Any Node from 20 on runs this file.
//
// package.json says `exec node …` so that no shell runs between npm and this process: a shell dies of the SIGTERM that npm
// passes on, and npm with it, while the server lives. Windows has no `exec` and continues after the `||`.
// `--max-semi-space-size=4`: young garbage takes 12 MB instead of 48, at no measurable cost in processor time.
import { spawn } from 'node:child_process'
import module from 'node:module'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build, CliError, install, isNewEnough, nodeToUse, ROOT, SERVER_BUNDLE } from './prepare.mjs'
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
  if (isNewEnough()) await serve()
  else continueInNewerNode()
}

async function serve() {
  // The compiled code is kept: the next start is quicker.
  module.enableCompileCache(join(ROOT, '.cache', 'compiled'))
  // Stack traces name the lines of server/src.
  process.setSourceMapsEnabled(true)
  await import(pathToFileURL(SERVER_BUNDLE).href)
}

/**
 * Exits on a signal before the server runs; the next start repeats unfinished steps. Afterwards the server stops itself,
 * and this listener keeps a second signal (Ctrl+C reaches npm and this process, and npm passes it on) from killing it.
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
