import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'
import { run } from './run.mjs'
import { isTest } from './test-files.mjs'

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The oldest version of Node that runs TypeScript without a build. */
const NODE_MAJOR = 24

const LOCK = join(ROOT, '.cache', 'prepare-lock')
const INSTALL_STAMP = join(ROOT, 'node_modules', '.installed-from')
/** The bundle of the server, which starts in half the time and memory of some 1,000 files. */
export const SERVER_BUNDLE = join(ROOT, 'server', 'dist', 'main.js')

/** How a module of the server names another file of it: the entry of a thread, or a file it reads. */
export const FILE_URL = /new URL\(\s*'(?<path>[^']+)',\s*import\.meta\.url,?\s*\)/g

/** The name in the bundle of a file named in that way. @param {string} path from server/src */
export const nameInBundle = (path) => path.replaceAll(/[\\/]/g, '-').replace(/\.ts$/, '.js')

/** An error for the user of a command: its message is printed without a stack. */
export class CliError extends Error {}

/** Installs the packages of package-lock.json unless they are there. */
export async function install() {
  if (isInstalled()) return
  await withLock(LOCK, async () => {
    if (isInstalled()) return
    console.log('Устанавливаю зависимости…')
    // Without the stamp an interrupted install is repeated.
    rmSync(INSTALL_STAMP, { force: true })
    const windows = process.platform === 'win32'
    const { code, output } = await run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
      cwd: ROOT,
      env: { ...process.env, PATH: systemPath() },
      shell: windows,
    })
    if (code !== 0) throw new CliError(`Не удалось установить зависимости (npm ci):\n${output.trim()}`)
    if (!nodeProgram())
      throw new CliError(
        'Установка прошла, но Node 24 не появился: npm не выполнил сценарий пакета «node». ' +
          'Уберите настройку ignore-scripts (npm config delete ignore-scripts) и повторите.',
      )
    writeFileSync(INSTALL_STAMP, installFingerprint())
  })
}

/** Builds the interface and the server, unless they are up to date. */
export async function build() {
  await buildWeb()
  await buildServer()
}

const buildWeb = () =>
  buildWorkspace({
    workspace: 'web',
    what: 'интерфейс',
    sources: ['contract', 'text', 'web'],
    program: (folder) => [
      join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'),
      'build',
      '--outDir',
      folder,
      '--emptyOutDir',
    ],
  })

/** Bundles the server unless {@link SERVER_BUNDLE} is up to date. */
export const buildServer = () =>
  buildWorkspace({
    workspace: 'server',
    what: 'сервер',
    sources: ['contract', 'text', 'server'],
    program: (folder) => [join(ROOT, 'scripts', 'bundle-server.mjs'), folder],
  })

/**
 * Builds WORKSPACE/dist unless it is built from these sources.
 * @param {object} build
 * @param {string} build.workspace
 * @param {string} build.what in Russian, accusative
 * @param {string[]} build.sources folders
 * @param {(folder: string) => string[]} build.program the arguments of the Node that builds into the folder
 */
async function buildWorkspace({ workspace, what, sources, program }) {
  const dist = join(ROOT, workspace, 'dist')
  const stamp = join(dist, '.built-from')
  const fingerprint = hashOf([
    join(ROOT, 'package-lock.json'),
    join(ROOT, 'tsconfig.json'),
    join(ROOT, 'scripts', 'bundle-server.mjs'),
    ...sources.flatMap((folder) => sourcesIn(join(ROOT, folder))),
  ])
  if (contentOf(stamp) === fingerprint) return
  await withLock(LOCK, async () => {
    if (contentOf(stamp) === fingerprint) return
    console.log(`Собираю ${what}…`)
    // Built elsewhere and renamed: a server that runs meanwhile never sees half a build.
    const fresh = join(ROOT, '.cache', workspace)
    rmSync(fresh, { recursive: true, force: true })
    const { code, output } = await run(nodeToUse(), program(fresh), { cwd: join(ROOT, workspace) })
    if (code !== 0) throw new CliError(`Не удалось собрать ${what}:\n${output.trim()}`)
    writeFileSync(join(fresh, '.built-from'), fingerprint)
    rmSync(dist, { recursive: true, force: true })
    renameSync(fresh, dist)
  })
}

/** The Node to run our TypeScript with: this one if it is new enough, else the one among the packages. */
export const nodeToUse = () => (isNewEnough() ? process.execPath : (nodeProgram() ?? process.execPath))

/** Whether the Node we run in can run the server itself. */
export const isNewEnough = () => Number.parseInt(process.versions.node, 10) >= NODE_MAJOR

/** PATH without the folders npm puts in front: `npm ci` replaces what is in them while it runs. */
export const systemPath = () =>
  (process.env.PATH ?? '')
    .split(delimiter)
    .filter((folder) => !folder.startsWith(join(ROOT, 'node_modules')))
    .join(delimiter)

/** @returns {string | undefined} where the npm package `node` has put the program, if it has */
function nodeProgram() {
  try {
    const folder = join(ROOT, 'node_modules', 'node')
    const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const program = join(folder, bin.node)
    return existsSync(program) ? program : undefined
  } catch {
    return undefined
  }
}

function isInstalled() {
  return contentOf(INSTALL_STAMP) === installFingerprint() && nodeProgram() !== undefined
}

/**
 * Identifies the kind of machine: packages contain native programs, so a folder copied to another kind is installed
 * again.
 */
function installFingerprint() {
  return `${process.platform}-${process.arch} ${hashOf([join(ROOT, 'package-lock.json')])}`
}

/** @param {string} folder @returns {string[]} */
function sourcesIn(folder) {
  return readdirSync(folder, { withFileTypes: true })
    .sort((one, other) => (one.name < other.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return isMade(entry.name) ? [] : sourcesIn(path)
      return isTest(entry.name) ? [] : [path]
    })
}

/** @param {string} name */
const isMade = (name) => name === 'node_modules' || name === 'dist' || name.startsWith('.')

/** @param {string[]} files */
function hashOf(files) {
  const hash = createHash('sha256')
  for (const file of files) {
    const content = readFileSync(file)
    hash.update(`${file.slice(ROOT.length)} ${content.length}\n`).update(content)
  }
  return hash.digest('hex')
}

/** @param {string} file */
function contentOf(file) {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}
