import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { describe, expect, onTestFinished } from 'vitest'
import { readConfig } from '../config.ts'
import type { Database } from '../db/open.ts'
import { quotasOf } from '../db/usage.ts'
import { newOperation } from '../journal/journal.ts'
import { createNotes } from '../testing/create-notes.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { databaseWith } from '../testing/database-with.ts'
import { test as it } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { changeItems, deleteItems } from './bulk.ts'
import { deleteTag, mergeTags } from './merge-tags.ts'
import { STEP } from './running.ts'
import {
  createStepWriters,
  finishOperation,
  finishOperationHandler,
  mergeTag,
  type StepWriter,
  stepOperation,
  undoOperation,
} from './steps.ts'
import { beginUndo } from './undo.ts'

const ITEMS = 2 * STEP + 10

const quotas = quotasOf(readConfig({}))

/** Notes that are created at once: a hundred wait for PostgreSQL longer than a request may. */
const AT_ONCE = 20

async function fill(app: TestApp, { auth }: Account, count = ITEMS): Promise<string[]> {
  const ids: string[] = []
  const create = async (at: number) => {
    const body = { title: `Заметка ${at}`, content: 'Текст о лесе', tags: at % 2 ? ['лес'] : [] }
    ids.push((await app.call(notes.create, { body }, auth)).id)
  }
  for (let at = 0; at < count; at += AT_ONCE)
    await Promise.all(Array.from({ length: Math.min(AT_ONCE, count - at) }, (_, more) => create(at + more)))
  return ids
}

const writerOf = ({ db, now }: TestApp): StepWriter => createStepWriters(db, now)('')

async function stateOf(app: TestApp, { auth }: Account) {
  const list = (query: object) => app.call(notes.list, { query }, auth)
  return {
    first: await list({ sort: 'title' }),
    last: await list({ sort: 'title', page: '3' }),
    found: await list({ search: 'лес', sort: 'title' }),
    tagged: await list({ search: 'tag:лес', sort: 'title' }),
    tags: await app.call(tags.list, { query: {} }, auth),
    trashed: (await app.call(trash.list, { query: {} }, auth)).count,
  }
}

it('changes, deletes and restores more items than a step takes as one operation each, and undoes it', async ({
  app,
  account,
}) => {
  await fill(app, account)
  const original = await stateOf(app, account)
  const bodies = [{ add_tags: ['дом'], remove_tags: ['лес'], pinned: true }, { delete: true }]
  for (const body of bodies) {
    const reply = await app.request(bulk.change, { body: { filter: {}, ...body } }, account.auth)
    expect(reply.body).toEqual({ changed: ITEMS })
    const { results } = await app.call(operations.list, { query: {} }, account.auth)
    expect(results[0]).toMatchObject({ id: reply.headers.get('operation'), items: ITEMS, undone_at: null })
    expect(results[0]).not.toHaveProperty('progress')
    const params = { id: reply.headers.get('operation') ?? '' }
    expect(await app.call(operations.undo, { params }, account.auth)).toEqual({
      restored: ITEMS,
      skipped: [],
      skipped_count: 0,
    })
    expect((await app.request(operations.undo, { params }, account.auth)).status).toBe(409)
    expect(await stateOf(app, account)).toEqual(original)
  }
  await app.call(bulk.change, { body: { filter: {}, delete: true } }, account.auth)
  const deleted = await stateOf(app, account)
  const reply = await app.request(trash.restore, { body: { filter: {} } }, account.auth)
  expect(reply.body).toEqual({ restored: ITEMS })
  expect(await stateOf(app, account)).toEqual(original)
  const params = { id: reply.headers.get('operation') ?? '' }
  expect((await app.call(operations.undo, { params }, account.auth)).restored).toBe(ITEMS)
  expect(await stateOf(app, account)).toEqual(deleted)
})

