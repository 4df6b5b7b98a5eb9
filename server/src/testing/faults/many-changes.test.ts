import { bulk } from '@kopilka/contract/bulk.ts'
import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect } from 'vitest'
import type { TestApp } from '../create-test-app.ts'
import { test as it } from '../fixtures.ts'
import { beginManyChanges } from './many-changes.ts'
import { watched } from './watched.ts'
import { createWriteLog } from './write-log.ts'

/** Begins changes, and lets the first of them end, or all until `isEnough`. `auth`: of the account that they are made in. */
async function begin(app: TestApp, isEnough: (called: ReadonlySet<Endpoint>) => boolean = () => true) {
  const writeLog = createWriteLog()
  const { client, called, auth } = watched(app)
  const changes = await beginManyChanges({ client, writeLog }, 1)
  await expect.poll(() => isEnough(called), { timeout: 60_000 }).toBe(true)
  await changes.stop()
  expect(writeLog.unexpectedResponses).toEqual([])
  return { changes, auth }
}

it('reports nothing where all was done and undone', { timeout: 90_000 }, async ({ app }) => {
  const all = [
    bulk.change,
    trash.restore,
    bulk.merge,
    notes.restoreVersion,
    tags.merge,
    tags.remove,
    tags.update,
  ]
  const { changes } = await begin(app, (called) => all.every((call) => called.has(call)))
  expect(await changes.faults(app, true)).toEqual([])
})

it('reports a change that was done in part', async ({ app }) => {
  const { changes, auth } = await begin(app)
  const { results } = await app.call(notes.list, { query: {} }, auth())
  const ids = results.map(({ id }) => id)
  await app.call(bulk.change, { body: { ids, delete: true } }, auth())
  expect(await changes.faults(app, true)).toEqual([
    expect.stringMatching(
      /^записей и категорий {"listed":136,"trashed":15,.* а должно быть \[{"listed":151,/,
    ),
  ])
  expect((await app.call(operations.list, { query: {} }, auth())).results[0]?.undone_at).not.toBeNull()
})
