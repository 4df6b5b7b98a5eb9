import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import { quotasOf } from '../db/usage.ts'
import { createItemStore } from '../items/store.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'

/** Items of each kind, all made in the same millisecond, as an import may bring them. */
const ITEMS = 500
const TIME = Date.UTC(2026, 0, 31)

let app: TestApp
let account: Account
let tag: string
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
  const pool = createWorkerPool(app.database.settings)
  const store = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(readConfig({})) })
  for (const kind of ITEM_KINDS)
    await store.createMany(
      Array.from({ length: ITEMS }, (_, at) => ({
        owner_id: account.id,
        kind,
        created_at: TIME,
        draft: {
          title: `Запись ${at}`,
          body: 'красная книга',
          url: kind === 'link' ? 'https://example.org/' : null,
          tags: ['все'],
        },
      })),
    )
  await pool.close()
  const [known] = await app.call(tags.list, { query: {} }, account.auth)
  tag = known?.id ?? ''
}, 120_000)
afterAll(() => app.close())

async function titlesOf(list: typeof notes.list | typeof links.list, query: Record<string, string>) {
  const titles: string[] = []
  for (let page = 1; ; page += 1) {
    const asked = { ...query, page: `${page}`, view: 'summary' } as const
    const { results, count } = await app.call(list, { query: asked }, account.auth)
    expect(count).toBe(ITEMS)
    titles.push(...results.map(({ title }) => title))
    if (results.length === 0) return titles
  }
}

/** In the order of lists that are not searched. */
async function allTitles(kind: ItemKind): Promise<string[]> {
  const rows = await app.db
    .selectFrom('items')
    .select('title')
    .where('owner_id', '=', account.id)
    .where('kind', '=', kind)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ title }) => title)
}

it.each([
  ['a word', 'книга', ''],
  ['words', 'красная книга', ''],
  ['a prefix', 'зап', ''],
  ['a phrase', '"красная книга"', ''],
  ['the name of a tag', 'tag:все', ''],
  ['a word within a tag', 'книга', 'все'],
  ['a phrase within a tag', '"красная книга"', 'все'],
])(
  'the pages for %s show each of many items of one time once, in their order',
  async (_, search, within) => {
    const query = { search, ...(within && { tag }) }
    expect(await titlesOf(notes.list, query)).toEqual(await allTitles('note'))
  },
  120_000,
)

it('so do the pages of links', async () => {
  expect(await titlesOf(links.list, { search: 'книга' })).toEqual(await allTitles('link'))
}, 120_000)
