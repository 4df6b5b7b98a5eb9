import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { createFileStore } from '../files/store.ts'
import { claimJob, deleteJob, postponeJob } from '../jobs/queue.ts'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { purgeImports } from './purge.ts'
import { createImportReader } from './read-job.ts'
import { addRows, beginImport, cancelImport, failImport, newId, readJobOf, renewReading } from './store.ts'
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

test('of each owner one file is read at a time', async ({ app, account }) => {
  const other = await newAccount(app)
  const now = app.now()
  const folderId = newId(now)
  for (const [at, owner_id] of [account.id, account.id, other.id].entries())
    await app.db.write(beginImport, {
      ...{ owner_id, id: newId(now), name: 'файл', locale: 'ru' as const, now: now + at, folderId },
    })
  const due = { kind: readJobOf(folderId), now: now + 10, onePerOwner: true, leased_until: now + 60_000 }
  const claim = () => app.db.write(claimJob, due)
  const first = await claim()
  expect([first?.owner_id, (await claim())?.owner_id, await claim()]).toEqual([
    account.id,
    other.id,
    undefined,
  ])
  if (first) await app.db.write(deleteJob, first)
  expect((await claim())?.owner_id).toBe(account.id)
})

test('of each owner one file is read at a time, also where two servers look at once', async ({
  app,
  account,
}) => {
  const now = app.now()
  const folderId = newId(now)
  const owners = [account, await newAccount(app), await newAccount(app)]
  for (const { id: owner_id } of owners)
    for (let file = 0; file < 3; file += 1)
      await app.db.write(beginImport, {
        ...{ owner_id, id: newId(now), name: 'файл', locale: 'ru' as const, now, folderId },
      })
  const due = { kind: readJobOf(folderId), now, onePerOwner: true, leased_until: now + 60_000 }
  const claimed = await Promise.all(Array.from({ length: 6 }, () => app.db.write(claimJob, due)))
  const readers = claimed.flatMap((job) => job?.owner_id ?? [])
  expect(readers.sort()).toEqual(owners.map(({ id }) => id).sort())
})

test('a file whose server is gone for a day leaves no job', async ({ app, account }) => {
  const { kind, now } = await beginReading(app, account.id)
  await purgeImports(app.db, account.id, now + 25 * 60 * 60_000)
  const left = await app.db
    .selectFrom('jobs')
    .select('id')
    .where('owner_id', '=', account.id)
    .where('kind', '=', kind)
    .execute()
  expect(left).toEqual([])
})

const it = test.extend('reader', ({ app, onTestFinished }) => {
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
  return { ...reader, uploads }
})

it('leaves no entries of a file that failed where the server closed before they were deleted', async ({
  app,
  account,
  reader,
}) => {
  const { key, attempt } = await beginReading(app, account.id)
  await app.db.write(failImport, { ...key, error: 'importCutFile' })
  await reader.handler.run(attempt, new AbortController().signal)
  const rows = app.db.selectFrom('import_rows').select('seq').where('owner_id', '=', account.id)
  expect(await rows.execute()).toEqual([])
})

it('leaves no entries and no files of one that ended the server again and again', async ({
  app,
  account,
  reader,
}) => {
  const { key, attempt } = await beginReading(app, account.id)
  const { uploads } = reader
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
