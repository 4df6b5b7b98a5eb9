import { existsSync } from 'node:fs'
import { mkdir, readdir, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { afterAll, expect } from 'vitest'
import { readConfig } from '../config.ts'
import type { Database } from '../db/open.ts'
import { quotasOf } from '../db/usage.ts'
import { DatabaseUnavailable } from '../errors.ts'
import { createFileStore } from '../files/store.ts'
import { attemptsOf, claimJob, deleteJob, type Job, postponeJob } from '../jobs/queue.ts'
import { createJobWorker } from '../jobs/worker.ts'
import { databaseWith } from '../testing/database-with.ts'
import { mountSmallDisk } from '../testing/disk-faults.ts'
import { test } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { largePng } from '../testing/pictures.ts'
import { writeZip } from '../testing/write-zip.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { purgeImports } from './purge.ts'
import { findImport } from './queries.ts'
import { createImportReader } from './read-job.ts'
import {
  addRows,
  beginImport,
  cancelImport,
  failImport,
  type ImportKey,
  longReadJobOf,
  newId,
  putOffReading,
  readJobOf,
  renewReading,
} from './store.ts'
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
  await db.write(addRows, { key, attempt, leased_until: now + 2000, now, ...batch })
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

const it = test
  .extend(
    'createReader',
    ({ app, onTestFinished }) =>
      (db: Database, more: { DATA_DIR?: string; short?: number; renewal?: number } = {}) => {
        const { DATA_DIR, ...times } = more
        const config = readConfig({ ...app.database.settings, ...(DATA_DIR !== undefined && { DATA_DIR }) })
        const pool = createWorkerPool(readConfig(app.database.settings))
        const uploads = createUploads(config)
        const reader = createImportReader({
          ...{ db, clock: app.now, config, pool, uploads, ...times },
          quotas: quotasOf(config),
          pictures: createFileStore({ db, clock: app.now, quotas: quotasOf(config) }),
        })
        onTestFinished(async () => {
          await reader.close()
          await pool.close()
        })
        return { ...reader, uploads }
      },
  )
  .extend('reader', ({ app, createReader }) => createReader(app.db))

it('puts files that take long off while those of others wait, and reads them to the end', async ({
  app,
  folder,
  createReader,
  onTestFinished,
}) => {
  const accounts = [await newAccount(app), await newAccount(app), await newAccount(app)]
  const [, , quick] = accounts
  const { promise: free, resolve } = Promise.withResolvers<void>()
  onTestFinished(() => resolve())
  const write: Database['write'] = async (command, args) => {
    const { key } = args as { key?: { owner_id: string } }
    if (command.name === addRows.name && key?.owner_id !== quick?.id) await free
    return app.db.write(command, args)
  }
  const db = databaseWith(app, write)
  const { handler, longHandler, uploads } = createReader(db, { DATA_DIR: folder, short: 0, renewal: 50 })
  const { folderId } = uploads
  const begin = async ({ id: owner_id }: Account, at: number) => {
    const now = app.now() + at
    const key = { owner_id, id: newId(now) }
    await mkdir(dirname(uploads.pathOf(key.id)), { recursive: true })
    await writeFile(uploads.pathOf(key.id), `https://example.org/${at}\nhttps://example.org/other\n`)
    await app.db.write(beginImport, { ...key, name: 'ссылки.txt', locale: 'ru', now, folderId })
    return key
  }
  const keys: ImportKey[] = []
  for (const [at, account] of accounts.entries()) keys.push(await begin(account, at))
  const worker = createJobWorker({
    ...{ db, clock: () => app.now() + 1_000, log: { info: () => {}, warn: () => {} } },
    handlers: { [readJobOf(folderId)]: handler, [longReadJobOf(folderId)]: longHandler },
  })
  onTestFinished(() => worker.close())
  const states = async () => {
    const found = await Promise.all(keys.map((key) => findImport(app.db, key)))
    return found.map((one) => [one?.state, one?.total])
  }
  const waiting = { timeout: 30_000, interval: 100 }
  worker.start()
  await expect
    .poll(states, waiting)
    .toEqual([...Array.from({ length: 2 }, () => ['reading', 0]), ['ready', 2]])
  resolve()
  await expect.poll(states, waiting).toEqual(Array.from({ length: 3 }, () => ['ready', 2]))
})

it('reads no other file of an owner before the one that was put off, so that those of others come first', async ({
  app,
  account,
  folder,
  createReader,
  onTestFinished,
}) => {
  const { handler, longHandler, uploads } = createReader(app.db, { DATA_DIR: folder })
  const { folderId } = uploads
  const [kind, long] = [readJobOf(folderId), longReadJobOf(folderId)]
  const begin = async ({ id: owner_id }: Pick<Account, 'id'>, at: number) => {
    const now = app.now() + at
    const key = { owner_id, id: newId(now) }
    await mkdir(dirname(uploads.pathOf(key.id)), { recursive: true })
    await writeFile(uploads.pathOf(key.id), `https://example.org/${at}\n`)
    await app.db.write(beginImport, { ...key, name: 'ссылки.txt', locale: 'ru', now, folderId })
    return key
  }
  const slow = await begin(account, 0)
  const job = await app.db.write(claimJob, { kind, now: app.now() + 10, leased_until: app.now() + 60_000 })
  if (!job) throw new Error('The job is due.')
  await app.db.write(putOffReading, { job, kind: long, now: app.now() })
  const next = await begin(account, 1)
  const others = await begin(await newAccount(app), 2)
  const work = (handlers: Parameters<typeof createJobWorker>[0]['handlers']) => {
    const log = { info: () => {}, warn: () => {} }
    const worker = createJobWorker({ ...{ db: app.db, clock: () => app.now() + 1_000, log, handlers } })
    onTestFinished(() => worker.close())
    worker.start()
  }
  const stateOf = async (key: ImportKey) => (await findImport(app.db, key))?.state
  const waiting = { timeout: 30_000, interval: 50 }
  work({ [kind]: handler })
  await expect.poll(() => stateOf(others), waiting).toBe('ready')
  expect([await stateOf(slow), await stateOf(next)]).toEqual(['reading', 'reading'])
  work({ [kind]: handler, [long]: longHandler })
  await expect.poll(() => Promise.all([slow, next].map(stateOf)), waiting).toEqual(['ready', 'ready'])
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

it('gives a file up that takes too long, at the first attempt', async ({ app, account, reader }) => {
  const { key, attempt } = await beginReading(app, account.id)
  const late = AbortSignal.abort(new DOMException('late', 'TimeoutError'))
  await reader.handler.run(attempt, late)
  const { owner_id, id } = key
  const found = await findImport(app.db, { owner_id, id })
  expect([found?.state, found?.error]).toEqual(['failed', 'importTooComplex'])
  expect(reader.handler.timeout).toBeLessThanOrEqual(20 * 60_000)
})

it('leaves no entries and no files of one that ended the server again and again', async ({
  app,
  account,
  reader,
}) => {
  const { key, attempt } = await beginReading(app, account.id)
  const { uploads } = reader
  const unpacked = uploads.unpackedPathOf(key.id)
  // A picture that was being read lies beside them.
  const files = [uploads.pathOf(key.id), unpacked, `${unpacked}.picture`, `${unpacked}.picture.raw`]
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

it.for(['SQLITE_FULL', '53100'])(
  'says that the disk has no room for the entries, at the first attempt (%s)',
  async (code, { app, account, createReader, folder }) => {
    const { key, attempt } = await beginReading(app, account.id)
    const write: Database['write'] = (command, args) => {
      if (command.name !== addRows.name) return app.db.write(command, args)
      const cause = Object.assign(new Error('no room'), { code })
      return Promise.reject(new DatabaseUnavailable('no room', { cause }))
    }
    const { handler, uploads } = createReader(databaseWith(app, write), { DATA_DIR: folder })
    const path = uploads.pathOf(key.id)
    await mkdir(dirname(path), { recursive: true })
    await writeFile(path, 'https://example.org/\nhttps://example.org/other\n')
    await handler.run(attempt, new AbortController().signal)
    const found = await findImport(app.db, { owner_id: account.id, id: key.id })
    expect([found?.state, found?.error]).toEqual(['failed', 'importDiskFull'])
  },
)

it('counts no attempt at which the database was away', async ({ app, account, onTestFinished }) => {
  const kind = `away ${account.id}`
  const job = { owner_id: account.id, id: newId(app.now()), kind, payload: '', attempts: 0, leased_until: 0 }
  await app.db
    .insertInto('jobs')
    .values({ ...job, run_at: app.now(), created_at: app.now() })
    .execute()
  const attempts: number[] = []
  const run = async (one: Job) => {
    attempts.push(attemptsOf(one))
    if (attempts.length < 4) throw attempts.length < 3 ? new DatabaseUnavailable('away') : new Error('other')
  }
  const handler = { run, timeout: 60_000, backoff: [0] as const, giveUpAfter: 60_000 }
  const log = { info: () => {}, warn: () => {} }
  const worker = createJobWorker({
    ...{ db: app.db, clock: () => app.now() + 1_000, log, handlers: { [kind]: handler } },
  })
  onTestFinished(() => worker.close())
  await expect
    .poll(() => {
      worker.wake()
      return attempts
    })
    .toEqual([1, 1, 1, 2])
})

const disk = mountSmallDisk(8)
afterAll(() => disk?.remove())

const PICTURE = largePng(100_000)
for (const [what, files] of [
  ['a zip within a zip', [{ name: 'часть.zip', data: writeZip([{ name: 'a.png', data: PICTURE }]) }]],
  [
    'a picture',
    [
      { name: 'kopilka.json', data: '{"type":"kopilka","version":1}\n' },
      { name: 'files/00000000-0000-8000-8000-000000000000.png', data: PICTURE },
    ],
  ],
] as const)
  it.runIf(disk)(
    `says that the disk has no room for ${what}, at the first attempt (where one may be mounted)`,
    async ({ app, account, createReader }) => {
      const { key, attempt } = await beginReading(app, account.id)
      const { handler, uploads } = createReader(app.db, disk && { DATA_DIR: disk.folder })
      const path = uploads.pathOf(key.id)
      await mkdir(dirname(path), { recursive: true })
      await writeFile(path, writeZip(files))
      disk?.fill()
      try {
        await handler.run(attempt, new AbortController().signal)
      } finally {
        disk?.free()
      }
      const found = await findImport(app.db, { owner_id: account.id, id: key.id })
      expect([found?.state, found?.error]).toEqual(['failed', 'importDiskFull'])
      expect(await readdir(dirname(path))).toEqual([])
    },
  )
