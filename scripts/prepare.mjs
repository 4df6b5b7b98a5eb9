import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './lock.mjs'
import { run } from './run.mjs'
import { isTest } from './test-files.mjs'

/** The folder of the repository. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** The oldest Node that runs the server's TypeScript as it is. */
const NODE_MAJOR = 24

const LOCK = join(ROOT, '.cache', 'prepare-turns')
const INSTALL_STAMP = join(ROOT, 'node_modules', '.installed-from')
const DIST = join(ROOT, 'web', 'dist')
const BUILD_STAMP = join(DIST, '.built-from')

/** What went wrong is already told in a sentence: print the message, not the stack. */
export class CliError extends Error {}

/** Installs the packages of package-lock.json unless they are there. */
export async function install() {
  if (isInstalled()) return
  await withLock(LOCK, async () => {
    if (isInstalled()) return
    console.log('Устанавливаю зависимости…')
    // Without the stamp an install that was interrupted is repeated.
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

/** Builds the web page unless web/dist was made from these very sources. */
export async function build() {
  const fingerprint = buildFingerprint()
  if (isBuiltFrom(fingerprint)) return
  await withLock(LOCK, async () => {
    if (isBuiltFrom(fingerprint)) return
    console.log('Собираю интерфейс…')
    // Built beside and moved in place whole: a server that runs meanwhile never sees half a build.
    const fresh = join(ROOT, '.cache', 'web')
    const { code, output } = await run(
      nodeToUse(),
      [join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js'), 'build', '--outDir', fresh, '--emptyOutDir'],
      { cwd: join(ROOT, 'web') },
    )
    if (code !== 0) throw new CliError(`Не удалось собрать интерфейс (vite build):\n${output.trim()}`)
    writeFileSync(join(fresh, '.built-from'), fingerprint)
    rmSync(DIST, { recursive: true, force: true })
    renameSync(fresh, DIST)
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

/** Packages carry programs, so a folder copied to another kind of machine is installed anew. */
function installFingerprint() {
  return `${process.platform}-${process.arch} ${hashOf([join(ROOT, 'package-lock.json')])}`
}

/** @param {string} fingerprint */
function isBuiltFrom(fingerprint) {
  return contentOf(BUILD_STAMP) === fingerprint && existsSync(join(DIST, 'index.html'))
}

function buildFingerprint() {
  return hashOf([
    join(ROOT, 'package-lock.json'),
    join(ROOT, 'tsconfig.json'),
    ...sourcesIn(join(ROOT, 'contract')),
    ...sourcesIn(join(ROOT, 'web')),
  ])
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