it('merges and deletes a tag that more items have than a step takes, and undoes it', async ({
  app,
  account,
}) => {
  await fill(app, account, 2 * ITEMS)
  const body = { title: 'Обе', content: 'x', tags: ['лес', 'Дом'] }
  await app.call(notes.create, { body }, account.auth)
  const original = await stateOf(app, account)
  const [into, merged] = original.tags
  const params = { id: merged?.id ?? '' }
  const undo = (reply: { headers: Headers }) =>
    app.call(operations.undo, { params: { id: reply.headers.get('operation') ?? '' } }, account.auth)

  const merge = await app.request(tags.merge, { params, body: { into: into?.id ?? '' } }, account.auth)
  expect(merge.body).toEqual({ ...into, notes_count: ITEMS + 1 })
  const after = await stateOf(app, account)
  expect(after.tags).toEqual([merge.body])
  expect(after.tagged.count).toBe(0)
  const { results } = await app.call(operations.list, { query: {} }, account.auth)
  expect(results).toMatchObject([{ action: 'merge_tags', items: ITEMS + 1 }])
  expect(await undo(merge)).toEqual({ restored: ITEMS + 1, skipped: [], skipped_count: 0 })
  expect(await stateOf(app, account)).toEqual(original)

  const deletion = await app.request(tags.remove, { params }, account.auth)
  expect((await stateOf(app, account)).tags).toEqual([into])
  expect(await undo(deletion)).toEqual({ restored: 1, skipped: [], skipped_count: 0 })
  expect(await stateOf(app, account)).toEqual(original)
})

it('ends a merge where the other tag is deleted meanwhile, and undoes what it has done', async ({
  app,
  account,
}) => {
  await fill(app, account, 2 * ITEMS)
  const body = { title: 'Другая', content: 'x', tags: ['дом'] }
  await app.call(notes.create, { body }, account.auth)
  const original = await stateOf(app, account)
  const [into = '', id = ''] = original.tags.map((tag) => tag.id)
  const caller = { owner_id: account.id, session_id: null }
  const operation = newOperation(caller, 'merge_tags', app.now())
  const begun = await app.db.write(mergeTags, { id, into, operation })
  expect(begun).toEqual({ isDone: false, changed: STEP })
  const deletion = await app.request(tags.remove, { params: { id: into } }, account.auth)
  const undo = (id: string) => app.call(operations.undo, { params: { id } }, account.auth)
  expect(await undo(operation.id)).toEqual({ restored: STEP, skipped: [], skipped_count: 0 })
  expect((await undo(deletion.headers.get('operation') ?? '')).skipped).toEqual([])
  expect(await stateOf(app, account)).toEqual(original)
})

it('undoes a merge whose other tag is deleted meanwhile, before it says so', async ({ app, account }) => {
  await fill(app, account, 2 * ITEMS)
  const body = { title: 'Другая', content: 'x', tags: ['дом'] }
  await app.call(notes.create, { body }, account.auth)
  const original = await stateOf(app, account)
  const [into = '', id = ''] = original.tags.map((tag) => tag.id)
  let writes = 0
  const write: Database['write'] = async (command, args) => {
    writes += 1
    if (writes === 2) await app.call(tags.remove, { params: { id: into } }, account.auth)
    return app.db.write(command, args)
  }
  const operation = newOperation({ owner_id: account.id, session_id: null }, 'merge_tags', app.now())
  const writer = createStepWriters(databaseWith(app, write), app.now)(account.id)
  await expect(mergeTag(writer, operation, { id, into, quotas })).rejects.toThrow('tagNotFound')
  expect(await stateOf(app, account)).toMatchObject({
    tags: original.tags.filter((tag) => tag.id === id),
    tagged: original.tagged,
  })
  const { results } = await app.call(operations.list, { query: {} }, account.auth)
  expect(results.map(({ action, undone_at }) => [action, undone_at !== null])).toEqual([
    ['delete_tag', false],
    ['merge_tags', true],
  ])
})

