import { expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { claimJob, type Job } from './queue.ts'

test('a job that is due is claimed once, however many look at a time', async ({ app, owner }) => {
  const now = app.now()
  const kind = 'nobody runs it'
  const jobs = ['a', 'b', 'c', 'd'].map((id) => ({
    ...{ owner_id: owner.id, id, kind, payload: '', attempts: 0, run_at: now, leased_until: 0 },
    created_at: now,
  }))
  await app.db.insertInto('jobs').values(jobs).execute()
  const due = { kind, now, leased_until: now + 60_000 }
  const claims = await Promise.all(Array.from({ length: 8 }, () => app.db.write(claimJob, due)))
  const claimed = claims.filter((job): job is Job => job !== undefined)
  expect(claimed.map(({ id, attempts }) => [id, attempts]).sort()).toEqual(jobs.map(({ id }) => [id, 1]))
  expect(await app.db.write(claimJob, due)).toBeUndefined()
  await app.db.deleteFrom('jobs').where('owner_id', '=', owner.id).where('kind', '=', kind).execute()
})
