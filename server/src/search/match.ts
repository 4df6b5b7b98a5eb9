import { readingsOf } from '@kopilka/text/stems.ts'
import { type AskedWord, type Query, wordsOf } from './query.ts'

/** How a word of a text is asked for: in any form, or as the beginning of another word. */
type Asked = 'whole' | 'beginning'

/** Which of a query's runs ask for a word of a text, by their places among them, and how; undefined where none does. */
export type Askers = ReadonlyMap<number, Asked> | undefined

/** Texts repeat their words, and a query looks at the same ones in dozens of texts. */
const known = new WeakMap<Query, Map<string, Askers>>()

/** Tells what asks for a folded word of a text. */
export function askersOf(query: Query): (folded: string) => Askers {
  const ofQuery = known.get(query) ?? new Map<string, Askers>()
  known.set(query, ofQuery)
  return (folded) => {
    if (ofQuery.has(folded)) return ofQuery.get(folded)
    const askers = runsAsking(query, folded)
    ofQuery.set(folded, askers)
    return askers
  }
}

function runsAsking({ runs }: Query, folded: string): Askers {
  const readings = readingsOf(folded)
  const askers = new Map<number, Asked>()
  for (const [at, run] of runs.entries()) {
    const words = wordsOf(run)
    if (words.some(({ stems }) => readings.some((stem) => stems.includes(stem)))) askers.set(at, 'whole')
    else if (words.some((word) => isBeginning(word, folded))) askers.set(at, 'beginning')
  }
  return askers.size > 0 ? askers : undefined
}

const isBeginning = (word: AskedWord, folded: string): boolean =>
  word.beginning && folded.startsWith(word.folded)
