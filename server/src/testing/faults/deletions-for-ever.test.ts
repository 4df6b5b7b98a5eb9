import type { Endpoint } from '@kopilka/contract/endpoint.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect } from 'vitest'
import type { TestApp } from '../create-test-app.ts'
import { test as it } from '../fixtures.ts'
import { beginDeletionsForEver } from './deletions-for-ever.ts'
import { watched } from './watched.ts'
import { createWriteLog } from './write-log.ts'

/** Begins deletions, and ends them after `last`; at once without it. */
async function begin(app: TestApp, last?: Endpoint) {
  const writeLog = createWriteLog()
  const { client, called, auth } = watched(app)
  const deletions = await beginDeletionsForEver({ client, writeLog }, 1)
  if (last) await expect.poll(() => called.has(last), { timeout: 20_000 }).toBe(true)
  await deletions.stop()
  expect(writeLog.unexpectedResponses).toEqual([])
  return { deletions, auth: auth() }
}

it('reports nothing where what was to be deleted for ever is gone, and the rest can come back', async ({
  app,
}) => {
  for (const last of [trash.removeFound, trash.clear])
    expect(await (await begin(app, last)).deletions.faults(app)).toEqual([])
})

it('reports what is missing in the trash', async ({ app }) => {
  const { deletions, auth } = await begin(app)
  const { results } = await app.call(trash.list, { query: {} }, auth)
  const [{ id, title } = { id: '', title: '' }] = results
  await app.call(trash.remove, { params: { id } }, auth)
  expect(await deletions.faults(app)).toEqual([`«${title}» пропала из корзины`])
})

it('reports what is there although it was deleted for ever, and what did not come back', async ({ app }) => {
  const { deletions, auth } = await begin(app, trash.clear)
  const { id } = await app.call(notes.create, { body: { title: 'гора 1', content: 'x' } }, auth)
  await app.call(notes.remove, { params: { id } }, auth)
  expect(await deletions.faults(app)).toEqual([
    '«гора 1» удалена навсегда, но есть',
    'возвращено из корзины: 0, а должно быть 1',
    'удалено навсегда: 240, а должно быть 239',
    'вернулись: , а должно быть гора 1',
    'найдено: 0, а должно быть 1',
  ])
})
