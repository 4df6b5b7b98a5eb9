import type { Highlights, Sort } from '@kopilka/contract/items.ts'
import type { Kind } from './kept-item.ts'

/** A search over the copy; each field is as on the server. */
interface SearchRequest {
  /** The query as typed. */
  readonly text: string
  /** Set: a query that finds nothing is neither replaced by a suggestion nor matched in part. */
  readonly exact: boolean
  readonly kinds: readonly Kind[]
  /** Only items with the tag of this id. */
  readonly tag?: string | undefined
  readonly untagged?: boolean | undefined
  /** Another order than the best first. */
  readonly sort?: Sort | undefined
  readonly limit: number
  readonly offset: number
  /** Whether excerpts and highlights are wanted. */
  readonly excerpts: boolean
}

export interface SearchResult {
  readonly counts: Readonly<Record<Kind, number>>
  /** The ids of the page. */
  readonly ids: Readonly<Record<Kind, readonly string[]>>
  readonly excerpts: ReadonlyMap<string, { readonly excerpt: string; readonly highlights: Highlights }>
  readonly corrected?: { readonly query: string }
  readonly partial?: true
}

/** What only the index of the copy can tell. */
export interface Finder {
  /** Resolves to undefined where the text has nothing to search for. */
  search(request: SearchRequest): Promise<SearchResult | undefined>
  /** The ids of the items of both kinds that are most like an item, most alike first. */
  similarTo(request: { readonly id: string; readonly limit: number }): Promise<readonly string[]>
}
