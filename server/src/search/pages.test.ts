import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { readConfig } from '../config.ts'
import { ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import { quotasOf } from '../db/usage.ts'
import { createItemStore } from '../items/store.ts'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'

/** How many notes match, and as many links: about the numbers from which on a search goes another way. */
const TOTALS = [29, 30, 31, 99, 100, 101, 200, 201]
const wordOf = (total: number): string => `слово${total}`
/** Newest first; one in three holds the word in its title. */
const titleOf = (at: number, total: number): string =>
  at % 3 === 0 ? `Про ${wordOf(total)}: ${at}` : `Запись ${at}`

/** In every other text the two words stand further apart. */
const bodyOf = (at: number, total: number): string =>
  at % 2 === 0 ? `${wordOf(total)} здесь ещё тут` : `здесь ещё ${wordOf(total)} тут`

let app: TestApp
let account: Account
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
  const pool = createWorkerPool(app.database.settings)
  const store = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(readConfig({})) })
  for (const total of TOTALS)
    for (const kind of ITEM_KINDS)
      await store.createMany(
        upTo(total).map((at) => ({
          owner_id: account.id,
          kind,
          created_at: Date.UTC(2026, 0, 31) - at * 1000,
          draft: {
            title: titleOf(at, total),
            body: bodyOf(at, total),
            url: kind === 'link' ? 'https://example.org/' : null,
            tags: [],
          },
        })),
      )
  await pool.close()
})
afterAll(() => app.close())

async function listed(kind: ItemKind, search: string): Promise<{ count: number; titles: string[] }> {
  const titles: string[] = []
  for (let page = 1; ; page += 1) {
    const query = { search, page: `${page}`, view: 'summary' } as const
    const call = kind === 'note' ? notes.list : links.list
    const { results, count } = await app.call(call, { query }, account.auth)
    titles.push(...results.map(({ title }) => title))
    if (results.length === 0) return { count, titles }
  }
}

const upTo = (total: number): number[] => Array.from({ length: total }, (_, at) => at)

it.each(TOTALS)('each of %i matches is shown once, those with the word in the title first', async (total) => {
  const inTitle = upTo(total).filter((at) => at % 3 === 0)
  const inText = upTo(total).filter((at) => at % 3 !== 0)
  const titles = [...inTitle, ...inText].map((at) => titleOf(at, total))
  for (const kind of ITEM_KINDS) expect(await listed(kind, wordOf(total))).toEqual({ count: total, titles })
})

it.each(TOTALS)('each of %i matches is shown once where their texts tell the order', async (total) => {
  const titles = upTo(total).map((at) => titleOf(at, total))
  for (const kind of ITEM_KINDS) {
    const found = await listed(kind, `тут ${wordOf(total)}`)
    expect(found.count).toBe(total)
    expect(found.titles.toSorted()).toEqual(titles.toSorted())
  }
})
