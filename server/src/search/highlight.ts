import type { Range } from '@kopilka/contract/items.ts'
import { eachRunOf } from '@kopilka/text/tokenize.ts'
import { askersOf } from './match.ts'
import type { Query } from './query.ts'

/** Where the words that a query asks for stand in a text, in any of their forms, from its beginning on. */
export function* eachMark(text: string, query: Query): Generator<Range> {
  const askers = askersOf(query)
  for (const { words, joined } of eachRunOf(text)) {
    const [first] = words
    const last = words.at(-1)
    if (first && last && joined !== undefined && askers(joined)) yield [first.start, last.end]
    else for (const { folded, start, end } of words) if (askers(folded)) yield [start, end]
  }
}
