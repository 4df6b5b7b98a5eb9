import type { Db } from '../db/schema.ts'
import { type SearchRequest, search } from '../search/search.ts'
import { type IdPieces, inPieces } from './id-pieces.ts'

/** Finds the ids of all items of a search, and sorts them. Runs in a worker thread. */
export async function findIds(db: Db, request: SearchRequest): Promise<IdPieces> {
  const { ids } = await search(db, request)
  return inPieces([...ids.note, ...ids.link].sort())
}
