import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import type { SampleItem } from '../../scripts/samples/sample-items.ts'

/** What a scenario knows of the account whose requests it makes. */
export interface Ground {
  /** Pages of the list of notes. */
  readonly pages: number
  /** Words that few, some and most items of the samples hold: as they are in the index, so that the yardstick needs no stems. */
  readonly words: {
    readonly rare: string
    readonly middling: string
    readonly common: string
    readonly two: string
  }
  /** Some notes from all over the list. */
  readonly ids: readonly string[]
  /** Notes to save. */
  readonly saves: readonly Extract<SampleItem, { kind: 'note' }>['save'][]
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly body?: unknown
}

/** Something people do often. */
export interface Scenario {
  readonly name: string
  readonly status: number
  readonly writes?: true
  /** The share of its length by which the answer may differ from the yardstick's; absent, hardly at all. */
  readonly tolerance?: number
  /** The `turn`-th request, from 0. */
  readonly request: (ground: Ground, turn: number) => Asked
}

const list = (query: string): Asked => ({ method: 'GET', path: `${API_PREFIX}${notes.list.path}${query}` })
const one = (method: string, id: string): Asked => ({
  method,
  path: `${API_PREFIX}${notes.read.path.replace(':id', id)}`,
})
const inTurn = <T>(values: readonly T[], turn: number): T => {
  const value = values[turn % values.length]
  if (value === undefined) throw new RangeError('The account is empty.')
  return value
}

/** The yardstick knows no order but the newest, no piece around a match and no marks. */
const FOUND = { status: 200, tolerance: 0.5 } as const
const searchFor = (text: string): Asked => ({
  method: 'GET',
  path: `${API_PREFIX}${search.path}?search=${encodeURIComponent(text)}&view=summary`,
})

/** A page that the smallest account has as well. */
const DEEP = 300

/** What is measured, in this order. A new one needs its answer in yardstick.ts. */
export const SCENARIOS: readonly Scenario[] = [
  { name: 'first page', status: 200, request: () => list('') },
  { name: 'first page, short', status: 200, request: () => list('?view=summary') },
  { name: 'deep page', status: 200, request: () => list(`?page=${DEEP}`) },
  {
    name: 'middle page',
    status: 200,
    request: ({ pages }) => list(`?page=${Math.ceil(pages / 2)}`),
  },
  { name: 'one item', status: 200, request: ({ ids }, turn) => one('GET', inTurn(ids, turn)) },
  { name: 'latest', status: 200, request: () => ({ method: 'GET', path: `${API_PREFIX}${latest.path}` }) },
  { name: 'search rare', ...FOUND, request: ({ words }) => searchFor(words.rare) },
  { name: 'search middling', ...FOUND, request: ({ words }) => searchFor(words.middling) },
  { name: 'search common', ...FOUND, request: ({ words }) => searchFor(words.common) },
  { name: 'search two words', ...FOUND, request: ({ words }) => searchFor(words.two) },
  { name: 'tags', status: 200, request: () => ({ method: 'GET', path: `${API_PREFIX}${tags.list.path}` }) },
  {
    name: 'create',
    status: 201,
    writes: true,
    request: ({ saves }, turn) => ({ ...list(''), method: 'POST', body: inTurn(saves, turn) }),
  },
  {
    name: 'change',
    status: 200,
    writes: true,
    request: ({ ids, saves }, turn) => ({ ...one('PUT', inTurn(ids, turn)), body: inTurn(saves, turn) }),
  },
]
