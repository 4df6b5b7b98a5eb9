import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { quotasOf } from '../db/usage.ts'
import { idsInPiece } from '../items/id-pieces.ts'
import { newOperation } from '../journal/journal.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import type { Account } from '../testing/new-account.ts'
import { changeItems, deleteItems } from './bulk.ts'
import { mergeTags } from './merge-tags.ts'
import { allTrashed, sizeOfTrashed } from './restore-size.ts'
import { STEP_BYTES } from './running.ts'
import { createStepWriters, finishOperation, stepOperation } from './steps.ts'
import { restoreItems } from './trash.ts'
import { beginUndo } from './undo.ts'

const COUNT = 6
/** Two fit into a step. */
const CONTENT = 'слово '.repeat(STEP_BYTES / 2.5 / 11)
const FITTING = 2

const quotas = quotasOf(readConfig({}))
const { signal } = new AbortController()

async function fill(app: TestApp, account: Account) {
  const ids: string[] = []
  for (let at = 0; at < COUNT; at += 1) {
    const body = { title: `Длинная ${at}`, content: CONTENT, tags: ['лес'] }
    ids.push((await app.call(notes.create, { body }, account.auth)).id)
  }
  const begin = (action: Parameters<typeof newOperation>[1]) =>
    newOperation({ owner_id: account.id, session_id: null }, action, app.now())
  const finish = (operation: { id: string; owner_id: string }) =>
    finishOperation(createStepWriters(app.db, app.now)(account.id), operation, { isDone: false, changed: 0 })
  return { ids, begin, finish }
}

it('takes as many long items as fit into a step, where it changes, deletes, restores and undoes them', async ({
  app,
  account,
}) => {
  const { ids, begin, finish } = await fill(app, account)
  const owner_id = account.id

  const change = begin('change_items')
  const tagged = { add: ['дом'], remove: [] }
  const changing = {
    selected: { ids },
    all: true,
    operation: change,
    tags: tagged,
    pinned: undefined,
    quotas,
  }
  expect(await app.db.write(changeItems, changing)).toEqual({ isDone: false, changed: FITTING })
  expect(await finish(change)).toBe(COUNT)

  const deletion = begin('delete_items')
  const deleting = { selected: { ids }, all: true, operation: deletion }
  expect(await app.db.write(deleteItems, deleting)).toEqual({ isDone: false, changed: FITTING })
  const step = { owner_id, id: deletion.id, limit: 50 }
  expect(await app.db.write(stepOperation, step)).toMatchObject({ isDone: false, changed: 2 * FITTING })
  expect(await finish(deletion)).toBe(COUNT)

  const undo = { owner_id, session_id: null, id: deletion.id, now: app.now(), quotas }
  expect(await app.db.write(beginUndo, undo)).toMatchObject({ isDone: false, restored: FITTING })
  while (!(await app.db.write(stepOperation, step)).isDone);

  await app.call(bulk.change, { body: { ids, delete: true } }, account.auth)
  const restoration = begin('restore_items')
  const wanted = await allTrashed(app.db, owner_id)
  const restoreSize = await sizeOfTrashed(app.db, owner_id, wanted, signal)
  const restoring = {
    items: wanted.flatMap(idsInPiece),
    all: false,
    restoreSize,
    operation: restoration,
    quotas,
  }
  expect(await app.db.write(restoreItems, restoring)).toEqual({ isDone: false, changed: FITTING })
  expect(await finish(restoration)).toBe(COUNT)

  const { results } = await app.call(operations.list, { query: {} }, account.auth)
  for (const { id } of results.filter(({ undone_at }) => undone_at === null))
    expect((await app.call(operations.undo, { params: { id } }, account.auth)).skipped).toEqual([])
  const named = await app.call(tags.list, { query: {} }, account.auth)
  expect(named).toMatchObject([{ name: 'лес', notes_count: COUNT }])
})

it('takes as many long items as fit into a step, where it merges tags', async ({ app, account }) => {
  const { begin, finish } = await fill(app, account)
  await app.call(notes.create, { body: { title: 'Другая', content: 'x', tags: ['дом'] } }, account.auth)
  const [into = '', id = ''] = (await app.call(tags.list, { query: {} }, account.auth)).map((tag) => tag.id)
  const operation = begin('merge_tags')
  expect(await app.db.write(mergeTags, { id, into, operation })).toEqual({ isDone: false, changed: FITTING })
  expect(await finish(operation)).toBe(COUNT + 1)
  const undone = await app.call(operations.undo, { params: { id: operation.id } }, account.auth)
  expect(undone).toMatchObject({ restored: COUNT + 1, skipped: [] })
})

it('finds out what comes back from the trash in pieces: items, their bytes, and tags that are gone', async ({
  app,
  account,
}) => {
  const { ids } = await fill(app, account)
  await app.call(bulk.change, { body: { ids, delete: true } }, account.auth)
  const owner_id = account.id
  const wanted = await allTrashed(app.db, owner_id)
  expect(wanted.flatMap(idsInPiece)).toEqual(ids.toSorted())
  const restoreSize = () => sizeOfTrashed(app.db, owner_id, wanted, signal)
  expect(await restoreSize()).toMatchObject({ items: COUNT, tags: 0 })
  const [tag] = await app.call(tags.list, { query: {} }, account.auth)
  await app.call(tags.remove, { params: { id: tag?.id ?? '' } }, account.auth)
  expect(await restoreSize()).toMatchObject({ items: COUNT, tags: 1 })
  expect((await restoreSize())?.text_bytes).toBeGreaterThan(COUNT * CONTENT.length)
  const gone = AbortSignal.abort(new Error('gone'))
  await expect(sizeOfTrashed(app.db, owner_id, wanted, gone)).rejects.toThrow('gone')
})
