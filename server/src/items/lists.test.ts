import { expect } from 'vitest'
import { createTagStore } from '../tags/store.ts'
import { test as it } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { createItemLists } from './lists.ts'

it('does not queue an owner behind all searches of another', async ({ app, account, onTestFinished }) => {
  const pool = createWorkerPool(app.database.settings)
  onTestFinished(() => pool.close())
  const lists = createItemLists({ db: app.db, tags: createTagStore({ db: app.db, clock: app.now }), pool })
  const other = await newAccount(app)
  const done: string[] = []
  const search = async (owner_id: string) => {
    await lists.summaries({ owner_id, kinds: ['note'], search: 'книга', limit: 10 })
    done.push(owner_id)
  }
  // The threads start: in that time two of them may do all searches.
  await Promise.all([search(account.id), search(account.id), search(other.id)])
  done.length = 0
  await Promise.all([...Array.from({ length: 30 }, () => search(account.id)), search(other.id)])
  expect(done.indexOf(other.id)).toBeLessThan(10)
})

it('gives up the searches for which nobody waits any more', async ({ app, account, onTestFinished }) => {
  const pool = createWorkerPool(app.database.settings)
  onTestFinished(() => pool.close())
  const lists = createItemLists({ db: app.db, tags: createTagStore({ db: app.db, clock: app.now }), pool })
  const gone = new AbortController()
  const wanted = { owner_id: account.id, kinds: ['note'] as const, search: 'книга', limit: 10 }
  const searches = Array.from({ length: 30 }, () => lists.summaries({ ...wanted, signal: gone.signal }))
  const next = lists.summaries(wanted)
  gone.abort(new Error('gone'))
  const outcomes = await Promise.allSettled(searches)
  // Two had begun, and ended before their threads did.
  expect(outcomes.filter(({ status }) => status === 'rejected').length).toBeGreaterThanOrEqual(28)
  expect((await next).items.note).toEqual([])
})
