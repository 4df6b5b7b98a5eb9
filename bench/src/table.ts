import type { Figures } from './runner.ts'
import { READER_ALONE } from './scenarios.ts'
import type { Started } from './targets.ts'
import { BASELINE } from './targets.ts'

/** A server before and after the whole run. */
export interface Footprint extends Pick<Started, 'name' | 'coldStart' | 'idle'> {
  readonly items: number
  /** Megabytes after the whole run. */
  readonly loaded: number
}

type Row = readonly string[]

const digits = (value: number, count: number): string => (Number.isFinite(value) ? value.toFixed(count) : '–')
const whole = (value: number): string => digits(value, 0)
const inThousands = (items: number): string => (items % 1000 === 0 ? `${items / 1000}k` : String(items))

const HEADS: Row = [
  'scenario',
  'conn.',
  'server',
  'account in database',
  'req/s',
  'p50 ms',
  'p95 ms',
  'CPU ms',
  'req/s ÷ baseline',
  'CPU ÷ baseline',
  'p50 ÷ small db',
  'p95 ÷ alone',
]

/** The figures of a run as a Markdown table, each product beside the baseline of the same run. */
export const figuresTable = (all: readonly Figures[]): string =>
  table([HEADS, ...all.map((one) => rowOf(one, all))])

function rowOf(one: Figures, all: readonly Figures[]): Row {
  const { scenario, connections, name, items, account } = one
  const alike = all.filter((other) => other.scenario === scenario && other.connections === connections)
  const baseline = alike.find(
    (other) => other.name === BASELINE && other.items === items && other.account === account,
  )
  const small = alike.find((other) => other.name === name && other.items === other.account)
  const reader = scenario.startsWith('reader')
    ? all.find(
        (other) =>
          other.scenario === READER_ALONE &&
          other.name === name &&
          other.items === items &&
          other.account === account,
      )
    : undefined
  const against = (part: number, base: number | undefined): string =>
    name === BASELINE ? '' : digits(part / (base ?? Number.NaN), 2)
  return [
    scenario,
    String(connections),
    name,
    `${inThousands(account)} in ${inThousands(items)}`,
    whole(one.throughput),
    digits(one.p50, 2),
    digits(one.p95, 2),
    digits(one.processor, 3),
    against(one.throughput, baseline?.throughput),
    against(one.processor, baseline?.processor),
    small === one ? '' : against(one.p50, small?.p50),
    reader && reader !== one ? digits(one.p95 / reader.p95, 2) : '',
  ]
}

/** The cold start of each server, and its memory before and after the run. */
export const footprintsTable = (footprints: readonly Footprint[]): string =>
  table([
    ['server', 'database', 'cold start ms', 'RSS idle MB', 'idle ÷ baseline', 'RSS after the run MB'],
    ...footprints.map(({ name, items, coldStart, idle, loaded }) => {
      const baseline = footprints.find((other) => other.name === BASELINE && other.items === items)
      return [
        name,
        inThousands(items),
        whole(coldStart),
        whole(idle),
        name === BASELINE ? '' : digits(idle / (baseline?.idle ?? Number.NaN), 2),
        whole(loaded),
      ]
    }),
  ])

/** Rows, the first of them the heads, as a Markdown table. */
export function table(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const lines = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
  const [heads = '', ...rest] = lines
  return [heads, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest].join('\n')
}
