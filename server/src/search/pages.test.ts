import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { expect } from 'vitest'
import { readConfig } from '../config.ts'
import { ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import { quotasOf } from '../db/usage.ts'
import { contentOf } from '../items/item.ts'
import { createItemStore } from '../items/store.ts'
import { test } from '../testing/fixtures.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'

const it = test.extend(
  'listed',
  ({ app, owner }) =>
    async (
      kind: ItemKind,
      search: string,
      more: { untagged?: '1' } = {},
    ): Promise<{ count: number; titles: string[] }> => {
      const titles: string[] = []
      for (let page = 1; ; page += 1) {
        const query = { search, ...more, page: `${page}`, view: 'summary' } as const
        const call = kind === 'note' ? notes.list : links.list
        const { results, count } = await app.call(call, { query }, owner.auth)
        titles.push(...results.map(({ title }) => title))
        if (results.length === 0) return { count, titles }
      }
    },
)

/** Number of matching notes, and of links: values around the limits at which a search changes its method. */
const TOTALS = [29, 30, 31, 99, 100, 101, 200, 201]
const wordOf = (total: number): string => `слово${total}`
/** Titles, newest first: one in three has the word. */
const titleOf = (at: number, total: number): string =>
  at % 3 === 0 ? `Про ${wordOf(total)}: ${at}` : `Запись ${at}`

/** Bodies: in every other one the two words are further apart. */
const bodyOf = (at: number, total: number): string =>
  at % 2 === 0 ? `${wordOf(total)} здесь ещё тут` : `здесь ещё ${wordOf(total)} тут`

/** Numbers of notes that match, one in three of which has no tag: fewer, and more, than are sorted one by one. */
const PARTLY_TAGGED = [240, 620]
const isTagged = (at: number): boolean => at % 9 > 2

it.beforeAll(async ({ app, owner }) => {
  const pool = createWorkerPool(app.database.settings)
  const store = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(readConfig({})) })
  for (const total of [...TOTALS, ...PARTLY_TAGGED])
    for (const kind of PARTLY_TAGGED.includes(total) ? (['note'] as const) : ITEM_KINDS)
      await store.createMany(
        upTo(total).map((at) => ({
          owner_id: owner.id,
          kind,
          created_at: Date.UTC(2026, 0, 31) - at * 1000,
          draft: {
            ...contentOf({
              title: titleOf(at, total),
              body: bodyOf(at, total),
              url: kind === 'link' ? 'https://example.org/' : null,
            }),
            tags: PARTLY_TAGGED.includes(total) && isTagged(at) ? ['метка'] : [],
          },
        })),
      )
  await pool.close()
}, 60_000)

const upTo = (total: number): number[] => Array.from({ length: total }, (_, at) => at)

it.for(TOTALS)(
  'each of %i matches is shown once, those with the word in the title first',
  async (total, { listed }) => {
    const inTitle = upTo(total).filter((at) => at % 3 === 0)
    const inText = upTo(total).filter((at) => at % 3 !== 0)
    const titles = [...inTitle, ...inText].map((at) => titleOf(at, total))
    for (const kind of ITEM_KINDS) expect(await listed(kind, wordOf(total))).toEqual({ count: total, titles })
  },
)

it.for(TOTALS)(
  'each of %i matches is shown once where their texts tell the order',
  async (total, { listed }) => {
    const titles = upTo(total).map((at) => titleOf(at, total))
    for (const kind of ITEM_KINDS) {
      const found = await listed(kind, `тут ${wordOf(total)}`)
      expect(found.count).toBe(total)
      expect(found.titles.toSorted()).toEqual(titles.toSorted())
    }
  },
)

it.for(PARTLY_TAGGED)(
  'of %i matches each without a tag is shown once, those with the word in the title first',
  async (total, { listed }) => {
    const untagged = upTo(total).filter((at) => !isTagged(at))
    const inTitle = untagged.filter((at) => at % 3 === 0)
    const inText = untagged.filter((at) => at % 3 !== 0)
    const titles = [...inTitle, ...inText].map((at) => titleOf(at, total))
    expect(await listed('note', wordOf(total), { untagged: '1' })).toEqual({ count: titles.length, titles })
  },
)
