// `npm run bench`: measures the product beside a baseline that sends the same bytes. See bench/README.md.
import { writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { join } from 'node:path'
import { CliError, ROOT } from '../../scripts/prepare.mjs'
import { createProgressBar } from '../../scripts/progress-bar.mjs'
import { type Plan, readArguments, USAGE } from './arguments.ts'
import { measureBulk } from './bulk.ts'
import { measureChanges } from './changes.ts'
import { databaseWith } from './databases.ts'
import { hostile } from './hostile.ts'
import { journal } from './journal.ts'
import { measure } from './measure.ts'
import { measureOffline } from './offline.ts'
import { pictures } from './pictures.ts'
import type { Figures } from './runner.ts'
import { type Footprint, figuresTable, footprintsTable } from './table.ts'
import { type Started, signInAll, startAll, targetsOf } from './targets.ts'
import { measureExports, measureImports } from './transfers.ts'
import { memory } from './usage.ts'

const RESULTS = join(ROOT, '.cache', 'bench', 'results.json')

async function bench(plan: Plan): Promise<void> {
  const { server, sizes, total } = plan
  const [alone = 0] = sizes
  // The smallest account alone shows what a large database adds.
  const databases = [
    await databaseWith({ server, sizes: [alone], items: alone }),
    ...(total > alone ? [await databaseWith({ server, sizes, items: total })] : []),
  ]
  const started: Started[] = []
  try {
    for (const database of databases) started.push(...(await startAll(plan, database)))
    const figures = await measureAll(plan, started)
    const footprints = started.map(footprintOf)
    const machine = `${cpus().length} × ${cpus()[0]?.model ?? 'unknown'}, ${platform()} ${arch()}`
    writeFileSync(
      RESULTS,
      JSON.stringify({ date: new Date(), machine, server, figures, footprints }, null, 2),
    )
    console.log(`${figuresTable(figures)}\n\n${footprintsTable(footprints)}\n\n${machine}\n${RESULTS}`)
  } finally {
    await Promise.all(started.map(({ server }) => server.stop()))
  }
}

async function measureAll(plan: Plan, started: readonly Started[]): Promise<Figures[]> {
  const targets = targetsOf(started)
  const figures: Figures[] = []
  const cases = plan.scenarios.flatMap((scenario) =>
    (scenario.connections ?? plan.connections).map((connections) => ({ scenario, connections })),
  )
  const bar = createProgressBar('Замеры', cases.length * (plan.rounds + 1))
  let done = 0
  const tick = () => {
    done += 1
    bar.show(done)
  }
  for (const { scenario, connections } of cases) {
    // Signs in for each: an access token may not live as long as the whole run.
    figures.push(...(await measure(scenario, connections, await signInAll(targets), plan, tick)))
  }
  bar.finish()
  return figures
}

const footprintOf = ({ name, database, server, coldStart, idle }: Started): Footprint => ({
  name,
  items: database.items,
  coldStart,
  idle,
  loaded: memory(server.pid),
})

/** Scenarios that have a server and a table of their own. */
const APART = new Map<string, (names: readonly string[]) => Promise<void>>([
  ['hostile', hostile],
  ['import', measureImports],
  ['export', measureExports],
  ['journal', journal],
  ['bulk', measureBulk],
  ['changes', measureChanges],
  ['offline', measureOffline],
  ['pictures', pictures],
])

try {
  const apart = APART.get(process.argv[2] ?? '')
  await (apart ? apart(process.argv.slice(3)) : bench(readArguments()))
} catch (error) {
  const wrongArguments = error instanceof TypeError && 'code' in error
  if (wrongArguments) console.error(`${error.message}\n${USAGE}`)
  else if (error instanceof CliError) console.error(error.message)
  else throw error
  process.exitCode = 1
}
