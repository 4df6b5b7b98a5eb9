import type { Range } from '@kopilka/contract/items.ts'
import { asksFor } from './conditions.ts'
import type { AskedWord, Query } from './query.ts'
import { eachRunOf, type Run } from './words.ts'

/** Where the words that a query asks for stand in a text, in any of their forms, from its beginning on. */
export function* eachMark(text: string, { runs }: Query): Generator<Range> {
  const words = runs.flatMap((run) => run.words)
  const joined = runs.flatMap((run) => run.joined ?? [])
  for (const run of eachRunOf(text)) yield* marksOf(run, words, joined)
}

function* marksOf(run: Run, words: readonly AskedWord[], joined: readonly AskedWord[]): Generator<Range> {
  const [first] = run.words
  const last = run.words.at(-1)
  const { joined: folded } = run
  if (first && last && folded !== undefined && [...words, ...joined].some((word) => asksFor(word, folded))) {
    yield [first.start, last.end]
    return
  }
  for (const { folded, start, end } of run.words)
    if ([...words, ...joined].some((word) => asksFor(word, folded))) yield [start, end]
}
