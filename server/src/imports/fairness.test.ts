import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import type { Database } from '../db/open.ts'
import { quotasOf } from '../db/usage.ts'
import { claimJob, deleteJob } from '../jobs/queue.ts'
import { createJobWorker } from '../jobs/worker.ts'
import { createExtraction } from '../metadata/extraction.ts'
import { createStepWriters } from '../operations/steps.ts'
import { databaseWith } from '../testing/database-with.ts'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { openWritable } from '../testing/test-database.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { findImport } from './queries.ts'
import { importRunners } from './run-job.ts'
import { saveBatch } from './save-batch.ts'
import { addRows, beginImport, type ImportKey, newId, readJobOf } from './store.ts'
import type { FreshRow } from './stored-row.ts'

const ITEM = JSON.stringify({ body: '', tags: [], folders: [], versions: [], pinned: false })

const rowOf = (at: number): FreshRow => ({
  ...{ state: 'new', kind: 'link', place: '{}', title: 'x', url: `https://example.org/${at}`, reasons: '[]' },
  ...{ identity_key: `key ${at}`, item: ITEM },
})

/** One more than a batch has. */
const ROWS = 201

const OPTIONS = JSON.stringify({ duplicates: 'skip', folders: 'tags', add_tags: [], read_pages: false })

test('imports of several owners are saved step by step in turn, so that none waits for the end of another', async ({
  app,
  onTestFinished,
}) => {
  const { settings } = app.database
  const now = app.now()
  // Of its own, which the running server does not know.
  const kind = newId(now)
  const writable = await openWritable(settings)
  onTestFinished(() => writable.destroy())
  const begin = async (at: number): Promise<ImportKey> => {
    const { id: owner_id } = await newAccount(app)
    const [id, folderId] = [newId(now), newId(now)]
    const key = { owner_id, id }
    await app.db.write(beginImport, { ...key, name: 'файл', locale: 'ru', now, folderId })
    const due = { kind: readJobOf(folderId), now, leased_until: now + 60_000 }
    const attempt = await app.db.write(claimJob, due)
    if (!attempt) throw new Error('The job is due.')
    const rows = Array.from({ length: ROWS }, (_, at) => rowOf(at))
    const batch = { format: 'csv', rows, tags: 0, listedTags: [] }
    await app.db.write(addRows, { key, attempt, leased_until: now + 60_000, now, ...batch })
    await app.db.write(deleteJob, attempt)
    await writable
      .updateTable('imports')
      .set({ state: 'running', done: 0, options: OPTIONS, operation_id: newId(now), started_at: now })
      .where('owner_id', '=', owner_id)
      .where('id', '=', id)
      .execute()
    const times = { attempts: 0, run_at: now + at, leased_until: 0, created_at: now }
    await writable
      .insertInto('jobs')
      .values({ ...key, kind, payload: '', ...times })
      .execute()
    return key
  }
  const keys = [await begin(0), await begin(1)]
  const saved: string[] = []
  const write: Database['write'] = (command, args) => {
    const { key } = args as { key?: ImportKey }
    if (command.name === saveBatch.name && key) saved.push(key.owner_id)
    return app.db.write(command, args)
  }
  const db = databaseWith(app, write)
  let time = now + 10
  const clock = () => {
    time += 1
    return time
  }
  const config = readConfig(settings)
  const pool = createWorkerPool(config)
  const extraction = createExtraction(config, async () => [])
  const { plain } = importRunners({
    ...{ db, stepWriters: createStepWriters(db, clock), clock, pool, quotas: quotasOf(config), extraction },
    ...{ onSaved: () => {}, turn: 0 },
  })
  const worker = createJobWorker({
    ...{ db, clock, log: { info: () => {}, warn: () => {} } },
    handlers: { [kind]: { ...plain, concurrency: 1 } },
  })
  onTestFinished(async () => {
    await worker.close()
    await pool.close()
    await extraction.close()
  })
  worker.start()
  const states = async () =>
    (await Promise.all(keys.map((key) => findImport(app.db, key)))).map((one) => one?.state)
  await expect.poll(states, { timeout: 30_000 }).toEqual(['done', 'done'])
  const [first, second] = keys.map(({ owner_id }) => owner_id)
  expect(saved.slice(0, 4)).toEqual([first, second, first, second])
})
