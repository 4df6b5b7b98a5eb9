import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { delimiter, join } from 'node:path'
import { CliError, nodeToUse, ROOT, systemPath } from './prepare.mjs'
import { run } from './run.mjs'

const NONE =
  'Для проверок в браузере нужен Chromium: выполните «npx playwright install --with-deps chromium» ' +
  'или поставьте системный (Debian: «sudo apt-get install chromium») и повторите.'
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
/** Chromium without windows and extensions, which Playwright prefers as well: it takes less processor time. */
const HEADLESS_NAMES = ['chromium-headless-shell', ...NAMES]

/**
 * Launch options of Chromium for the browser tests: Playwright's own if it is installed, else the system's.
 * @param {{ fullBrowser?: boolean }} [needs]
 * @returns {{ executablePath?: string, args: string[] } | undefined} launch options; undefined: there is none
 */
export function findChromium({ fullBrowser = false } = {}) {
  // As root Chromium starts only without its sandbox.
  const args = process.getuid?.() === 0 ? ['--no-sandbox'] : []
  if (starts(playwrightsOwn())) return { args }
  const executablePath = systems(fullBrowser ? NAMES : HEADLESS_NAMES)
  return executablePath ? { executablePath, args } : undefined
}

/**
 * Starts Chromium for a measurement.
 * @returns {Promise<import('@playwright/test').Browser>}
 */
export async function launchChromium() {
  const found = findChromium({ fullBrowser: true })
  if (!found) throw new CliError(NONE)
  return playwright().chromium.launch({ ...found, args: [...found.args, '--disable-background-networking'] })
}

/** Installs Chromium if there is none, by the first way that works. */
export async function ensureChromium() {
  const isThere = () => findChromium({ fullBrowser: true }) !== undefined
  if (isThere()) return
  console.log('Устанавливаю Chromium для проверок в браузере…')
  const cli = join(ROOT, 'node_modules', '@playwright', 'test', 'cli.js')
  const options = {
    cwd: ROOT,
    env: { ...process.env, PATH: systemPath(), DEBIAN_FRONTEND: 'noninteractive' },
  }
  const own = await run(nodeToUse(), [cli, 'install', 'chromium'], options)
  if (isThere()) return
  if (process.getuid?.() === 0 && onPath('apt-get')) {
    await run('apt-get', ['update'], options)
    const libraries = own.code === 0
    if (libraries) await run(nodeToUse(), [cli, 'install-deps', 'chromium'], options)
    if (!isThere()) await run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'], options)
    if (isThere()) return
  }
  throw new CliError(NONE)
}

/** @returns {typeof import('@playwright/test')} of e2e, which has it among its packages */
const playwright = () => createRequire(join(ROOT, 'e2e', 'package.json'))('@playwright/test')

/** @returns {string} where Playwright would keep its own Chromium */
const playwrightsOwn = () => playwright().chromium.executablePath()

/** @param {readonly string[]} names */
function systems(names) {
  return names.map(onPath).find((path) => path !== undefined && starts(path))
}

/** @param {string} name @returns {string | undefined} */
function onPath(name) {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((path) => existsSync(path))
}

/** A downloaded Chromium may lack system libraries, and Ubuntu's is only a stub: so this starts it.
 * @param {string} program */
function starts(program) {
  return existsSync(program) && spawnSync(program, ['--version'], { stdio: 'ignore' }).status === 0
}
