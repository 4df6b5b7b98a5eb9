import { notes } from '@kopilka/contract/notes.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect } from 'vitest'
import { deleteJob } from '../jobs/queue.ts'
import { test } from '../testing/fixtures.ts'
import { FORGET_TERMS } from './maintenance.ts'

// PostgreSQL removes the terms of an item with the item.
test('terms of items that are deleted while the job removes those of others are removed after it', async ({
  app,
  account,
}) => {
  const { id } = await app.call(notes.create, { body: { title: 'Ёж', content: 'в тумане' } }, account.auth)
  await app.call(notes.remove, { params: { id } }, account.auth)
  const HOUR = 60 * 60_000
  const times = { run_at: app.now(), leased_until: app.now() + HOUR, created_at: app.now() }
  const job = { owner_id: '', id: FORGET_TERMS, kind: FORGET_TERMS, payload: '', attempts: 1, ...times }
  await app.db.insertInto('jobs').values(job).execute()
  await app.call(trash.clear, { query: {} }, account.auth)
  await app.db.write(deleteJob, job)
  const jobs = () => app.db.selectFrom('jobs').select('id').where('id', '=', FORGET_TERMS).execute()
  expect(await jobs()).toHaveLength(1)
  app.advance(HOUR)
  await expect.poll(jobs, { timeout: 20_000, interval: 500 }).toEqual([])
})
