import { bulk } from '@kopilka/contract/bulk.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { expect } from 'vitest'
import type { TestApp } from '../create-test-app.ts'
import { test as it } from '../fixtures.ts'
import { beginManyChanges } from './many-changes.ts'
import { createWriteLog } from './write-log.ts'

/** Begins changes, and lets the first of them end. `auth`: of the account that they are made in. */
async function begin(app: TestApp) {
  const writeLog = createWriteLog()
  let token = ''
  const request: TestApp['request'] = (call, input, options) => {
    if (options?.token) token = options.token
    return app.request(call, input, options)
  }
  const changes = await beginManyChanges({ client: { ...app, request }, writeLog }, 1)
  await changes.stop()
  expect(writeLog.unexpectedResponses).toEqual([])
  return { changes, auth: { token } }
}

it('reports nothing where all was done and undone', async ({ app }) => {
  const { changes } = await begin(app)
  expect(await changes.faults(app)).toEqual([])
})

it('reports a change that was done in part', async ({ app }) => {
  const { changes, auth } = await begin(app)
  const { results } = await app.call(notes.list, { query: {} }, auth)
  const ids = results.map(({ id }) => id)
  await app.call(bulk.change, { body: { ids, delete: true } }, auth)
  expect(await changes.faults(app)).toEqual([
    expect.stringMatching(
      /^записей и категорий {"listed":136,"trashed":15,.* а должно быть \[{"listed":151,/,
    ),
  ])
  expect((await app.call(operations.list, { query: {} }, auth)).results[0]?.undone_at).not.toBeNull()
})
