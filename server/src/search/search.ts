import type { Found } from '@kopilka/text/search/index-reader.ts'
import * as rules from '@kopilka/text/search/search.ts'
import * as similarity from '@kopilka/text/search/similar.ts'
import type { Db } from '../db/schema.ts'
import { indexReader } from './index-reader.ts'

export type { SearchResult } from '@kopilka/text/search/search.ts'

interface OfOwner {
  readonly owner_id: string
}

export type SearchRequest = rules.SearchRequest & OfOwner
export type SimilarRequest = similarity.SimilarRequest & OfOwner

/** Searches an owner's items by the rules that the browser has too (text/src/search). */
export const search = (db: Db, { owner_id, ...request }: SearchRequest): Promise<rules.SearchResult> =>
  rules.search(indexReader(db, owner_id), request)

/** The items that are most like an owner's item. */
export const findSimilar = (db: Db, { owner_id, ...request }: SimilarRequest): Promise<Found[]> =>
  similarity.findSimilar(indexReader(db, owner_id), request)
