import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@kopilka/contract/operations.ts'
import { expect } from 'vitest'
import { newOperation } from '../journal/journal.ts'
import { createNotes } from '../testing/create-notes.ts'
import { test } from '../testing/fixtures.ts'
import { deleteItems } from './bulk.ts'
import { keepJobWaiting, STEP } from './running.ts'
import { finishInterrupted } from './steps.ts'

const PAUSE = 20

test('a server that starts leaves an operation to the one that is at work on it, and finishes it once none is', async ({
  app,
  account,
}) => {
  const ids = await createNotes(app, account, { count: 2 * STEP, tags: [] })
  const operation = newOperation({ owner_id: account.id, session_id: null }, 'delete_items', app.now())
  await app.db.write(deleteItems, { selected: { ids }, all: true, operation })
  const progress = async () =>
    (await app.call(operations.list, { query: {} }, account.auth)).results[0]?.progress
  let isOver = false
  const start = finishInterrupted(app.db).finally(() => {
    isOver = true
  })
  // As each step of a request does.
  for (let at = 1; !isOver; at += 1) {
    await app.db.transaction().execute((trx) => keepJobWaiting(trx, operation, operation.now + at))
    await sleep(PAUSE)
  }
  await start
  expect(await progress()).toEqual({ done: STEP, total: 2 * STEP })
  await finishInterrupted(app.db)
  expect(await progress()).toBeUndefined()
})
