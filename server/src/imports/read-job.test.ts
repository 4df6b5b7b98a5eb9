import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { createFileStore } from '../files/store.ts'
import { claimJob, postponeJob } from '../jobs/queue.ts'
import { test } from '../testing/fixtures.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { createImportReader } from './read-job.ts'
import { addRows, beginImport, cancelImport, newId, readJobOf, renewReading } from './store.ts'
import type { FreshRow } from './stored-row.ts'
import { createUploads } from './uploads.ts'

const ROW: FreshRow = {
  ...{ state: 'broken', kind: null, place: '{}', title: 'x', url: null, reasons: '[]' },
  ...{ identity_key: null, item: null },
}

/** An import whose file no running server reads, and the attempt at it that has stored an entry. */
async function beginReading(
  app: { db: Parameters<typeof createImportReader>[0]['db']; now: () => number },
  owner_id: string,
) {
  const { db } = app
  const now = app.now()
  const key = { owner_id, id: newId(now) }
  const kind = readJobOf(key.id)
  await db.write(beginImport, { ...key, name: 'файл', locale: 'ru', now, folderId: key.id })
  const attempt = await db.write(claimJob, { kind, now, leased_until: now + 1000 })
  if (!attempt) throw new Error('The job is due.')
  const batch = { format: 'csv', rows: [ROW], tags: 0, listedTags: [] }
  await db.write(addRows, { key, attempt, leased_until: now + 2000, ...batch })
  const lease = { key, attempt, leased_until: now + 60_000 }
  return { key, kind, attempt, now, renew: () => db.write(renewReading, lease) }
}

test('a reading without a batch keeps its lease, until it is not wanted any more', async ({
  app,
  account,
}) => {
  const { kind, attempt, now, renew } = await beginReading(app, account.id)
  const leased = { kind, now: now + 30_000, leased_until: now + 90_000 }
  expect(await renew()).toBe(true)
  expect(await app.db.write(claimJob, leased)).toBeUndefined()
  await app.db.write(postponeJob, { job: attempt, run_at: now })
  expect(await app.db.write(claimJob, leased)).toMatchObject({ attempts: attempt.attempts + 1 })
  expect(await renew()).toBe(false)

  const other = await beginReading(app, account.id)
  await app.db.write(cancelImport, { ...other.key, now })
  expect(await other.renew()).toBe(false)
})

test('a file that ended the server again and again leaves no entries and no files', async ({
  app,
  account,
  onTestFinished,
}) => {
  const { key, attempt } = await beginReading(app, account.id)
  const config = readConfig(app.database.settings)
  const pool = createWorkerPool(config)
  const uploads = createUploads(config)
  const reader = createImportReader({
    ...{ db: app.db, clock: app.now, config, pool, uploads },
    quotas: quotasOf(config),
    pictures: createFileStore({ db: app.db, clock: app.now, quotas: quotasOf(config) }),
  })
  onTestFinished(async () => {
    await reader.close()
    await pool.close()
  })
  const files = [uploads.pathOf(key.id), uploads.unpackedPathOf(key.id)]
  await mkdir(dirname(files[0] ?? ''), { recursive: true })
  for (const file of files) await writeFile(file, 'x')
  await reader.handler.run({ ...attempt, attempts: 6 }, new AbortController().signal)
  const found = await app.db
    .selectFrom('imports')
    .select(['state', 'error'])
    .where('owner_id', '=', account.id)
    .execute()
  expect(found).toEqual([{ state: 'failed', error: 'importTooComplex' }])
  expect(
    await app.db.selectFrom('import_rows').select('seq').where('owner_id', '=', account.id).execute(),
  ).toEqual([])
  expect(files.filter(existsSync)).toEqual([])
})
