import type { Range } from '@kopilka/contract/items.ts'
import { answersTo } from './answers.ts'
import type { Query } from './query.ts'
import { eachRunOf } from './words.ts'

/** Where the words that a query asks for stand in a text, in any of their forms, from its beginning on. */
export function* eachMark(text: string, query: Query): Generator<Range> {
  const answers = answersTo(query)
  for (const { words, joined } of eachRunOf(text)) {
    const [first] = words
    const last = words.at(-1)
    if (first && last && joined !== undefined && answers(joined)) yield [first.start, last.end]
    else for (const { folded, start, end } of words) if (answers(folded)) yield [start, end]
  }
}
