import { afterAll, beforeAll, expect, it } from 'vitest'
import { searchIndexes } from '../search/indexes.ts'
import { createTagStore } from '../tags/store.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createItemStore } from './store.ts'

let app: TestApp
let account: Account
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
})
afterAll(() => app.close())

it('others get their turn between the statements that put a long text into the index', async () => {
  let turns = 0
  const tick = (): void => {
    turns += 1
    next = setImmediate(tick)
  }
  let next = setImmediate(tick)
  const index = searchIndexes[app.db.fullText]
  let during = 0
  const watched: typeof index = {
    ...index,
    async put(...asked) {
      const before = turns
      await index.put(...asked)
      during = turns - before
    },
  }
  const parts = { db: app.db, index: watched, tags: createTagStore(app.db, app.now), clock: app.now }
  const body = Array.from({ length: 80_000 }, (_, at) => `я${at.toString(36)}ё`).join(' ')
  await createItemStore(parts).create(
    { owner_id: account.id, kind: 'note' },
    { title: 'Длинная', body, url: null, tags: [] },
  )
  clearImmediate(next)
  expect(during).toBeGreaterThan(0)
})