it.for([
  ['the other one first, undone in that order', ['дом', 'лес'], (undos: string[]) => undos],
  ['the other one first, undone last first', ['дом', 'лес'], (undos: string[]) => undos.toReversed()],
  ['the other one last, undone in that order', ['лес', 'дом'], (undos: string[]) => undos],
  ['the other one last, undone last first', ['лес', 'дом'], (undos: string[]) => undos.toReversed()],
] as const)(
  'undoes a merge whose tags are both deleted meanwhile, %s',
  { timeout: 60_000 },
  async ([, names, inOrder], { app, account }) => {
    await fill(app, account)
    const body = { title: 'Другая', content: 'x', tags: ['дом'] }
    await app.call(notes.create, { body }, account.auth)
    const original = await stateOf(app, account)
    const [into = '', id = ''] = original.tags.map((tag) => tag.id)
    const deletions: string[] = []
    let writes = 0
    const write: Database['write'] = async (command, args) => {
      writes += 1
      for (const name of writes === 2 ? names : []) {
        const params = { id: name === 'дом' ? into : id }
        const { headers } = await app.request(tags.remove, { params }, account.auth)
        deletions.push(headers.get('operation') ?? '')
      }
      return app.db.write(command, args)
    }
    const operation = newOperation({ owner_id: account.id, session_id: null }, 'merge_tags', app.now())
    const writer = createStepWriters(databaseWith(app, write), app.now)(account.id)
    await mergeTag(writer, operation, { id, into, quotas }).catch(() => {})
    const { results } = await app.call(operations.list, { query: {} }, account.auth)
    const isStanding = results.some((one) => one.action === 'merge_tags' && one.undone_at === null)
    const all = isStanding ? [operation.id, ...deletions] : deletions
    for (const one of inOrder(all)) await app.call(operations.undo, { params: { id: one } }, account.auth)
    expect(await stateOf(app, account)).toEqual(original)
  },
)

it('refuses to merge into a tag that is being merged itself: the two would never end', async ({
  app,
  account,
}) => {
  await fill(app, account, 2 * ITEMS)
  const body = { title: 'Другая', content: 'x', tags: ['дом'] }
  await app.call(notes.create, { body }, account.auth)
  const before = await app.call(tags.list, { query: {} }, account.auth)
  const [into = '', id = ''] = before.map((tag) => tag.id)
  const operation = newOperation({ owner_id: account.id, session_id: null }, 'merge_tags', app.now())
  const begun = await app.db.write(mergeTags, { id, into, operation })
  expect(begun).toEqual({ isDone: false, changed: STEP })
  const request = { params: { id: into }, body: { into: id } }
  const opposite = await app.request(tags.merge, request, account.auth)
  expect([opposite.status, opposite.body]).toEqual([
    409,
    { detail: expect.stringContaining('сейчас саму объединяют с другой') },
  ])
  expect(await finishOperation(writerOf(app), operation, begun)).toBe(ITEMS + 1)
  expect(await app.call(tags.list, { query: {} }, account.auth)).toEqual([
    { ...before[0], notes_count: ITEMS + 1 },
  ])
  expect((await app.request(tags.merge, request, account.auth)).status).toBe(404)
})

it('makes no operation of a change of many items that changes none of them', async ({ app, account }) => {
  await fill(app, account)
  const reply = await app.request(
    bulk.change,
    { body: { filter: {}, remove_tags: ['нет'], pinned: false } },
    account.auth,
  )
  expect([reply.body, reply.headers.get('operation')]).toEqual([{ changed: 0 }, null])
  expect((await app.call(operations.list, { query: {} }, account.auth)).count).toBe(0)
})

it('changes what is left where some of the items are changed or deleted meanwhile', async ({
  app,
  account,
}) => {
  const ids = await fill(app, account)
  const [last = '', other = ''] = ids.toSorted().toReversed()
  const operation = newOperation({ owner_id: account.id, session_id: null }, 'change_items', app.now())
  const tagsToAdd = { add: ['дом'], remove: [] }
  const begun = await app.db.write(changeItems, {
    ...{ selected: { ids }, all: true, operation, tags: tagsToAdd, pinned: undefined, quotas },
  })
  expect(begun).toEqual({ isDone: false, changed: STEP })
  const progress = async () =>
    (await app.call(operations.list, { query: {} }, account.auth)).results[0]?.progress
  expect(await progress()).toEqual({ done: STEP, total: ITEMS })
  await app.call(notes.remove, { params: { id: last } }, account.auth)
  const [tag] = (await app.call(tags.list, { query: {} }, account.auth)).filter(({ name }) => name === 'дом')
  await app.call(tags.update, { params: { id: tag?.id ?? '' }, body: { name: 'Жильё' } }, account.auth)
  const body = { title: 'Полная', content: 'x', tags: Array.from({ length: 50 }, (_, at) => `тег ${at}`) }
  await app.call(notes.update, { params: { id: other }, body }, account.auth)
  // An undo waits for the operation.
  const undone = await app.call(operations.undo, { params: { id: operation.id } }, account.auth)
  const renamed = { kind: 'tag', id: tag?.id, title: 'Жильё', reason: 'changed' }
  expect(undone).toEqual({ restored: ITEMS - 2, skipped: [renamed], skipped_count: 1 })
  const named = await app.call(tags.list, { query: {} }, account.auth)
  expect(named.filter(({ name }) => ['дом', 'Жильё'].includes(name))).toMatchObject([
    { name: 'Жильё', notes_count: 0 },
  ])
  expect(await progress()).toBeUndefined()
})

