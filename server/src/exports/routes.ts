import { API_PREFIX } from '@kopilka/contract/endpoint.ts'
import { EXPORT_CONTENTS, type ExportFormat, exports } from '@kopilka/contract/exports.ts'
import type { Database } from '../db/open.ts'
import { AppError } from '../errors.ts'
import type { FileStore } from '../files/store.ts'
import type { SentFile, Server } from '../http/serve.ts'
import { createConcurrencyLimit } from '../threads/concurrency-limit.ts'
import type { Pool } from '../threads/pool.ts'
import { exportBytes } from './export-bytes.ts'
import { checkTag, exportRequest, type RequestDependencies, type Wanted } from './export-request.ts'
import { createExportLinks } from './links.ts'
import { hasAll, hasLinks } from './rows.ts'

/** Files of one owner that are sent at once, and those that wait for them. */
const FILES = { total: Number.POSITIVE_INFINITY, perOwner: 2, waiting: 10, timeout: 30_000 }

interface Dependencies extends RequestDependencies {
  db: Database
  pool: Pool
  pictures: FileStore
  /** Aborts when the server closes: a slow download would hold it up for hours. */
  closing: AbortSignal
}

const FILE_TYPES: Readonly<Record<ExportFormat, readonly [ending: string, mediaType: string]>> = {
  archive: ['zip', 'application/zip'],
  netscape: ['html', 'text/html; charset=utf-8'],
  markdown: ['zip', 'application/zip'],
  csv: ['csv', 'text/csv; charset=utf-8'],
  json: ['json', 'application/json; charset=utf-8'],
}

/** 'Копилка 2026-01-31.zip'; the day is that of UTC. */
function fileNameOf(format: ExportFormat, now: number): string {
  const day = new Date(now).toISOString().slice(0, 10)
  const of = format === 'markdown' ? ' Markdown' : ''
  return `Копилка ${day}${of}.${FILE_TYPES[format][0]}`
}

export function serveExports({ serve }: Server, dependencies: Dependencies): void {
  const { db, clock, pool, pictures } = dependencies
  const links = createExportLinks(db, clock)
  const files = createConcurrencyLimit(FILES)

  async function fileOf(owner_id: string, wanted: Wanted, signal: AbortSignal): Promise<SentFile> {
    const release = await files.enter(owner_id, { signal })
    if (signal.aborted) release()
    else signal.addEventListener('abort', release)
    const request = await exportRequest(dependencies, owner_id, wanted, signal)
    const ending = AbortSignal.any([signal, dependencies.closing])
    return {
      name: fileNameOf(wanted.format, request.filter.now),
      mediaType: FILE_TYPES[wanted.format][1],
      bytes: exportBytes(pool, request, { pictures, signal: ending }),
    }
  }

  serve(exports.file, ({ caller, query, signal }) => fileOf(caller.owner_id, query, signal))

  serve(exports.create, async ({ caller, body }) => {
    await checkTag(dependencies, caller.owner_id, body)
    const { search, tag, untagged, kind } = body
    if (body.ids && (search ?? tag ?? untagged ?? kind) !== undefined) throw new AppError('idsOrFilter')
    const { ids, trash = false } = body
    if (ids && !(await hasAll(db, { owner_id: caller.owner_id, ids, trash })))
      throw new AppError('itemNotFound')
    if (
      ids &&
      !EXPORT_CONTENTS[body.format].notes &&
      !(await hasLinks(db, { owner_id: caller.owner_id, ids }))
    )
      throw new AppError('formInvalid', { ids: ['exportNoNotes'] })
    const token = await links.create(caller, body)
    return { url: `${API_PREFIX}${exports.download.path}?${new URLSearchParams({ token })}` }
  })

  serve(exports.download, async ({ query, signal }) => {
    const link = await links.use(query.token)
    if (!link) throw new AppError('exportLinkDead')
    // Written by the call above, which had validated it.
    return fileOf(link.owner_id, link.request as Wanted, signal)
  })
}
