import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import type { Database } from '../db/open.ts'
import { quotasOf } from '../db/usage.ts'
import { inPieces } from '../items/id-pieces.ts'
import { newOperation } from '../journal/journal.ts'
import { createNotes } from '../testing/create-notes.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { databaseWith } from '../testing/database-with.ts'
import { test as it } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { changeItems } from './bulk.ts'
import { beginFound, collectItems } from './collect.ts'
import { purgeHandler } from './purge-job.ts'
import { STEP } from './running.ts'
import { createStepWriters, finishInterrupted, finishOperation } from './steps.ts'

const AT_ONCE = 1_000
const COUNT = AT_ONCE + STEP + 10

const quotas = quotasOf(readConfig({}))
const ID = /[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}/g

const operationOf = (app: TestApp, { id: owner_id }: Account) =>
  newOperation({ owner_id, session_id: null }, 'change_items', app.now())

/** What is kept of operations that have not come to their end. */
async function leftOf({ db }: TestApp, { id: owner_id }: Account) {
  const rowsOf = async (table: 'operation_items' | 'jobs' | 'operations') =>
    (await db.selectFrom(table).select('owner_id').where('owner_id', '=', owner_id).execute()).length
  return {
    items: await rowsOf('operation_items'),
    jobs: await rowsOf('jobs'),
    operations: await rowsOf('operations'),
  }
}

const NOTHING = { items: 0, jobs: 0, operations: 0 }

it('gives no transaction more than a thousand items, however many there are', async ({ app, account }) => {
  const ids = await createNotes(app, account, { count: COUNT, tags: ['лес'] })
  const sizes: number[] = []
  const write: Database['write'] = (command, args) => {
    sizes.push(JSON.stringify(args).match(ID)?.length ?? 0)
    return app.db.write(command, args)
  }
  const writer = createStepWriters(databaseWith(app, write), app.now)(account.id)
  const operation = operationOf(app, account)
  const tags = { add: ['дом'], remove: ['лес'] }
  const wanted = { found: inPieces(ids.toSorted()), tags, signal: new AbortController().signal }
  const begun = await beginFound(writer, operation, wanted, (selected) =>
    writer.write(changeItems, { selected, all: false, operation, tags, pinned: undefined, quotas }),
  )
  expect(begun).toEqual({ isDone: false, changed: STEP })
  const listed = async () => (await app.call(operations.list, { query: {} }, account.auth)).results
  expect(await listed()).toMatchObject([{ id: operation.id, progress: { done: STEP, total: COUNT } }])
  expect(await finishOperation(writer, operation, begun)).toBe(COUNT)
  expect(Math.max(...sizes)).toBeLessThan(AT_ONCE + 10)
  expect(await leftOf(app, account)).toEqual({ ...NOTHING, operations: 1 })
  const undone = await app.call(operations.undo, { params: { id: operation.id } }, account.auth)
  expect(undone).toEqual({ restored: COUNT, skipped: [], skipped_count: 0 })
})

it('deletes and restores all of them', async ({ app, account: { auth }, account }) => {
  await createNotes(app, account, { count: COUNT, tags: [] })
  const state = async () => [
    (await app.call(notes.list, { query: {} }, auth)).count,
    (await app.call(trash.list, { query: {} }, auth)).count,
  ]
  const deletion = { filter: {}, delete: true } as const
  expect(await app.call(bulk.change, { body: deletion }, auth)).toEqual({ changed: COUNT })
  expect(await state()).toEqual([0, COUNT])
  expect(await app.call(trash.restore, { body: { filter: {} } }, auth)).toEqual({ restored: COUNT })
  expect(await state()).toEqual([COUNT, 0])
})