it('restores nothing where a quota has no room for all of it', async ({ startApp }) => {
  const small = await startApp({ settings: { ITEMS_PER_USER: String(ITEMS + 10) } })
  const someone = await newAccount(small)
  await fill(small, someone)
  const reply = await small.request(bulk.change, { body: { filter: {}, delete: true } }, someone.auth)
  await fill(small, someone, 20)
  const restored = await small.request(trash.restore, { body: { filter: {} } }, someone.auth)
  const params = { id: reply.headers.get('operation') }
  const undone = await small.request(operations.undo, { params }, someone.auth)
  expect([restored.status, undone.status]).toEqual([403, 403])
  expect((await small.call(notes.list, { query: {} }, someone.auth)).count).toBe(20)
  expect((await small.call(trash.list, { query: {} }, someone.auth)).count).toBe(ITEMS)
  // Nothing was begun: it can be undone once there is room.
  await small.call(bulk.change, { body: { filter: {}, delete: true } }, someone.auth)
  expect((await small.request(operations.undo, { params }, someone.auth)).status).toBe(200)
})

it('restores nothing where a quota has no room for the tags that come back', async ({ startApp }) => {
  const small = await startApp({ settings: { TAGS_PER_USER: '3' } })
  const someone = await newAccount(small)
  await fill(small, someone)
  const deletion = await small.request(bulk.change, { body: { filter: {}, delete: true } }, someone.auth)
  const [tag] = await small.call(tags.list, { query: {} }, someone.auth)
  await small.call(tags.remove, { params: { id: tag?.id ?? '' } }, someone.auth)
  const body = { title: 'Другая', content: 'x', tags: ['один', 'два', 'три'] }
  const other = await small.call(notes.create, { body }, someone.auth)
  const restored = await small.request(trash.restore, { body: { filter: {} } }, someone.auth)
  const params = { id: deletion.headers.get('operation') ?? '' }
  const undone = await small.request(operations.undo, { params }, someone.auth)
  expect([restored.status, undone.status]).toEqual([403, 403])
  expect((await small.call(notes.list, { query: {} }, someone.auth)).count).toBe(1)
  // Another tag has the name: none is created.
  const three = await small.call(tags.list, { query: { search: 'три' } }, someone.auth)
  for (const { id } of three) await small.call(tags.remove, { params: { id } }, someone.auth)
  const renamed = { title: 'Другая', content: 'x', tags: ['один', 'два', 'ЛЕС'] }
  await small.call(notes.update, { params: { id: other.id }, body: renamed }, someone.auth)
  expect((await small.call(operations.undo, { params }, someone.auth)).restored).toBe(ITEMS)
})

it('restores items whose tags were merged into another one where a quota has no room for theirs', async ({
  startApp,
}) => {
  const small = await startApp({ settings: { TAGS_PER_USER: '2' } })
  const { auth } = await newAccount(small)
  const create = (title: string, name: string) =>
    small.call(notes.create, { body: { title, content: 'x', tags: [name] } }, auth)
  const deleted = [await create('Одна', 'сад'), await create('Другая', 'сад')]
  const { tags: into } = await create('Своя', 'огород')
  await small.call(bulk.change, { body: { ids: deleted.map(({ id }) => id), delete: true } }, auth)
  const params = { id: deleted[0]?.tags[0]?.id ?? '' }
  await small.call(tags.merge, { params, body: { into: into[0]?.id ?? '' } }, auth)
  await create('Ещё', 'лес')
  const restored = await small.request(trash.restore, { body: { filter: {} } }, auth)
  expect([restored.status, restored.body]).toEqual([200, { restored: 2 }])
})

