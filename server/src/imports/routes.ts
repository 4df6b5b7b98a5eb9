import { imports } from '@kopilka/contract/imports.ts'
import { PAGE_SIZE } from '@kopilka/contract/limits.ts'
import type { Clock } from '../clock.ts'
import type { Database } from '../db/open.ts'
import type { Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import type { Pool } from '../threads/pool.ts'
import { findShown, listImports, listRows, toImport, toListed, toRow } from './queries.ts'
import { beginImport, cancelImport, checkWaiting, type ImportKey, newId, startImport } from './store.ts'
import type { Uploads } from './uploads.ts'

interface Dependencies {
  db: Database
  clock: Clock
  pool: Pool
  quotas: Quotas
  uploads: Uploads
  wakeJobs: () => void
}

/** The calls of imports. */
export function serveImports(
  { serve }: Server,
  { db, clock, pool, quotas, uploads, wakeJobs }: Dependencies,
): void {
  async function found(key: ImportKey) {
    const row = await findShown(db, key)
    if (!row) throw new AppError('importNotFound')
    return row
  }

  serve(imports.list, async ({ caller: { owner_id }, locale }) => {
    const rows = await listImports(db, owner_id)
    return { count: rows.length, results: rows.map((row) => toListed(row, locale)) }
  })

  serve(imports.create, async ({ caller: { owner_id }, file, locale }) => {
    await db.write(checkWaiting, { owner_id })
    const now = clock()
    const key = { owner_id, id: newId(now) }
    await uploads.save(key.id, file)
    try {
      const { folderId } = uploads
      await db.write(beginImport, { ...key, name: file.name, locale, now, folderId })
    } catch (error) {
      await uploads.remove(key.id)
      throw error
    }
    wakeJobs()
    return toImport(await found(key), locale)
  })

  serve(imports.read, async ({ caller: { owner_id }, params: { id }, locale }) =>
    toImport(await found({ owner_id, id }), locale),
  )

  serve(
    imports.rows,
    async ({ caller: { owner_id }, params: { id }, query: { state, remarks, page = 1 }, locale, signal }) => {
      const row = await found({ owner_id, id })
      const wanted = { state, remarks: remarks === '1' }
      const piece = { ...wanted, limit: PAGE_SIZE, offset: (page - 1) * PAGE_SIZE }
      const { count, results } = await listRows({ db, pool, signal }, row, piece)
      return { count, results: results.map((one) => toRow(one, locale)) }
    },
  )

  serve(imports.run, async ({ caller: { owner_id, session_id }, params: { id }, body, locale }) => {
    const key = { owner_id, id }
    const now = clock()
    const { add_tags = [], ...chosen } = body
    const options = { ...chosen, add_tags }
    const operation_id = newId(now)
    await db.write(startImport, { key, session_id, operation_id, options, quotas, now })
    wakeJobs()
    return toImport(await found(key), locale)
  })

  serve(imports.cancel, async ({ caller: { owner_id }, params: { id } }) => {
    await db.write(cancelImport, { owner_id, id, now: clock() })
    await uploads.remove(id)
    wakeJobs()
    return undefined
  })
}
