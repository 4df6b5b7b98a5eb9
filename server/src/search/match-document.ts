import { conditionsOf, type QueryConditions } from './conditions.ts'
import { listOf, TERMS } from './document.ts'
import type { Condition } from './index.ts'
import type { Query } from './query.ts'
import type { Tag } from './texts.ts'

/** An item that is in no index: its index terms without those of tags, separated by spaces, and its tags. */
export interface UnindexedItem {
  readonly terms: string
  readonly tags: readonly Tag[]
}

/** Items among which a query finds the same as the index would, besides phrases. Takes some 10 µs an item. */
export function matchingDocuments<Item extends UnindexedItem>(query: Query, items: readonly Item[]): Item[] {
  const tags = new Map(items.flatMap((item) => item.tags.map((tag) => [tag.id, tag])))
  const { found }: QueryConditions = conditionsOf(query, [...tags.values()])
  return items.filter((item) => {
    const terms = [...listOf(item.terms), ...item.tags.map(({ id }) => TERMS.tag(id))]
    return meets({ terms, known: new Set(terms) }, found)
  })
}

interface Terms {
  readonly terms: readonly string[]
  readonly known: ReadonlySet<string>
}

function meets(item: Terms, condition: Condition): boolean {
  if ('term' in condition) {
    const { term, prefix = false } = condition
    return item.known.has(term) || (prefix && item.terms.some((each) => each.startsWith(term)))
  }
  if ('all' in condition) return condition.all.every((inner) => meets(item, inner))
  if ('any' in condition) return condition.any.some((inner) => meets(item, inner))
  return meets(item, condition.these) && !meets(item, condition.but)
}