it('shows the same everywhere while an operation is half done', async ({ app, account }) => {
  const ids = await fill(app, account)
  const { auth } = account
  const counts = async () => {
    const { tagged, tags: named, trashed, ...lists } = await stateOf(app, account)
    const home = await app.call(search, { query: { search: 'лес', exact: '1', view: 'summary' } }, auth)
    return {
      lists: [lists.first.count, lists.found.count, home.notes_count],
      tagged: [tagged.count, ...named.map(({ notes_count }) => notes_count)],
      trashed,
    }
  }
  const caller = { owner_id: account.id, session_id: null }
  const deletion = newOperation(caller, 'delete_items', app.now())
  const begun = await app.db.write(deleteItems, { selected: { ids }, all: true, operation: deletion })
  expect(begun.isDone).toBe(false)
  const half = await counts()
  expect(half.trashed).toBe(STEP)
  expect(new Set(half.lists)).toEqual(new Set([ITEMS - STEP]))
  expect(new Set(half.tagged).size).toBe(1)
  const listed = async () => (await app.call(operations.list, { query: {} }, auth)).results[0]
  expect(await listed()).toMatchObject({ progress: { done: STEP, total: ITEMS }, undone_at: null })
  await finishOperation(writerOf(app), deletion, begun)
  expect(await counts()).toEqual({ lists: [0, 0, 0], tagged: [0, 0], trashed: ITEMS })
  expect(await listed()).not.toHaveProperty('progress')
})

it('gives a tag back in steps to items that another undo had left without it', async ({ app, account }) => {
  await fill(app, account)
  const { auth } = account
  const original = await stateOf(app, account)
  const removal = await app.request(
    bulk.change,
    { body: { filter: {}, remove_tags: ['лес'], add_tags: ['дом'] } },
    auth,
  )
  const [id = ''] = original.tags.map((tag) => tag.id)
  const deletion = await app.request(tags.remove, { params: { id } }, auth)
  // The tag is gone: its items are due to get it from the undo of its deletion.
  const first = { id: removal.headers.get('operation') ?? '' }
  await app.call(operations.undo, { params: first }, auth)
  expect((await stateOf(app, account)).tags).toEqual([])

  const carriers = async () =>
    (await app.call(tags.list, { query: {} }, auth)).reduce((all, tag) => all + tag.notes_count, 0)
  const operation = { owner_id: account.id, id: deletion.headers.get('operation') ?? '' }
  const author = { session_id: null, now: app.now(), quotas }
  const limit = 20
  let before = await carriers()
  const begun = await app.db.write(beginUndo, { ...author, ...operation })
  expect([begun?.isDone, await carriers()]).toEqual([false, 0])
  let isDone = false
  while (!isDone) {
    ;({ isDone } = await app.db.write(stepOperation, { ...operation, limit }))
    const after = await carriers()
    expect(after - before).toBeLessThanOrEqual(limit)
    before = after
    const [undo] = (await app.call(operations.list, { query: {} }, auth)).results
    if (!isDone) expect(undo?.progress).toEqual({ done: 1 + after, total: 1 + original.tagged.count })
  }
  expect(await stateOf(app, account)).toEqual(original)
})

describe('items that are due to get a tag back', () => {
  /** Begins to undo the deletion of a tag whose removal from all items was undone before. */
  async function begin(app: TestApp, account: Account) {
    await fill(app, account)
    const { auth, id: owner_id } = account
    const request = async (reply: ReturnType<TestApp['request']>) =>
      (await reply).headers.get('operation') ?? ''
    const { id: last } = await app.call(notes.create, { body: { title: 'Последняя', content: 'x' } }, auth)
    const addition = await request(
      app.request(bulk.change, { body: { ids: [last], add_tags: ['лес'] } }, auth),
    )
    const removal = await request(
      app.request(bulk.change, { body: { filter: {}, remove_tags: ['лес'] } }, auth),
    )
    const [tag] = await app.call(tags.list, { query: {} }, auth)
    const params = { id: tag?.id ?? '' }
    const operation = { owner_id, id: await request(app.request(tags.remove, { params }, auth)) }
    const undo = (id: string) => app.call(operations.undo, { params: { id } }, auth)
    await undo(removal)
    const begun = await app.db.write(beginUndo, { ...operation, session_id: null, now: app.now(), quotas })
    expect(begun?.isDone).toBe(false)
    const finish = async () => {
      while (!(await app.db.write(stepOperation, { ...operation, limit: STEP })).isDone);
    }
    const waiting = async () => {
      const rows = app.db.selectFrom('operation_items').select('item_id').where('owner_id', '=', owner_id)
      return (await rows.execute()).length
    }
    return { last, params, finish, waiting, undoAddition: () => undo(addition) }
  }

  it('do not get it where another undo takes back that they had it', async ({ app, account }) => {
    const { last, params, finish, waiting, undoAddition } = await begin(app, account)
    expect(await undoAddition()).toEqual({ restored: 1, skipped: [], skipped_count: 0 })
    await finish()
    expect((await app.call(notes.read, { params: { id: last } }, account.auth)).tags).toEqual([])
    expect(await app.call(tags.read, { params }, account.auth)).toMatchObject({ notes_count: ITEMS / 2 })
    expect(await waiting()).toBe(0)
  })

  it('do not get it where it is deleted again', async ({ app, account }) => {
    const { params, finish, waiting } = await begin(app, account)
    await app.call(tags.remove, { params }, account.auth)
    await finish()
    expect(await waiting()).toBe(0)
    expect(await app.call(tags.list, { query: {} }, account.auth)).toEqual([])
    const { results } = await app.call(operations.list, { query: {} }, account.auth)
    expect(results.filter(({ progress }) => progress)).toEqual([])
  })
})

