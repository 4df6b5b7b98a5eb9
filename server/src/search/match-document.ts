import { conditionsOf, type QueryConditions } from './conditions.ts'
import { meets } from './index.ts'
import type { Query } from './query.ts'
import { listOf, TERMS } from './terms.ts'
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
    const known = new Set(terms)
    return meets(
      found,
      ({ term, prefix = false }) =>
        known.has(term) || (prefix && terms.some((each) => each.startsWith(term))),
    )
  })
}
