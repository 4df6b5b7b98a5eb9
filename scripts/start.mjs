// `npm start`: installs and builds what is missing, then serves. Any Node from 20 on runs this file.
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, install, isNewEnough, nodeToUse, ROOT, Told } from './prepare.mjs'
import { stopRunning } from './run.mjs'

const MAIN = join(ROOT, 'server', 'src', 'main.ts')
/** @type {NodeJS.Signals[]} */
const SIGNALS = ['SIGINT', 'SIGTERM']

let stopping = false
/** Asked to stop before there is a server: nothing is half done that the next start would not repeat. */
const stopEarly = () => {
  stopping = true
  stopRunning().finally(() => process.exit(0))
}

for (const signal of SIGNALS) process.on(signal, stopEarly)
try {
  await install()
  await build()
} catch (error) {
  if (!stopping) {
    if (!(error instanceof Told)) throw error
    console.error(error.message)
    process.exit(1)
  }
}
if (stopping) await new Promise(() => {})
for (const signal of SIGNALS) process.off(signal, stopEarly)

if (isNewEnough()) await import(pathToFileURL(MAIN).href)
else serveInNewerNode()

function serveInNewerNode() {
  const server = spawn(nodeToUse(), [MAIN], { stdio: 'inherit' })
  for (const signal of SIGNALS) process.on(signal, () => server.kill(signal))
  server.on('exit', (code, signal) => process.exit(code ?? (signal ? 1 : 0)))
}
