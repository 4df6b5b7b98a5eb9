import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import { quotasOf } from '../db/usage.ts'
import { contentOf } from '../items/item.ts'
import { createItemStore } from '../items/store.ts'
import { test } from '../testing/fixtures.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'

const it = test
  .extend(
    'titlesOf',
    ({ app, owner }) =>
      async (list: typeof notes.list | typeof links.list, query: Record<string, string>) => {
        const titles: string[] = []
        for (let page = 1; ; page += 1) {
          const asked = { ...query, page: `${page}`, view: 'summary' } as const
          const { results, count } = await app.call(list, { query: asked }, owner.auth)
          expect(count).toBe(ITEMS)
          titles.push(...results.map(({ title }) => title))
          if (results.length === 0) return titles
        }
      },
  )
  /** All titles of a kind in the order of a list without a search. */
  .extend('allTitles', ({ app, owner }) => async (kind: ItemKind): Promise<string[]> => {
    const rows = await app.db
      .selectFrom('items')
      .select('title')
      .where('owner_id', '=', owner.id)
      .where('kind', '=', kind)
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .execute()
    return rows.map(({ title }) => title)
  })

/** Number of items of each kind, all created in the same millisecond, as after an import. */
const ITEMS = 500
const TIME = Date.UTC(2026, 0, 31)

let tag: string
it.beforeAll(async ({ app, owner }) => {
  const pool = createWorkerPool(app.database.settings)
  const store = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(readConfig({})) })
  for (const kind of ITEM_KINDS)
    await store.createMany(
      Array.from({ length: ITEMS }, (_, at) => ({
        owner_id: owner.id,
        kind,
        created_at: TIME,
        draft: {
          ...contentOf({
            title: `Запись ${at}`,
            body: 'красная книга',
            url: kind === 'link' ? 'https://example.org/' : null,
          }),
          tags: ['все'],
        },
      })),
    )
  await pool.close()
  const [known] = await app.call(tags.list, { query: {} }, owner.auth)
  tag = known?.id ?? ''
}, 120_000)

it.for([
  ['a word', 'книга', ''],
  ['words', 'красная книга', ''],
  ['a prefix', 'зап', ''],
  ['a phrase', '"красная книга"', ''],
  ['the name of a tag', 'tag:все', ''],
  ['a word within a tag', 'книга', 'все'],
  ['a phrase within a tag', '"красная книга"', 'все'],
] as const)(
  'the pages for %s show each of many items of one time once, in their order',
  { timeout: 120_000 },
  async ([_, search, within], { titlesOf, allTitles }) => {
    const query = { search, ...(within && { tag }) }
    expect(await titlesOf(notes.list, query)).toEqual(await allTitles('note'))
  },
)

it('the pages of links show each of them once as well', async ({ titlesOf, allTitles }) => {
  expect(await titlesOf(links.list, { search: 'книга' })).toEqual(await allTitles('link'))
}, 120_000)

it('keep the order of the lists in a partial search', async ({ app, owner, allTitles }) => {
  for (const [kind, list] of [
    ['note', notes.list],
    ['link', links.list],
  ] as const) {
    const titles: string[] = []
    for (const page of ['1', '2', '3']) {
      const query = { search: 'красная книга зверей', page, view: 'summary' } as const
      const { results, partial } = await app.call(list, { query }, owner.auth)
      expect(partial).toBe(true)
      titles.push(...results.map(({ title }) => title))
    }
    expect(titles.length).toBeGreaterThan(30)
    expect(titles).toEqual((await allTitles(kind)).slice(0, titles.length))
  }
})
