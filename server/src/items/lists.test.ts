import { expect } from 'vitest'
import { createWorkerPool } from '../search/worker-pool.ts'
import { createTagStore } from '../tags/store.ts'
import { test as it } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { createItemLists } from './lists.ts'

it('does not queue an owner behind all searches of another', async ({ app, account, onTestFinished }) => {
  const pool = createWorkerPool({ config: app.database.settings })
  onTestFinished(() => pool.close())
  const lists = createItemLists({ db: app.db, tags: createTagStore(app.db), pool })
  const other = await newAccount(app)
  const done: string[] = []
  const search = async (owner_id: string) => {
    await lists.summaries({ owner_id, kinds: ['note'], search: 'книга', limit: 10 })
    done.push(owner_id)
  }
  await Promise.all([...Array.from({ length: 30 }, () => search(account.id)), search(other.id)])
  expect(done.indexOf(other.id)).toBeLessThan(10)
})
