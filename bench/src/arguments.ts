import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { CliError, ROOT } from '../../scripts/prepare.mjs'
import { SCENARIOS, type Scenario } from './scenarios.ts'

export const USAGE = [
  'npm run bench -- [сценарий…] [--items 10000,100000] [--total 1000000] [--connections 1,20]',
  '  [--database sqlite | postgres://…] [--rounds 6] [--window 300] [--against папка]',
  `Сценарии: ${SCENARIOS.map(({ name }) => name).join(', ')}`,
  'npm run bench -- hostile [postgres://…] [атака…] | import | export | journal | bulk [postgres://…] | pictures [postgres://…] | offline [10000 20000]',
].join('\n')

/** What a run measures. */
export interface Plan {
  readonly scenarios: readonly Scenario[]
  /** Sizes of the accounts in the large database. */
  readonly sizes: readonly number[]
  /** Items in the large database. */
  readonly total: number
  readonly connections: readonly number[]
  /** `sqlite`, or the address of a PostgreSQL. */
  readonly server: string
  /** How often each server gets a window of this many milliseconds. */
  readonly rounds: number
  readonly window: number
  /** Folders of repositories whose product is measured: this one, and one to compare with. */
  readonly products: readonly { readonly name: string; readonly folder: string }[]
}

/** Throws {@link CliError} where an argument makes no sense. */
export function readArguments(): Plan {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      items: { type: 'string', default: '10000,100000' },
      total: { type: 'string', default: '1000000' },
      connections: { type: 'string', default: '1,20' },
      database: { type: 'string', default: 'sqlite' },
      rounds: { type: 'string', default: '6' },
      window: { type: 'string', default: '300' },
      against: { type: 'string' },
    },
  })
  return {
    scenarios: scenariosNamed(positionals),
    sizes: values.items.split(',').map(wholeNumber),
    total: wholeNumber(values.total),
    connections: values.connections.split(',').map(wholeNumber),
    server: values.database,
    rounds: wholeNumber(values.rounds),
    window: wholeNumber(values.window),
    products: [
      ...(values.against === undefined ? [] : [{ name: 'before', folder: resolve(values.against) }]),
      { name: 'kopilka', folder: ROOT },
    ],
  }
}

/** A name selects all scenarios that begin with it: 'search' every search. */
function scenariosNamed(names: readonly string[]): readonly Scenario[] {
  const isNamed = ({ name }: Scenario, as: string) => name === as || name.startsWith(`${as} `)
  const unknown = names.find((as) => !SCENARIOS.some((scenario) => isNamed(scenario, as)))
  if (unknown !== undefined) throw new CliError(`Нет такого сценария: ${unknown}\n${USAGE}`)
  return names.length === 0
    ? SCENARIOS
    : SCENARIOS.filter((scenario) => names.some((as) => isNamed(scenario, as)))
}

function wholeNumber(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new CliError(`Нужно целое число, а не ${text}\n${USAGE}`)
  return Number(text)
}
