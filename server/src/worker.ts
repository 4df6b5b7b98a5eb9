import { workerData } from 'piscina'
import { openReader } from './db/open.ts'
import { exportBatch } from './exports/batch.ts'
import { type FeedRequest, feedOf } from './feed/atom.ts'
import { cleanPictureFile } from './files/clean-picture.ts'
import { splitPictures } from './files/data-pictures.ts'
import { useOfFiles } from './files/references.ts'
import { parseBodyOf } from './http/json-body.ts'
import { type BatchRequest, prepareBatch as prepareImport } from './imports/prepare-batch.ts'
import { type RowsRequest, rowsOf } from './imports/queries.ts'
import { findIds } from './items/find-ids.ts'
import { cleanHtml } from './items/html.ts'
import { unionOf } from './items/id-pieces.ts'
import { missingIdentities } from './items/identities.ts'
import { type LinkPageRequest, linkPage } from './items/link-page.ts'
import { analyseItem, prepareItem } from './items/prepare.ts'
import { untaggedOf } from './items/queries.ts'
import { bodyOf, textsOf } from './linkding/bookmark.ts'
import { parseBookmark } from './linkding/sent.ts'
import { searchTrash, type TrashSearchRequest } from './operations/search-trash.ts'
import { prepareBatch } from './search/batch.ts'
import { type SearchRequest, search } from './search/search.ts'
import { findSimilar, type SimilarRequest } from './search/similar.ts'
import { report, threadTasks } from './threads/pool.ts'
import type { WorkerData } from './threads/worker-pool.ts'

const { config, isLogged }: WorkerData = workerData
const db = openReader(config, isLogged ? report : undefined)

/** The tasks of the threads of threads/worker-pool.ts. */
export const run = threadTasks({
  search: (request: SearchRequest) => search(db, request),
  findIds: (request: SearchRequest) => findIds(db, request),
  findSimilar: (request: SimilarRequest) => findSimilar(db, request),
  searchTrash: (request: TrashSearchRequest) => searchTrash(db, request),
  prepareBatch: (place: Parameters<typeof prepareBatch>[1]) => prepareBatch(db, place),
  analyseItem,
  unionOfIds: unionOf,
  linkPage: (request: LinkPageRequest) => linkPage(db, request),
  bookmarkBody: bodyOf,
  parseBookmark,
  bookmarkTexts: (bodies: readonly string[]) => bodies.map(textsOf),
  feedOf: (request: FeedRequest) => feedOf(db, request),
  prepareItem: ([kind, draft]: Parameters<typeof prepareItem>) => prepareItem(kind, draft),
  untaggedOf: (piece: Parameters<typeof untaggedOf>[1]) => untaggedOf(db, piece),
  exportBatch: (request: Parameters<typeof exportBatch>[1]) => exportBatch(db, request),
  parseBody: parseBodyOf,
  cleanPictureFile,
  splitPictures: (html: string) => splitPictures(cleanHtml(html)),
  useOfFiles: (page: Parameters<typeof useOfFiles>[1]) => useOfFiles(db, page),
  missingIdentities: (owner_id: string) => missingIdentities(db, owner_id),
  importRows: (request: RowsRequest) => rowsOf(db, request),
  prepareImport: (request: BatchRequest) => prepareImport(db, request),
})
