import { type AskedWord, type Query, wordsOf } from './query.ts'
import { stemOf } from './stems.ts'

/** How a word of a text answers what was asked for: in any form, or as the beginning of another word. */
type Answer = 'whole' | 'beginning'

/** Which of a query's runs a word of a text answers, by their places among them, and how; undefined where none. */
export type Answers = ReadonlyMap<number, Answer> | undefined

/** Texts repeat their words, and a query looks at the same ones in dozens of texts. */
const known = new WeakMap<Query, Map<string, Answers>>()

/** Tells what a folded word of a text answers. */
export function answersTo(query: Query): (folded: string) => Answers {
  const ofQuery = known.get(query) ?? new Map<string, Answers>()
  known.set(query, ofQuery)
  return (folded) => {
    if (ofQuery.has(folded)) return ofQuery.get(folded)
    const answers = answersOf(query, folded)
    ofQuery.set(folded, answers)
    return answers
  }
}

function answersOf({ runs }: Query, folded: string): Answers {
  const stem = stemOf(folded)
  const answers = new Map<number, Answer>()
  for (const [at, run] of runs.entries()) {
    const words = wordsOf(run)
    if (words.some(({ stems }) => stems.includes(stem))) answers.set(at, 'whole')
    else if (words.some((word) => isBeginning(word, folded))) answers.set(at, 'beginning')
  }
  return answers.size > 0 ? answers : undefined
}

const isBeginning = (word: AskedWord, folded: string): boolean =>
  word.beginning && folded.startsWith(word.folded)