it('leaves an undo to its request while that goes on, so that the response tells all of it', async ({
  app,
  account,
}) => {
  const ids = await fill(app, account)
  const { auth, id: owner_id } = account
  const reply = await app.request(bulk.change, { body: { ids, add_tags: ['дом'] } }, auth)
  // Undone last.
  const [id = ''] = ids.toSorted()
  await app.call(notes.update, { params: { id }, body: { title: 'Новая', content: 'x' } }, auth)
  let passed = 0
  const clock = () => app.now() + passed
  const write: Database['write'] = async (command, args) => {
    const result = await app.db.write(command, args)
    passed += 50_000
    const due = await app.db
      .selectFrom('jobs')
      .selectAll()
      .where('owner_id', '=', owner_id)
      .where('run_at', '<=', clock())
      .execute()
    const handler = finishOperationHandler(() => writerOf(app))
    for (const job of due) await handler.run(job, new AbortController().signal)
    return result
  }
  const operation = { owner_id, session_id: null, id: reply.headers.get('operation') ?? '', quotas }
  expect(
    await undoOperation(
      createStepWriters(databaseWith(app, write), clock)(owner_id),
      operation,
      new AbortController().signal,
    ),
  ).toEqual({
    restored: ITEMS - 1,
    skipped: [{ kind: 'note', id, title: 'Новая', reason: 'changed' }],
    skipped_count: 1,
  })
})

it('puts off the job by the time at which a step has its turn, for which it may wait long', async ({
  app,
  account,
}) => {
  const ids = await fill(app, account)
  const operation = newOperation({ owner_id: account.id, session_id: null }, 'delete_items', app.now())
  const begun = await app.db.write(deleteItems, { selected: { ids }, all: true, operation })
  const { promise: free, resolve } = Promise.withResolvers<void>()
  const times: number[] = []
  const write: Database['write'] = async (command, args) => {
    await free
    const { now } = args as { now?: number }
    if (now !== undefined) times.push(now)
    return app.db.write(command, args)
  }
  const stepWriters = createStepWriters(databaseWith(app, write), app.now)
  const other = stepWriters('another').write(stepOperation, { owner_id: 'another', id: '', limit: 1 })
  const finished = finishOperation(stepWriters(account.id), operation, begun)
  app.advance(30_000)
  const turn = app.now()
  resolve()
  await other
  expect(await finished).toBe(ITEMS)
  expect(times.filter((now) => now < turn)).toEqual([])
})

it('lets two servers do the steps of one operation at once, and either undo it', async () => {
  const database = await createTestDatabase()
  const [one, other] = [await createTestApp({ database }), await createTestApp({ database })]
  const servers = [one, other]
  onTestFinished(async () => {
    for (const server of servers) await server.close()
    await database.remove()
  })
  const account = await newAccount(one)
  const ids = await fill(one, account)
  const original = await stateOf(other, account)
  const operation = newOperation({ owner_id: account.id, session_id: null }, 'delete_items', one.now())
  const begun = await one.db.write(deleteItems, { selected: { ids }, all: true, operation })
  const changed = await Promise.all(servers.map((app) => finishOperation(writerOf(app), operation, begun)))
  expect(changed).toEqual([ITEMS, ITEMS])
  expect(await stateOf(other, account)).toMatchObject({ trashed: ITEMS, found: { count: 0 } })
  const undo = (app: TestApp) =>
    app.request(operations.undo, { params: { id: operation.id } }, account.auth).then(({ status }) => status)
  expect((await Promise.all(servers.map(undo))).sort()).toEqual([200, 409])
  expect(await stateOf(one, account)).toEqual(original)
})

