import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ItemKind } from '../db/schema.ts'
import { searchIndexes } from '../search/indexes.ts'
import { TRAITS } from '../search/terms.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createItemStore } from './store.ts'
import { allInTiers, bestInTiers } from './tiers.ts'

const HOLDS_ONE = { trait: TRAITS.text('один') }
const HOLDS_TWO = { trait: TRAITS.text('два') }
const EVERY = { trait: TRAITS.every }
const TIERS = [{ all: [HOLDS_ONE, HOLDS_TWO] }, HOLDS_ONE, HOLDS_TWO, EVERY] as const
const TEXTS = ['два один', 'один', 'два', 'прочее']

/** Newest first, each with the place of its tier. In every tier there are many notes before the first link. */
const items = Array.from({ length: 240 }, (_, at) => {
  const kind: ItemKind = at > 160 ? 'link' : 'note'
  const tier = at % 5 === 0 ? 2 : at % 3 === 0 ? 1 : at % 2 === 0 ? 0 : 3
  return { kind, tier, id: '' }
})

let app: TestApp
let account: Account
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
  const store = createItemStore({ db: app.db, clock: app.now })
  for (const [at, item] of items.entries()) {
    const saved = await store.create(
      { owner_id: account.id, kind: item.kind, created_at: Date.UTC(2026, 0, 31) - at * 1000 },
      { title: 'Запись', body: TEXTS[item.tier] ?? '', url: null, tags: [] },
    )
    item.id = saved?.id ?? ''
  }
})
afterAll(() => app.close())

const index = () => searchIndexes[app.db.fullText]
const inTiers = () => ({ db: app.db, index: index(), owner_id: account.id, tiers: TIERS })

const best = (kind: ItemKind, wanted = items.length): string[] =>
  items
    .filter((item) => item.kind === kind)
    .toSorted((one, other) => one.tier - other.tier)
    .map(({ id }) => id)
    .slice(0, wanted)

it.each([
  { note: 30, link: 30 },
  { note: 2, link: 3 },
  { note: 1, link: 60 },
  { note: 100, link: 1 },
  { note: 0, link: 45 },
  { note: 20, link: 0 },
  { note: 240, link: 240 },
])('of each kind the best tiers come first, the newest of each before the others: %o', async (wanted) => {
  expect(await bestInTiers(inTiers(), wanted)).toEqual({
    note: best('note', wanted.note),
    link: best('link', wanted.link),
  })
})

it('few items are put in the same order', async () => {
  const { all = [] } = await index().survey(app.db, account.id, EVERY, items.length)
  expect(all).toMatchObject(items.map(({ id, kind }) => ({ id, kind })))
  expect(await allInTiers(inTiers(), all)).toEqual({ note: best('note'), link: best('link') })
})

it('as many as are few are named, of more no more than how many they are', async () => {
  const counts = { note: best('note').length, link: best('link').length }
  const survey = (few: number) => index().survey(app.db, account.id, EVERY, few)
  expect(await survey(items.length - 1)).toEqual({ counts, all: undefined })
  expect(await survey(items.length)).toMatchObject({ counts, all: { length: items.length } })
})
