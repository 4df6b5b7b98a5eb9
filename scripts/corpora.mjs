// `npm run test:corpora -- FOLDER`: published test cases, which are not in the repository.
// The test of each kind reads FOLDER/KIND; a kind that is not there is skipped, and named.
import { existsSync, readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { CliError, install, nodeToUse, ROOT, systemPath } from './prepare.mjs'
import { run } from './run.mjs'

const TESTS = join(ROOT, 'corpora')
const ENDING = '.test.ts'

const [given] = process.argv.slice(2)
try {
  if (given === undefined) throw new CliError('Скажите, где лежат корпуса: npm run test:corpora -- ПАПКА')
  process.exitCode = await testCorpora(resolve(given))
} catch (error) {
  if (!(error instanceof CliError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

/** @param {string} folder @returns {Promise<number>} the exit code */
async function testCorpora(folder) {
  const kinds = readdirSync(TESTS)
    .filter((file) => file.endsWith(ENDING))
    .map((file) => file.slice(0, -ENDING.length))
  const found = kinds.filter((kind) => existsSync(join(folder, kind)))
  for (const kind of kinds.filter((kind) => !found.includes(kind)))
    console.log(`Пропущено: ${kind} (нет папки ${join(folder, kind)})`)
  if (found.length === 0) return 0

  await install()
  // Playwright is there only once the packages are installed.
  const { ensureChromium } = await import('./find-chromium.mjs')
  await ensureChromium()
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs')
  const files = found.map((kind) => join('corpora', `${kind}${ENDING}`))
  const { code, output } = await run(nodeToUse(), [vitest, 'run', '--project', 'corpora*', ...files], {
    cwd: ROOT,
    env: { ...process.env, PATH: systemPath(), CORPORA: folder },
  })
  console.log(output.trim())
  return code
}