it('finishes a merge of tags that a dead server left, before the next one serves', async () => {
  const database = await createTestDatabase()
  const first = await createTestApp({ database })
  onTestFinished(() => database.remove())
  const account = await newAccount(first)
  await fill(first, account, 2 * ITEMS)
  const body = { title: 'Другая', content: 'x', tags: ['дом'] }
  await first.call(notes.create, { body }, account.auth)
  const original = await stateOf(first, account)
  const [into = '', id = ''] = original.tags.map((tag) => tag.id)
  const caller = { owner_id: account.id, session_id: null }
  const operation = newOperation(caller, 'merge_tags', first.now())
  const begun = await first.db.write(mergeTags, { id, into, operation })
  expect(begun).toEqual({ isDone: false, changed: STEP })
  await first.close()

  const second = await createTestApp({ database })
  expect(await second.call(tags.list, { query: {} }, account.auth)).toMatchObject([
    { id: into, notes_count: ITEMS + 1 },
  ])
  const undo = { ...caller, id: operation.id, now: second.now(), quotas }
  expect(await second.db.write(beginUndo, undo)).toMatchObject({ isDone: false })
  await second.close()

  const third = await createTestApp({ database })
  expect(await stateOf(third, account)).toEqual(original)
  await third.close()
})

it('finishes the deletion of a tag that a dead server left, before the next one serves', async () => {
  const database = await createTestDatabase()
  const first = await createTestApp({ database })
  onTestFinished(() => database.remove())
  const account = await newAccount(first)
  const more = 10
  await createNotes(first, account, { count: 20 * STEP + more, tags: ['лес'] })
  const original = await stateOf(first, account)
  const operation = newOperation({ owner_id: account.id, session_id: null }, 'delete_tag', first.now())
  const begun = await first.db.write(deleteTag, { id: original.tags[0]?.id ?? '', operation })
  expect(begun).toEqual({ isDone: false, changed: 0 })
  const named = await first.call(tags.list, { query: {} }, account.auth)
  expect(named).toMatchObject([{ name: 'лес', notes_count: more }])
  await first.close()

  const second = await createTestApp({ database })
  expect(await second.call(tags.list, { query: {} }, account.auth)).toEqual([])
  const { results } = await second.call(operations.list, { query: {} }, account.auth)
  expect(results).toMatchObject([{ action: 'delete_tag', items: 1, undone_at: null }])
  const params = { id: operation.id }
  expect(await second.call(operations.undo, { params }, account.auth)).toEqual({
    restored: 1,
    skipped: [],
    skipped_count: 0,
  })
  expect(await stateOf(second, account)).toEqual(original)
  await second.close()
})

it('finishes an operation and an undo that a dead server left, before the next one serves', async () => {
  const database = await createTestDatabase()
  const first = await createTestApp({ database })
  onTestFinished(() => database.remove())
  const account = await newAccount(first)
  const ids = await fill(first, account)
  const caller = { owner_id: account.id, session_id: null }
  const operation = newOperation(caller, 'delete_items', first.now())
  const begun = await first.db.write(deleteItems, { selected: { ids }, all: true, operation })
  expect(begun).toEqual({ isDone: false, changed: STEP })
  expect((await first.call(notes.list, { query: {} }, account.auth)).count).toBe(ITEMS - STEP)
  await first.close()

  const second = await createTestApp({ database })
  expect((await second.call(notes.list, { query: {} }, account.auth)).count).toBe(0)
  expect((await second.call(trash.list, { query: {} }, account.auth)).count).toBe(ITEMS)
  const undo = { ...caller, id: operation.id, now: second.now(), quotas }
  expect(await second.db.write(beginUndo, undo)).toMatchObject({ isDone: false, restored: STEP })
  await second.close()

  const third = await createTestApp({ database })
  expect((await third.call(notes.list, { query: {} }, account.auth)).count).toBe(ITEMS)
  expect((await third.call(trash.list, { query: {} }, account.auth)).count).toBe(0)
  expect(await third.db.selectFrom('jobs').select('id').where('owner_id', '=', account.id).execute()).toEqual(
    [],
  )
  await third.close()
})
