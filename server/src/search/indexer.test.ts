import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { ANALYSER } from '@kopilka/text/search/terms.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import type { Database } from '../db/open.ts'
import { quotasOf } from '../db/usage.ts'
import { createItemStore } from '../items/store.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { databaseWith } from '../testing/database-with.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import type { Pool } from '../threads/pool.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { searchIndexOf } from './index.ts'
import { createIndexer, reindex } from './indexer.ts'

const YEAR = 365 * 86_400_000

let database: TestDatabase
let app: TestApp
let pool: Pool
let account: Account
beforeEach(async () => {
  database = await createTestDatabase()
  app = await createTestApp({ database })
  pool = createWorkerPool(database.settings)
  account = await newAccount(app)
  await expect.poll(version).toBe(ANALYSER)
})
afterEach(async () => {
  await pool.close()
  await app.close()
  await database.remove()
})

const version = async () =>
  (await app.db.selectFrom('search_analyser').select('version').executeTakeFirstOrThrow()).version
const pretend = (change: { version?: number; leased_until?: number }) =>
  app.db.updateTable('search_analyser').set(change).execute()

const note = (title: string, content = 'текст', tags: string[] = []) =>
  app.call(notes.create, { body: { title, content, tags } }, account.auth)
const found = async (text: string) => {
  const query = { search: text, exact: '1', view: 'summary' } as const
  return (await app.call(search, { query }, account.auth)).notes_count
}
const run = (options?: Parameters<typeof reindex>[1]) =>
  reindex({ db: app.db, pool, clock: app.now }, options)
/** Removes all documents of the account from the index. */
const spoil = async () => {
  for (const { id } of await app.db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', account.id)
    .execute())
    await app.db.transaction().execute((trx) => searchIndexOf(app.db).delete(trx, account.id, [id]))
}

it('rebuilds the whole index from the items', async () => {
  for (let at = 0; at < 45; at += 1) await note(`Запись ${at}`, `<p>слово${at}</p>`, ['метка'])
  await spoil()
  expect(await found('запись')).toBe(0)
  const done: number[] = []
  expect(await run({ onProgress: (count) => done.push(count) })).toBe('done')
  expect(done.at(-1)).toBe(45)
  expect([await found('записи'), await found('метка'), await found('слово44')]).toEqual([45, 45, 1])
  expect(await version()).toBe(ANALYSER)
})

it('indexes the newest items first, so that they stay first in results meanwhile', async () => {
  for (let at = 0; at < 45; at += 1) await note(`Запись ${at}`)
  await spoil()
  const ending = new AbortController()
  await run({ signal: ending.signal, onProgress: () => ending.abort() })
  const query = { search: 'запись', exact: '1', view: 'summary' } as const
  const { results } = await app.call(notes.list, { query }, account.auth)
  expect(results[0]?.title).toBe('Запись 44')
  expect(results.length).toBeGreaterThan(0)
})

it('rebuilds the index in the background after a start with another analyser, and serves searches meanwhile', async () => {
  await note('Запись')
  await pretend({ version: ANALYSER + 1 })
  expect(await found('запись')).toBe(1)
  const second = await createTestApp({ database })
  await expect.poll(version).toBe(ANALYSER)
  expect(await found('запись')).toBe(1)
  await second.close()
})

it('lets one of several servers rebuild, and takes over from one that died', async () => {
  await note('Запись')
  await pretend({ leased_until: app.now() + 60_000 })
  expect(await run()).toBe('busy')
  app.advance(60_001)
  expect(await run()).toBe('done')
})

it('takes over from a server that died while its clock was a year ahead', async () => {
  await note('Запись')
  await pretend({ version: 0, leased_until: app.now() + YEAR })
  expect(await run()).toBe('done')
  expect(await version()).toBe(ANALYSER)
})

it('completes a rebuild whose process died, again and again', async () => {
  await note('Запись')
  const log = { info: () => {}, warn: () => {} }
  const indexer = createIndexer({ db: app.db, pool, clock: app.now, log, lookEvery: 20 })
  indexer.start()
  for (let deaths = 0; deaths < 3; deaths += 1) {
    await spoil()
    await pretend({ version: 0, leased_until: 0 })
    await expect.poll(version).toBe(ANALYSER)
    expect(await found('запись')).toBe(1)
  }
  await indexer.close()
})

it('runs maintenance once many items were created', async () => {
  let runs = 0
  const write: Database['write'] = (command, args) => {
    if (command.name === 'search.maintain') runs += 1
    return app.db.write(command, args)
  }
  const log = { info: () => {}, warn: () => {} }
  const dependencies = { db: databaseWith(app, write), pool, clock: app.now, log }
  const indexer = createIndexer({ ...dependencies, many: 3 })
  let created = 0
  const onCreated = () => {
    created += 1
    indexer.countSaved(1)
  }
  const quotas = quotasOf(readConfig({}))
  const items = createItemStore({ db: app.db, clock: app.now, pool, quotas, onCreated })
  const create = (idempotencyKey: string) =>
    items.create(
      { owner_id: account.id, kind: 'note', idempotencyKey },
      { title: 'Запись', body: 'текст', url: null, tags: [] },
    )
  indexer.start()
  for (const key of ['a', 'b', 'b', 'b']) await create(key)
  expect([created, runs]).toEqual([2, 0])
  await create('c')
  await expect.poll(() => runs).toBeGreaterThan(0)
  await indexer.close()
})

it('stops when it is aborted, and when another indexer has taken over', async () => {
  for (let at = 0; at < 45; at += 1) await note(`Запись ${at}`)
  const ending = new AbortController()
  expect(await run({ signal: ending.signal, onProgress: () => ending.abort() })).toBe('stopped')
  expect(await version()).not.toBe(ANALYSER)
  expect(await found('запись')).toBe(45)

  const robbed = run({ onProgress: () => void pretend({ leased_until: 5 }) })
  expect(await robbed).toBe('stopped')
  expect(await version()).not.toBe(ANALYSER)
  expect(await run()).toBe('done')
})

it('loses no change that is saved meanwhile', async () => {
  const ids: string[] = []
  for (let at = 0; at < 60; at += 1) ids.push((await note(`Прежняя ${at}`)).id)
  const change = async (id: string) => {
    await app.call(notes.update, { params: { id }, body: { title: 'Новая', content: 'иное' } }, account.auth)
  }
  const removed = ids.splice(0, 10)
  await Promise.all([
    run(),
    ...ids.map(change),
    ...removed.map((id) => app.call(notes.remove, { params: { id } }, account.auth)),
  ])
  expect([await found('прежняя'), await found('новая')]).toEqual([0, 50])
})
