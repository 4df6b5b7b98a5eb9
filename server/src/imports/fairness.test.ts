import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import type { Database } from '../db/open.ts'
import { quotasOf } from '../db/usage.ts'
import { claimJob, deleteJob } from '../jobs/queue.ts'
import { createJobWorker } from '../jobs/worker.ts'
import { createExtraction } from '../metadata/extraction.ts'
import { createStepWriters } from '../operations/steps.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { databaseWith } from '../testing/database-with.ts'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { openWritable } from '../testing/test-database.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { findImport } from './queries.ts'
import { importRunners } from './run-job.ts'
import { saveBatch } from './save-batch.ts'
import { addRows, beginImport, type ImportKey, newId, type RunOptions, readJobOf } from './store.ts'
import type { FreshRow } from './stored-row.ts'

const ITEM = { body: '', tags: [], folders: [], versions: [], pinned: false }

const rowOf = (at: number, body: string): FreshRow => ({
  ...{ state: 'new', kind: 'link', place: '{}', title: 'x', url: `https://example.org/${at}`, reasons: '[]' },
  ...{ identity_key: `key ${at}`, item: JSON.stringify({ ...ITEM, body }) },
})

/** One more than a batch has. */
const ROWS = 201

const OPTIONS: RunOptions = { duplicates: 'skip', folders: 'tags', add_tags: [], read_pages: false }

interface Started {
  app: TestApp
  onTestFinished: (clean: () => Promise<void>) => void
  /** The texts of the entries of each import. */
  texts: readonly string[]
  /** Is called with the host of each page that is read. */
  onPage?: (host: string) => void
}

/** Imports of two owners, saved one batch at a time. Resolves to the owners, and to whose batches were saved. */
async function saveTwo({ app, onTestFinished, texts, onPage }: Started) {
  const { settings } = app.database
  const now = app.now()
  // Of its own, which the running server does not know.
  const kind = newId(now)
  const writable = await openWritable(settings)
  onTestFinished(() => writable.destroy())
  const options = JSON.stringify({ ...OPTIONS, read_pages: onPage !== undefined })
  const begin = async (at: number): Promise<ImportKey> => {
    const { id: owner_id } = await newAccount(app)
    const [id, folderId] = [newId(now), newId(now)]
    const key = { owner_id, id }
    await app.db.write(beginImport, { ...key, name: 'файл', locale: 'ru', now, folderId })
    const due = { kind: readJobOf(folderId), now, leased_until: now + 60_000 }
    const attempt = await app.db.write(claimJob, due)
    if (!attempt) throw new Error('The job is due.')
    const rows = texts.map((body, at) => rowOf(at, body))
    const batch = { format: 'csv', rows, tags: 0, listedTags: [] }
    await app.db.write(addRows, { key, attempt, leased_until: now + 60_000, now, ...batch })
    await app.db.write(deleteJob, attempt)
    await writable
      .updateTable('imports')
      .set({ state: 'running', done: 0, options, operation_id: newId(now), started_at: now })
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
  const extraction = createExtraction(config, async (host) => {
    onPage?.(host)
    return []
  })
  const { plain, withPages } = importRunners({
    ...{ db, stepWriters: createStepWriters(db, clock), clock, pool, quotas: quotasOf(config), extraction },
    ...{ onSaved: () => {}, turn: 0 },
  })
  const worker = createJobWorker({
    ...{ db, clock, log: { info: () => {}, warn: () => {} } },
    handlers: { [kind]: { ...(onPage ? withPages : plain), concurrency: 1 } },
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
  return { owners: keys.map(({ owner_id }) => owner_id), saved }
}

test('imports of several owners are saved step by step in turn, so that none waits for the end of another', async ({
  app,
  onTestFinished,
}) => {
  const texts = Array.from({ length: ROWS }, () => '')
  const { owners, saved } = await saveTwo({ app, onTestFinished, texts })
  const [first, second] = owners
  expect(saved.slice(0, 4)).toEqual([first, second, first, second])
})

test('pages of one site are read a second apart, also from turn to turn and for several owners', async ({
  app,
  onTestFinished,
}) => {
  const times: number[] = []
  // The last entry of a batch and the first of the next have a page to read.
  const texts = ['x', 'x', 'x', '', '']
  await saveTwo({ app, onTestFinished, texts, onPage: () => times.push(performance.now()) })
  expect(times).toHaveLength(4)
  const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0))
  // A read that begins late makes the next pause shorter; without the schedule there would be none between two batches.
  expect(Math.min(...pauses)).toBeGreaterThan(500)
})
