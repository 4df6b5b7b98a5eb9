// `npm test`: installs what is missing, then checks everything. Any Node from 20 on runs this file.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { CliError, install, ROOT, systemPath } from './prepare.mjs'
import { run, stopRunning } from './run.mjs'
import { countPlaywright, countVitest, failuresOfPlaywright, failuresOfVitest } from './test-counts.mjs'

const REPORTS = join(ROOT, '.cache', 'reports')
const UNIT_REPORT = join(REPORTS, 'unit.json')
/** As in e2e/playwright.config.ts. */
const E2E_OUTPUT = join(ROOT, '.cache', 'e2e')
const E2E_REPORT = join(REPORTS, 'e2e.json')

let passed = 0
let failed = 0
/** @type {string[]} */
const failures = []

for (const [signal, code] of /** @type {const} */ ([
  ['SIGINT', 130],
  ['SIGTERM', 143],
]))
  process.once(signal, () => stopRunning().finally(() => process.exit(code)))

try {
  await install()
  rmSync(REPORTS, { recursive: true, force: true })
  mkdirSync(REPORTS, { recursive: true })
  await inPairs([
    unitTests,
    () => check('typecheck'),
    () => check('lint', '--colors=off'),
    () => check('knip'),
  ])
  await browserTests()
} catch (error) {
  failed += 1
  console.error(error instanceof CliError ? error.message : error)
}
// Last, because a CI may show no more than the end of what was printed.
for (const failure of failures) console.error(failure)
console.log(`${passed} passed, ${failed} failed`)
process.exitCode = failed === 0 ? 0 : 1

/** A check without tests to count: it counts only as one failure if it fails.
 * @param {string} script @param {string} [args] */
async function check(script, args) {
  const { code, output } = await timed(script, () => npmScript(script, args))
  if (code === 0) return
  failed += 1
  console.error(output.trim())
}

/** The page is built first: some tests start the server as it is delivered. */
async function unitTests() {
  const reporters = `--reporter=dot --reporter=json --outputFile.json=${UNIT_REPORT}`
  const { code, output } = await timed('test:unit', () => npmScript('test:unit', reporters))
  settle(code, output, UNIT_REPORT, countVitest, failuresOfVitest)
}

async function browserTests() {
  // Playwright is there only once the packages are installed.
  const { ensureChromium } = await import('./find-chromium.mjs')
  await ensureChromium()
  // The reporter `line` would say what failed in the middle of a thousand lines; this one says it at the end.
  const { code, output } = await timed('test:e2e', () =>
    npmScript('test:e2e', '--reporter=dot,json', { PLAYWRIGHT_JSON_OUTPUT_FILE: E2E_REPORT }),
  )
  settle(code, output, E2E_REPORT, countPlaywright, failuresOfPlaywright)
  if (code !== 0) for (const page of failedPages()) console.error(page)
}

/** What the pages showed where journeys failed: of a CI run only what it prints is left. */
function failedPages() {
  if (!existsSync(E2E_OUTPUT)) return []
  return readdirSync(E2E_OUTPUT, { encoding: 'utf8', recursive: true })
    .filter((file) => file.endsWith('error-context.md'))
    .map((file) => {
      const [snapshot = ''] = readFileSync(join(E2E_OUTPUT, file), 'utf8').match(/^```yaml\n.*?^```/ms) ?? []
      return `${file}\n${snapshot}`
    })
}

/**
 * Adds the counts of a report; a run that failed without failed tests counts as a failure.
 * @template C, F
 * @param {number} code
 * @param {string} output
 * @param {string} file
 * @param {(report: C) => import('./test-counts.mjs').Counts} count
 * @param {(report: F) => string[]} failuresOf
 */
function settle(code, output, file, count, failuresOf) {
  let counts = { passed: 0, failed: 0 }
  try {
    const report = JSON.parse(readFileSync(file, 'utf8'))
    counts = count(report)
    failures.push(...failuresOf(report))
  } catch {
    counts.failed = 1
  }
  if (code !== 0) counts.failed = Math.max(counts.failed, 1)
  passed += counts.passed
  failed += counts.failed
  if (counts.failed > 0) console.error(output.trim())
}

/**
 * Runs a script of package.json without the second that npm itself takes.
 * @param {string} name
 * @param {string} [args]
 * @param {NodeJS.ProcessEnv} [env]
 */
function npmScript(name, args = '', env = {}) {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'))
  const path = [join(ROOT, 'node_modules', '.bin'), systemPath()].join(delimiter)
  return run(`${scripts[name]} ${args}`, [], {
    cwd: ROOT,
    env: { ...process.env, ...env, PATH: path },
    shell: true,
  })
}

/** @param {string} name @param {() => Promise<{ code: number, output: string }>} work */
async function timed(name, work) {
  const start = performance.now()
  const result = await work()
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  console.log(`${result.code === 0 ? '✓' : '✗'} ${name} (${seconds} с)`)
  return result
}

/** Two at a time: a machine with two cores gains nothing from more. @param {(() => Promise<void>)[]} steps */
async function inPairs(steps) {
  const waiting = steps.values()
  const worker = async () => {
    for (const step of waiting) await step()
  }
  await Promise.all([worker(), worker()])
}
