import type { Range } from '@kopilka/contract/items.ts'
import { asksFor } from './conditions.ts'
import { type Query, wordsOf } from './query.ts'
import { eachRunOf } from './words.ts'

/** Where the words that a query asks for stand in a text, in any of their forms, from its beginning on. */
export function* eachMark(text: string, { runs }: Query): Generator<Range> {
  const words = runs.flatMap(wordsOf)
  const isAsked = (folded: string) => words.some((word) => asksFor(word, folded))
  for (const { words: parts, joined } of eachRunOf(text)) {
    const [first] = parts
    const last = parts.at(-1)
    if (first && last && joined !== undefined && isAsked(joined)) yield [first.start, last.end]
    else for (const { folded, start, end } of parts) if (isAsked(folded)) yield [start, end]
  }
}
