import type { Db, ItemKind } from '../db/schema.ts'
import { type SearchRequest, search } from '../search/search.ts'
import { type IdPieces, inPieces } from './id-pieces.ts'
import { idsListed, type Listed } from './queries.ts'

/**
 * Finds the ids of all items that match a search, and sorts them: none where it matches in part only, because nobody means to change
 * what lacks a word of the query. Runs in a worker thread.
 */
export async function findIds(db: Db, request: SearchRequest): Promise<IdPieces> {
  const { ids, partial } = await search(db, request)
  return inPieces(partial ? [] : [...ids.note, ...ids.link].sort())
}

/** The lists of several kinds. */
export type Lists = Omit<Listed, 'kind'> & { kinds: readonly ItemKind[] }

/** The same of all items of lists: of large ones in a worker thread. */
export async function listIds(db: Db, { kinds, ...list }: Lists): Promise<IdPieces> {
  const ids: string[] = []
  for (const kind of kinds) for (const id of await idsListed(db, { ...list, kind })) ids.push(id)
  return inPieces(ids.sort())
}
