import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { searchIndexes } from '../search/indexes.ts'
import { ANALYSER } from '../search/terms.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createTestDatabase, type TestDatabase } from '../testing/test-database.ts'
import { createReindex } from './reindex.ts'
import { createReindexing } from './reindexing.ts'

let database: TestDatabase
let app: TestApp
let account: Account
beforeEach(async () => {
  database = await createTestDatabase()
  app = await createTestApp({ database })
  account = await newAccount(app)
  await expect.poll(version).toBe(ANALYSER)
})
afterEach(async () => {
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
const reindex = () =>
  createReindex({
    db: app.db,
    index: searchIndexes[app.db.fullText],
    clock: app.now,
  })
/** What another analyser, or none, has left of the index. */
const spoil = async () => {
  for (const { id } of await app.db
    .selectFrom('items')
    .select('id')
    .where('owner_id', '=', account.id)
    .execute())
    await app.db.transaction().execute((trx) => searchIndexes[app.db.fullText].remove(trx, account.id, id))
}

it('makes the whole index anew from the items', async () => {
  for (let at = 0; at < 45; at += 1) await note(`Запись ${at}`, `<p>слово${at}</p>`, ['метка'])
  await spoil()
  expect(await found('запись')).toBe(0)
  const done: number[] = []
  expect(await reindex().run({ onProgress: (count) => done.push(count) })).toBe('done')
  expect(done.at(-1)).toBe(45)
  expect([await found('записи'), await found('метка'), await found('слово44')]).toEqual([45, 45, 1])
  expect(await version()).toBe(ANALYSER)
})

it('begins with the newest: they come first all the while', async () => {
  for (let at = 0; at < 45; at += 1) await note(`Запись ${at}`)
  await spoil()
  const ending = new AbortController()
  await reindex().run({ signal: ending.signal, onProgress: () => ending.abort() })
  const query = { search: 'запись', exact: '1', view: 'summary' } as const
  const { results } = await app.call(notes.list, { query }, account.auth)
  expect(results[0]?.title).toBe('Запись 44')
  expect(results.length).toBeGreaterThan(0)
})

it('begins by itself where a server starts with another analyser, and answers meanwhile', async () => {
  await note('Запись')
  await pretend({ version: ANALYSER + 1 })
  expect(await found('запись')).toBe(1)
  const second = await createTestApp({ database })
  await expect.poll(version).toBe(ANALYSER)
  expect(await found('запись')).toBe(1)
  await second.close()
})

it('leaves it to one of several servers, and follows one that died', async () => {
  await note('Запись')
  await pretend({ leased_until: app.now() + 1000 })
  expect(await reindex().run()).toBe('busy')
  app.advance(1001)
  expect(await reindex().run()).toBe('done')
})

it('ends what a command that died has left undone, however often', async () => {
  await note('Запись')
  const log = { info: () => {}, warn: () => {} }
  const reindexing = createReindexing({ reindex: reindex(), log, lookEvery: 20 })
  reindexing.start()
  for (let deaths = 0; deaths < 3; deaths += 1) {
    await spoil()
    await pretend({ version: 0, leased_until: 0 })
    await expect.poll(version).toBe(ANALYSER)
    expect(await found('запись')).toBe(1)
  }
  await reindexing.close()
})

it('stops when it is asked to, and when another has taken over', async () => {
  for (let at = 0; at < 45; at += 1) await note(`Запись ${at}`)
  const ending = new AbortController()
  expect(await reindex().run({ signal: ending.signal, onProgress: () => ending.abort() })).toBe('stopped')
  expect(await version()).not.toBe(ANALYSER)
  expect(await found('запись')).toBe(45)

  const robbed = reindex().run({ onProgress: () => void pretend({ leased_until: 5 }) })
  expect(await robbed).toBe('stopped')
  expect(await version()).not.toBe(ANALYSER)
  expect(await reindex().run()).toBe('done')
})

it('loses no change that is saved in the middle', async () => {
  const ids: string[] = []
  for (let at = 0; at < 60; at += 1) ids.push((await note(`Прежняя ${at}`)).id)
  const change = async (id: string) => {
    await app.call(notes.update, { params: { id }, body: { title: 'Новая', content: 'иное' } }, account.auth)
  }
  const removed = ids.splice(0, 10)
  await Promise.all([
    reindex().run(),
    ...ids.map(change),
    ...removed.map((id) => app.call(notes.remove, { params: { id } }, account.auth)),
  ])
  expect([await found('прежняя'), await found('новая')]).toEqual([0, 50])
})
