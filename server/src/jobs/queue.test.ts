import { expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { attemptsOf, claimJob, deleteJob, dueAgain, type Job, postponeJob } from './queue.ts'

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

test('a turn is no attempt, and a claim from before it no longer owns the job', async ({ app, owner }) => {
  const now = app.now()
  const kind = 'takes turns'
  const job = { owner_id: owner.id, id: 'a', kind, payload: '', attempts: 0, run_at: now, leased_until: 0 }
  await app.db
    .insertInto('jobs')
    .values({ ...job, created_at: now })
    .execute()
  const claim = () => app.db.write(claimJob, { kind, now, leased_until: now + 60_000 })
  const first = await claim()
  if (!first) throw new Error('not claimed')
  await app.db.write(postponeJob, { job: first, run_at: now, counts: false })
  const second = await claim()
  if (!second) throw new Error('not claimed again')
  expect([first, second].map(attemptsOf)).toEqual([1, 1])
  await app.db.write(deleteJob, first)
  const left = () => app.db.selectFrom('jobs').select('id').where('kind', '=', kind).execute()
  expect(await left()).toEqual([{ id: 'a' }])
  await app.db.write(deleteJob, second)
  expect(await left()).toEqual([])
})

test('a job that became due again while it was under way outlives that attempt', async ({ app, owner }) => {
  const now = app.now()
  const kind = 'is due again'
  const key = { owner_id: owner.id, id: 'a' }
  const job = { ...key, kind, payload: '', attempts: 0, run_at: now, leased_until: 0 }
  await app.db
    .insertInto('jobs')
    .values({ ...job, created_at: now })
    .execute()
  const again = (run_at: number) => app.db.transaction().execute((trx) => dueAgain(trx, { ...key, run_at }))
  const claim = (at: number) => app.db.write(claimJob, { kind, now: at, leased_until: at + 60_000 })
  await again(now + 1_000)
  const first = await claim(now)
  if (!first) throw new Error('not claimed')
  await again(now + 2_000)
  await again(now + 3_000)
  await app.db.write(deleteJob, first)
  expect(await claim(now + 1_999)).toBeUndefined()
  const second = await claim(now + 2_000)
  if (!second) throw new Error('not claimed again')
  expect(attemptsOf(second)).toBe(1)
  await app.db.write(deleteJob, second)
  expect(await app.db.selectFrom('jobs').select('id').where('kind', '=', kind).execute()).toEqual([])
})
