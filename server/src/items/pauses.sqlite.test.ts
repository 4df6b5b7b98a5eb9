import { afterAll, beforeAll, expect, it } from 'vitest'
import { searchIndexes } from '../search/indexes.ts'
import { TRAITS } from '../search/terms.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { bestInTiers } from './tiers.ts'

let app: TestApp
let account: Account
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
})
afterAll(() => app.close())

/** How often others got their turn since. */
function countTurns() {
  let turns = 0
  const tick = (): void => {
    turns += 1
    next = setImmediate(tick)
  }
  let next = setImmediate(tick)
  return { count: () => turns, stop: () => clearImmediate(next) }
}

it('others get their turn between the tiers of a search that takes long', async () => {
  const turns = countTurns()
  const index = searchIndexes[app.db.fullText]
  const slow: typeof index = {
    ...index,
    find(...asked) {
      const begun = performance.now()
      while (performance.now() - begun < 20);
      return index.find(...asked)
    },
  }
  const tiers = [{ trait: TRAITS.none }, { trait: TRAITS.none }, { trait: TRAITS.none }]
  await bestInTiers({ db: app.db, index: slow, owner_id: account.id, tiers }, { note: 1, link: 1 })
  turns.stop()
  expect(turns.count()).toBeGreaterThan(0)
})
