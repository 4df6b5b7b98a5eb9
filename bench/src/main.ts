// `npm run bench`: what the product costs, beside a yardstick that sends the same bytes. See bench/README.md.
import { writeFileSync } from 'node:fs'
import { arch, cpus, platform } from 'node:os'
import { join } from 'node:path'
import { CliError, ROOT } from '../../scripts/prepare.mjs'
import { createProgressBar } from '../../scripts/progress-bar.mjs'
import { type Plan, readArguments, USAGE } from './arguments.ts'
import { contestantsOf, type Started, signInAll, startAll } from './contestants.ts'
import { databaseWith } from './databases.ts'
import type { Figures } from './lane.ts'
import { measure } from './measure.ts'
import { type Footprint, figuresTable, footprintsTable } from './table.ts'
import { memory } from './usage.ts'

const RESULTS = join(ROOT, '.cache', 'bench', 'results.json')

async function bench(plan: Plan): Promise<void> {
  const { server, sizes, total } = plan
  const [alone = 0] = sizes
  // What a large database adds is seen beside one that holds nothing but the smallest account.
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
  const contestants = contestantsOf(started)
  const figures: Figures[] = []
  const bar = createProgressBar('Замеры', plan.scenarios.length * plan.connections.length * (plan.rounds + 1))
  let done = 0
  const tick = () => {
    done += 1
    bar.show(done)
  }
  for (const scenario of plan.scenarios) {
    for (const connections of plan.connections) {
      // Anew each time: an access token may not live as long as the whole run.
      figures.push(...(await measure(scenario, connections, await signInAll(contestants), plan, tick)))
    }
  }
  bar.finish()
  return figures
}

const footprintOf = ({ name, database, server, idle }: Started): Footprint => ({
  name,
  items: database.items,
  coldStart: server.coldStart,
  idle,
  loaded: memory(server.pid),
})

try {
  await bench(readArguments())
} catch (error) {
  const wrongArguments = error instanceof TypeError && 'code' in error
  if (wrongArguments) console.error(`${error.message}\n${USAGE}`)
  else if (error instanceof CliError) console.error(error.message)
  else throw error
  process.exitCode = 1
}
