// `npm run test:faults [-- --seed 1] [--only sqlite] [--rounds 1]`: kills the server and its database under load
// and checks that every acknowledged write is still stored.
import { randomInt } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRounds, type Incident, type RoundResult } from '../server/src/testing/faults/rounds.ts'
import { startPostgres } from '../server/src/testing/postgres.ts'
import { createProgressBar } from './progress-bar.mjs'

interface Series {
  readonly label: string
  readonly onPostgres: boolean
  readonly rounds: number
  /** One a round, repeated in this order. */
  readonly incidents: readonly [Incident, ...Incident[]]
}

const SERIES: Readonly<Record<string, Series>> = {
  sqlite: { label: 'SQLite, убит сервер', onPostgres: false, rounds: 12, incidents: ['kill-server'] },
  postgres: { label: 'PostgreSQL, убит сервер', onPostgres: true, rounds: 6, incidents: ['kill-server'] },
  database: {
    label: 'PostgreSQL, убита база',
    onPostgres: true,
    rounds: 3,
    incidents: ['crash-postgres', 'stop-postgres', 'kill-both'],
  },
}

const USAGE = `npm run test:faults [-- --only ${Object.keys(SERIES).join('|')}] [--rounds 1] [--seed 1]`

/** Time limit of the whole run in seconds; it usually takes a fifth of that. */
const LIMIT = 900

/** A failed round, already printed. */
class RoundFailed extends Error {}

const { values } = parseArgs({
  options: { seed: { type: 'string' }, only: { type: 'string' }, rounds: { type: 'string' } },
})
const chosen = Object.entries(SERIES).filter(([name]) => values.only === undefined || values.only === name)
const numbers = [values.seed ?? '1', values.rounds ?? '1']
if (chosen.length === 0 || !numbers.every((number) => /^[1-9]\d*$/.test(number))) {
  console.error(`Такого нет: ${USAGE}`)
  process.exit(1)
}
const seed = Number(values.seed ?? randomInt(1, 1_000_000_000))

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
] as const)
  process.once(signal, () => process.exit(code))
setTimeout(() => {
  console.error(`Не закончено за ${LIMIT} с.`)
  process.exit(1)
}, LIMIT * 1000).unref()

const folder = mkdtempSync(join(tmpdir(), 'kopilka-faults-'))
process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 }))

console.log(`Повторить: npm run test:faults -- --seed ${seed}`)
try {
  // Those of one database after each other, beside those of the other: a fifth of the time they wait for a server to start.
  await Promise.all(
    [false, true].map(async (onPostgres) => {
      for (const [name, series] of chosen) if (series.onPostgres === onPostgres) await runSeries(name, series)
    }),
  )
} catch (error) {
  if (!(error instanceof RoundFailed)) console.error(error)
  // Child processes would keep this one alive.
  process.exit(1)
}

async function runSeries(
  name: string,
  { label, onPostgres, rounds: usual, incidents }: Series,
): Promise<void> {
  const count = Number(values.rounds ?? usual)
  const postgres = onPostgres ? await startPostgres() : undefined
  const settings = { DATA_DIR: mkdtempSync(join(folder, `${name}-`)), DATABASE_URL: postgres?.url ?? '' }
  const rounds = await createRounds({ settings, ...(postgres && { postgres }) })
  const bar = createProgressBar(label, count)
  const results: RoundResult[] = []
  for (let at = 0; at < count; at += 1) {
    const incident = incidents[at % incidents.length] ?? incidents[0]
    const result = await rounds.run(incident, seed + at * 1000)
    if (result.faults.length > 0) {
      console.error(`\n${label}, раунд ${at + 1} (${incident}):\n${result.faults.slice(0, 50).join('\n')}`)
      console.error(`Повторить: npm run test:faults -- --only ${name} --seed ${seed} --rounds ${at + 1}`)
      throw new RoundFailed()
    }
    results.push(result)
    bar.show(at + 1)
  }
  bar.finish()
  console.log(`  ${summaryOf(results)}`)
  await rounds.close()
  await postgres?.close()
}

function summaryOf(results: readonly RoundResult[]): string {
  const sum = (of: (result: RoundResult) => number): number =>
    results.reduce((total, result) => total + of(result), 0)
  const recoveries = results.flatMap(({ recovery }) => recovery ?? [])
  const slowest =
    recoveries.length > 0 ? `, снова пишет не позже чем через ${Math.ceil(Math.max(...recoveries))} мс` : ''
  return `подтверждено ${sum((result) => result.acknowledged)}, без ответа ${sum((result) => result.unanswered)}${slowest}`
}
