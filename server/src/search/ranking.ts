import { eachRunOf } from '@kopilka/text/tokenize.ts'
import { type Askers, askersOf } from './match.ts'
import type { Query } from './query.ts'

/** What of an item is looked at to put the best first; `body` is plain text, `address` as people read it. */
export interface RankedText {
  readonly title: string
  readonly tags: readonly string[]
  readonly body: string
  readonly address: string
}

/** What a word is worth by the best place it stands in, as a whole word and as the beginning of another. */
const PLACES = { title: [10, 9], tags: [7, 6], body: [3, 2], address: [0.5, 0.5] } as const

/** BM25's: how soon more of a word stops to count, and the words of a text in which one more counts as usual. */
const SATURATION = 1.2
const USUAL_LENGTH = 150
/** What a word is worth at most for standing often in a text, and all of them for standing close together. */
const FREQUENCY = 1.5
const CLOSENESS = 1.5
/** Differences that nobody would see must not stand before what is newer. */
const STEPS = 4

/** How well an item answers a query: title over tags over text over address, the closer and more often the better. */
export function relevanceOf(query: Query, { title, tags, body, address }: RankedText): number {
  const found = {
    title: placesIn(title, query),
    tags: placesIn(tags.join('\n'), query),
    body: placesIn(body, query),
    address: placesIn(address, query),
  }
  const worth = query.runs.map((_, at) => {
    const best = Object.entries(PLACES).map(([place, [whole, beginning]]) => {
      const matches = found[place as keyof typeof PLACES].matches[at] ?? NO_MATCHES
      return matches.whole > 0 ? whole : matches.positions.length > 0 ? beginning : 0
    })
    const often = found.body.matches[at]?.positions.length ?? 0
    const length = 0.25 + (0.75 * found.body.length) / USUAL_LENGTH
    return Math.max(...best) + (FREQUENCY * often) / (often + SATURATION * length)
  })
  const closeness = Math.max(closenessIn(found.title.matches), closenessIn(found.body.matches))
  const sum = worth.reduce((one, other) => one + other, 0) + CLOSENESS * closeness
  return Math.round(sum * STEPS) / STEPS
}

interface Matches {
  /** Of which as whole words. */
  whole: number
  /** Counted in words. */
  readonly positions: number[]
}

const NO_MATCHES: Matches = { whole: 0, positions: [] }

/** Where each run stands in a text. */
function placesIn(text: string, query: Query): { matches: Matches[]; length: number } {
  const askersOfWord = askersOf(query)
  const matches = query.runs.map((): Matches => ({ whole: 0, positions: [] }))
  let length = 0
  for (const { words, joined } of eachRunOf(text)) {
    let askers = joined === undefined ? undefined : askersOfWord(joined)
    for (const { folded } of words) askers = better(askers, askersOfWord(folded))
    for (const [at, asked] of askers ?? []) {
      const match = matches[at]
      match?.positions.push(length)
      if (match && asked === 'whole') match.whole += 1
    }
    length += words.length
  }
  return { matches, length }
}

/** All that ask for one of two words, each as it does for the better. */
function better(one: Askers, other: Askers): Askers {
  if (!one || !other) return one ?? other
  const best = new Map(one)
  for (const [at, asked] of other) if (asked === 'whole' || !best.has(at)) best.set(at, asked)
  return best
}

/** 1 where all runs stand side by side, less the further apart they are, 0 where one is missing or there is but one. */
function closenessIn(matches: readonly Matches[]): number {
  if (matches.length < 2 || matches.some(({ positions }) => positions.length === 0)) return 0
  const all = matches
    .flatMap(({ positions }, run) => positions.map((position) => ({ position, run })))
    .sort((one, other) => one.position - other.position)
  const seen = new Map<number, number>()
  let span = Number.POSITIVE_INFINITY
  for (const { position, run } of all) {
    seen.set(run, position)
    if (seen.size === matches.length) span = Math.min(span, position - Math.min(...seen.values()))
  }
  return 1 / (1 + Math.max(span - (matches.length - 1), 0) / matches.length)
}

/** Whether the words of a phrase follow one another among those of a text, each in this very form. */
export function holdsPhrase(words: readonly string[], phrase: readonly string[]): boolean {
  const [first] = phrase
  return words.some((word, at) => word === first && phrase.every((one, of) => words[at + of] === one))
}
