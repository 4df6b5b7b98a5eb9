import { workerData } from 'piscina'
import { openReader } from './db/open.ts'
import { exportBatch } from './exports/batch.ts'
import { type FeedRequest, feedOf } from './feed/atom.ts'
import { cleanPictureFile } from './files/clean-picture.ts'
import { splitPictures } from './files/data-pictures.ts'
import { withSizes } from './files/picture-sizes.ts'
import { useOfFiles } from './files/references.ts'
import { parseBodyOf } from './http/json-body.ts'
import { type BatchRequest, prepareBatch as prepareImport } from './imports/prepare-batch.ts'
import { linksWithText, type RowsRequest, rowsOf } from './imports/queries.ts'
import { missingIdentities, missingTrashIdentities } from './items/fill-identity-keys.ts'
import { findIds, type Lists, listIds } from './items/find-ids.ts'
import { cleanHtml } from './items/html.ts'
import { unionOf } from './items/id-pieces.ts'
import { type LinkPageRequest, linkPage } from './items/link-page.ts'
import { analyseItem, prepareItem } from './items/prepare.ts'
import { pageIdsOf } from './items/queries.ts'
import { bodyOf, textsOf } from './linkding/bookmark.ts'
import { parseBookmark } from './linkding/sent.ts'
import { listOperations, type OperationsPiece } from './operations/list.ts'
import { allTrashed } from './operations/restore-size.ts'
import {
  foundTrashed,
  searchTrash,
  type TrashFoundRequest,
  type TrashSearchRequest,
} from './operations/search-trash.ts'
import { trashedItems } from './operations/trash.ts'
import type { TrashPiece } from './operations/trashed.ts'
import { prepareBatch } from './search/batch.ts'
import { findSimilar, type SearchRequest, type SimilarRequest, search } from './search/search.ts'
import { lowerPriority } from './threads/lower-priority.ts'
import { moving, report, threadTasks } from './threads/pool.ts'
import type { WorkerData } from './threads/worker-pool.ts'

lowerPriority()

const { config, isLogged }: WorkerData = workerData
const db = openReader(config, isLogged ? report : undefined)

/** More than an account has of anything; SQLite takes it for a whole number. */
const ALL = 1_000_000_000

/** The tasks of the threads of threads/worker-pool.ts. */
export const run = threadTasks({
  search: (request: SearchRequest) => search(db, request),
  findIds: (request: SearchRequest) => findIds(db, request),
  listIds: (lists: Lists) => listIds(db, lists),
  findSimilar: (request: SimilarRequest) => findSimilar(db, request),
  searchTrash: (request: TrashSearchRequest) => searchTrash(db, request),
  foundTrashed: (request: TrashFoundRequest) => foundTrashed(db, request),
  listOperations: (piece: OperationsPiece) => listOperations(db, piece, ALL),
  trashedItems: (piece: TrashPiece) => trashedItems(db, piece, ALL),
  allTrashed: (owner_id: string) => allTrashed(db, owner_id),
  prepareBatch: (place: Parameters<typeof prepareBatch>[1]) => prepareBatch(db, place),
  analyseItem,
  unionOfIds: unionOf,
  linkPage: (request: LinkPageRequest) => linkPage(db, request),
  bookmarkBody: bodyOf,
  parseBookmark,
  bookmarkTexts: (bodies: readonly string[]) => bodies.map(textsOf),
  feedOf: (request: FeedRequest) => feedOf(db, request),
  prepareItem: ([kind, draft]: Parameters<typeof prepareItem>) => prepareItem(kind, draft),
  pageIdsOf: (piece: Parameters<typeof pageIdsOf>[1]) => pageIdsOf(db, piece),
  exportBatch: (request: Parameters<typeof exportBatch>[1]) => exportBatch(db, request),
  parseBody: parseBodyOf,
  cleanPictureFile,
  splitPictures: ({ html, clean }: { html: string; clean: boolean }) =>
    splitPictures(clean ? html : cleanHtml(html)),
  pictureSizes: async ({ owner_id, text }: { owner_id: string; text: string }) =>
    (await withSizes(db, owner_id, [text]))[0],
  useOfFiles: (page: Parameters<typeof useOfFiles>[1]) => useOfFiles(db, page),
  missingIdentities: (owner_id: string) => missingIdentities(db, owner_id),
  missingTrashIdentities: (owner_id: string) => missingTrashIdentities(db, owner_id),
  importRows: (request: RowsRequest) => rowsOf(db, request),
  linksWithText: (request: Parameters<typeof linksWithText>[1]) => linksWithText(db, request),
  prepareImport: async (request: BatchRequest) => {
    const batch = await prepareImport(db, request)
    return moving(batch, [batch.rows.buffer])
  },
})
