import type { ExportFormat } from '@kopilka/contract/exports.ts'
import type { Clock } from '../clock.ts'
import { ITEM_KINDS } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import { inPieces } from '../items/id-pieces.ts'
import { type ItemLists, queryIn } from '../items/lists.ts'
import { kindsOf } from '../operations/bulk.ts'
import type { TrashSearch } from '../operations/search-trash.ts'
import type { TagStore } from '../tags/store.ts'
import type { ExportRequest } from './export-bytes.ts'

export interface RequestDependencies {
  clock: Clock
  lists: ItemLists
  tags: TagStore
  searchTrash: TrashSearch
}

/** What a caller asks for: the query of GET /export/, the body of POST /exports/ or the options of `npm run export`. */
export interface Wanted {
  format: ExportFormat
  trash?: boolean | undefined
  versions?: boolean | undefined
  kind?: 'note' | 'urllink' | undefined
  search?: string | undefined
  exact?: boolean | undefined
  tag?: string | undefined
  untagged?: boolean | undefined
  ids?: string[] | undefined
}

/** Throws 'tagNotFound' where the owner has no tag of that id. */
export async function checkTag(
  { tags }: Pick<RequestDependencies, 'tags'>,
  owner_id: string,
  { tag }: Wanted,
): Promise<void> {
  if (tag !== undefined && !(await tags.find(owner_id, tag))) throw new AppError('tagNotFound')
}

/** Finds what a search finds, as the file is read in the order of ids. Throws 'tagNotFound'. */
export async function exportRequest(
  dependencies: RequestDependencies,
  owner_id: string,
  wanted: Wanted,
  signal: AbortSignal,
): Promise<ExportRequest> {
  const {
    format,
    kind,
    tag: tag_id,
    exact = false,
    untagged = false,
    trash = false,
    versions = false,
  } = wanted
  await checkTag(dependencies, owner_id, wanted)
  const kinds = format === 'netscape' ? (['link'] as const) : kindsOf(kind)
  const text = await queryIn(wanted.search)
  const isAll =
    kinds.length === ITEM_KINDS.length && !tag_id && !untagged && !wanted.ids && text === undefined
  const common = { owner_id, kinds, tag_id, untagged }
  const filter = { ...common, tags: isAll, trash, versions, now: dependencies.clock() }
  if (wanted.ids) {
    const ids = inPieces(wanted.ids.toSorted())
    return { format, filter, ids: { named: ids, namedTrash: ids } }
  }
  if (text === undefined) return { format, filter }
  const named = await dependencies.lists.idsFound({ ...common, exact, signal }, text)
  const trashed = trash ? ((await dependencies.searchTrash(owner_id, text, signal)) ?? []) : []
  return { format, filter, ids: { named, namedTrash: inPieces(trashed.toSorted()) } }
}