it('changes nothing and keeps nothing where the last of them would have too many tags', async ({
  app,
  account,
}) => {
  const ids = await createNotes(app, account, { count: COUNT, tags: [] })
  const full = { title: 'Полная', content: 'x', tags: Array.from({ length: 50 }, (_, at) => `тег ${at}`) }
  const params = { id: ids.toSorted().at(-1) ?? '' }
  await app.call(notes.update, { params, body: full }, account.auth)
  const change = (body: object) => app.request(bulk.change, { body: { filter: {}, ...body } }, account.auth)
  const reply = await change({ add_tags: ['новый'], pinned: true })
  expect([reply.status, reply.body.add_tags]).toEqual([400, ['Не больше 50 тегов']])
  expect((await app.call(notes.list, { query: {} }, account.auth)).results[0]?.pinned).toBe(false)
  expect(await leftOf(app, account)).toEqual(NOTHING)
  // It has one of them already, and loses one for the other.
  expect((await change({ add_tags: ['ТЕГ 1'] })).body).toEqual({ changed: COUNT - 1 })
  expect((await change({ add_tags: ['новый'], remove_tags: ['тег 1'] })).body).toEqual({ changed: COUNT })
})

it('keeps nothing where the client goes before it has begun', async ({ app, account }) => {
  const ids = await createNotes(app, account, { count: COUNT, tags: [] })
  const gone = new AbortController()
  const write: Database['write'] = async (command, args) => {
    const result = await app.db.write(command, args)
    gone.abort()
    return result
  }
  const writer = createStepWriters(databaseWith(app, write), app.now)(account.id)
  const wanted = { found: inPieces(ids.toSorted()), signal: gone.signal }
  const begun = beginFound(writer, operationOf(app, account), wanted, () => expect.unreachable())
  await expect(begun).rejects.toThrow('aborted')
  expect(await leftOf(app, account)).toEqual(NOTHING)
})

it('drops what a dead server collected, and nobody sees it before', async () => {
  const database = await createTestDatabase()
  const first = await createTestApp({ database })
  onTestFinished(() => database.remove())
  const account = await newAccount(first)
  const found = inPieces((await createNotes(first, account, { count: COUNT, tags: [] })).toSorted())
  const operation = operationOf(first, account)
  const collecting = { operation, found, isFirst: true, tags: undefined, now: first.now() }
  await first.db.write(collectItems, collecting)
  expect(await leftOf(first, account)).toEqual({ items: COUNT, jobs: 1, operations: 1 })
  expect(await first.call(operations.list, { query: {} }, account.auth)).toEqual({ count: 0, results: [] })
  const undo = () => first.request(operations.undo, { params: { id: operation.id } }, account.auth)
  expect((await undo()).status).toBe(404)
  expect(await leftOf(first, account)).toEqual({ items: COUNT, jobs: 1, operations: 1 })
  await first.close()

  const second = await createTestApp({ database })
  expect(await leftOf(second, account)).toEqual(NOTHING)
  await expect(second.db.write(collectItems, { ...collecting, isFirst: false })).rejects.toThrow('dropped')
  await second.close()
})

it('drops what was collected although its job was given up, and finishes what was begun', async ({
  app,
  account,
}) => {
  const ids = await createNotes(app, account, { count: COUNT, tags: [] })
  const collecting = { found: inPieces(ids.toSorted()), isFirst: true, tags: undefined, now: app.now() }
  await app.db.write(collectItems, { ...collecting, operation: operationOf(app, account) })
  const operation = operationOf(app, account)
  const selected = { ids: ids.slice(0, 2 * STEP) }
  const change = { selected, all: true, operation, tags: { add: [], remove: [] }, pinned: true, quotas }
  expect((await app.db.write(changeItems, change)).isDone).toBe(false)
  await app.db.deleteFrom('jobs').where('owner_id', '=', account.id).execute()
  await finishInterrupted(app.db)
  expect(await leftOf(app, account)).toEqual({ items: COUNT + STEP, jobs: 0, operations: 2 })

  await purgeHandler({
    ...{ db: app.db, clock: app.now, config: { TRASH_DAYS: 30 }, purgeMore: async () => {} },
  }).run(
    { owner_id: '', id: '', kind: '', payload: '', attempts: 1, created_at: 0 },
    new AbortController().signal,
  )
  await finishInterrupted(app.db)
  expect(await leftOf(app, account)).toEqual({ ...NOTHING, operations: 1 })
  const { results } = await app.call(operations.list, { query: {} }, account.auth)
  expect(results).toMatchObject([{ id: operation.id, items: 2 * STEP }])
  expect(results[0]).not.toHaveProperty('progress')
})
