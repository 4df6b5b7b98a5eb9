import type { Started } from './contestants.ts'
import { YARDSTICK } from './contestants.ts'
import type { Figures } from './lane.ts'

/** A server before and after everything it was asked. */
export interface Footprint extends Pick<Started, 'name' | 'idle'> {
  readonly items: number
  /** Milliseconds. */
  readonly coldStart: number
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
  'req/s ÷ yardstick',
  'CPU ÷ yardstick',
  'p50 ÷ p50 alone',
]

/** The figures of a run as a Markdown table, each product beside the yardstick of the same run. */
export const figuresTable = (all: readonly Figures[]): string =>
  table([HEADS, ...all.map((one) => rowOf(one, all))])

function rowOf(one: Figures, all: readonly Figures[]): Row {
  const { scenario, connections, name, items, account } = one
  const alike = all.filter((other) => other.scenario === scenario && other.connections === connections)
  const yardstick = alike.find(
    (other) => other.name === YARDSTICK && other.items === items && other.account === account,
  )
  const alone = alike.find((other) => other.name === name && other.items === other.account)
  const against = (part: number, base: number | undefined): string =>
    name === YARDSTICK ? '' : digits(part / (base ?? Number.NaN), 2)
  return [
    scenario,
    String(connections),
    name,
    `${inThousands(account)} in ${inThousands(items)}`,
    whole(one.throughput),
    digits(one.p50, 2),
    digits(one.p95, 2),
    digits(one.processor, 3),
    against(one.throughput, yardstick?.throughput),
    against(one.processor, yardstick?.processor),
    alone === one ? '' : against(one.p50, alone?.p50),
  ]
}

/** How long each server took to start, and the memory it took before and after. */
export const footprintsTable = (footprints: readonly Footprint[]): string =>
  table([
    ['server', 'database', 'cold start ms', 'RSS idle MB', 'RSS after the run MB'],
    ...footprints.map(({ name, items, coldStart, idle, loaded }) => [
      name,
      inThousands(items),
      whole(coldStart),
      whole(idle),
      whole(loaded),
    ]),
  ])

function table(rows: readonly Row[]): string {
  const widths = (rows[0] ?? []).map((_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)))
  const lines = rows.map((row) => `| ${row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |`)
  const [heads = '', ...rest] = lines
  return [heads, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest].join('\n')
}
