import type { CountAndFirst, Counts } from '@kopilka/text/search/index-reader.ts'
import { inBuckets } from '@kopilka/text/search/match.ts'
import { TERMS } from '@kopilka/text/search/terms.ts'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import type { ItemKind } from '../db/schema.ts'
import { quotasOf } from '../db/usage.ts'
import { contentOf } from '../items/item.ts'
import { createItemStore } from '../items/store.ts'
import { test } from '../testing/fixtures.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { searchIndexOf } from './index.ts'
import { indexReader } from './index-reader.ts'

const it = test
  .extend(
    'countAndFirst',
    ({ app, owner }) =>
      (limit: number) =>
        searchIndexOf(app.db).countAndFirst(app.db, owner.id, EVERY, limit),
  )
  .extend(
    'ordered',
    ({ app, owner }) =>
      (indexed: CountAndFirst, wanted: Counts) =>
        inBuckets(
          { index: indexReader(app.db, owner.id) },
          { conditions: { found: EVERY, buckets: () => BUCKETS }, indexed },
          wanted,
        ),
  )

const HOLDS_ONE = { term: TERMS.text('один') }
const HOLDS_TWO = { term: TERMS.text('два') }
const EVERY = { term: TERMS.every }
const BUCKETS = [{ all: [HOLDS_ONE, HOLDS_TWO] }, HOLDS_ONE, HOLDS_TWO, EVERY] as const
const TEXTS = ['два один', 'один', 'два', 'прочее']

/** Newest first, each with the index of its bucket. Every bucket has many notes before the first link. */
const items = Array.from({ length: 240 }, (_, at) => {
  const kind: ItemKind = at > 160 ? 'link' : 'note'
  const bucket = at % 5 === 0 ? 2 : at % 3 === 0 ? 1 : at % 2 === 0 ? 0 : 3
  return { kind, bucket, id: '' }
})

it.beforeAll(async ({ app, owner }) => {
  const pool = createWorkerPool(app.database.settings)
  const store = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(readConfig({})) })
  for (const [at, item] of items.entries()) {
    const saved = await store.create(
      { owner_id: owner.id, kind: item.kind, created_at: Date.UTC(2026, 0, 31) - at * 1000 },
      { ...contentOf({ title: 'Запись', body: TEXTS[item.bucket] ?? '' }), tags: [] },
    )
    item.id = saved?.id ?? ''
  }
  await pool.close()
})

const best = (kind: ItemKind, wanted = items.length): string[] =>
  items
    .filter((item) => item.kind === kind)
    .toSorted((one, other) => one.bucket - other.bucket)
    .map(({ id }) => id)
    .slice(0, wanted)

it.for([
  { note: 30, link: 30 },
  { note: 2, link: 3 },
  { note: 1, link: 60 },
  { note: 100, link: 1 },
  { note: 0, link: 45 },
  { note: 20, link: 0 },
  { note: 240, link: 240 },
])(
  'of each kind the best buckets come first, the newest of each before the others: %o',
  async (wanted, { countAndFirst, ordered }) => {
    const { counts } = await countAndFirst(0)
    expect(await ordered({ counts, all: undefined }, wanted)).toEqual({
      note: best('note', wanted.note),
      link: best('link', wanted.link),
    })
  },
)

it('few items get the same order', async ({ countAndFirst, ordered }) => {
  const indexed = await countAndFirst(items.length)
  expect(indexed.all).toMatchObject(items.map(({ id, kind }) => ({ id, kind })))
  expect(await ordered(indexed, { note: 1, link: 1 })).toEqual({ note: best('note'), link: best('link') })
})

it('all items up to the limit are returned, beyond it only their number', async ({ countAndFirst }) => {
  const counts = { note: best('note').length, link: best('link').length }
  expect(await countAndFirst(items.length - 1)).toEqual({ counts, all: undefined })
  expect(await countAndFirst(items.length)).toMatchObject({ counts, all: { length: items.length } })
})
