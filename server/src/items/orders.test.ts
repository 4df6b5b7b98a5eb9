import type { Sort } from '@kopilka/contract/items.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { readConfig } from '../config.ts'
import { ITEM_KINDS, type ItemKind } from '../db/schema.ts'
import { quotasOf } from '../db/usage.ts'
import type { TestApp } from '../testing/create-test-app.ts'
import { test as it } from '../testing/fixtures.ts'
import { type Account, newAccount } from '../testing/new-account.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { contentOf } from './item.ts'
import { createItemStore } from './store.ts'

const CALLS = { note: notes, link: links }
const SORTS = [undefined, 'created', 'updated', 'title'] as const

const alphabetical = new Intl.Collator('ru', { sensitivity: 'base', numeric: true })
const byText = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

interface Known {
  id: string
  kind: ItemKind
  title: string
  body: string
  created_at: number
  updated_at: number
  pinned: number
  tag_id: string | null
}

const COMPARE: Readonly<Record<Sort, (one: Known, other: Known) => number>> = {
  created: (one, other) => other.created_at - one.created_at || byText(other.id, one.id),
  updated: (one, other) => other.updated_at - one.updated_at || byText(other.id, one.id),
  title: (one, other) => alphabetical.compare(one.title, other.title) || byText(one.id, other.id),
}

/** Few different values, so that many items are equal in them. */
const item = fc.record({
  title: fc
    .string({ unit: fc.constantFrom(...'еёжзЕЁЖЗaBz 0123456789'), maxLength: 4 })
    .map((rest) => `Я${rest}`.trim()),
  created_at: fc.integer({ min: 1, max: 20 }),
  updated_at: fc.integer({ min: 21, max: 40 }),
  pinned: fc.boolean(),
  tags: fc.constantFrom([], ['первый'], ['второй']),
  body: fc.constantFrom('корабль', 'берег'),
  kind: fc.constantFrom(...ITEM_KINDS),
})

/** Creates random items, and reads what they are. */
async function fill(app: TestApp, { id: owner_id }: Account): Promise<Known[]> {
  const pool = createWorkerPool(app.database.settings)
  const store = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(readConfig({})) })
  const items = fc.sample(item, { numRuns: 300, seed: 7 })
  await store.createMany(
    items.map(({ kind, created_at, updated_at: _, tags, pinned, ...texts }) => ({
      owner_id,
      kind,
      created_at,
      draft: {
        ...contentOf({ ...texts, url: kind === 'link' ? 'https://example.org/' : null }),
        tags,
        pinned,
      },
    })),
  )
  await pool.close()
  const ids = await app.db.selectFrom('items').select('id').where('owner_id', '=', owner_id).execute()
  for (const [at, { id }] of ids.entries())
    await app.db
      .updateTable('items')
      .set({ updated_at: items[at]?.updated_at ?? 0 })
      .where('owner_id', '=', owner_id)
      .where('id', '=', id)
      .execute()
  return app.db
    .selectFrom('items')
    .leftJoin('item_tags', (join) =>
      join.onRef('item_tags.owner_id', '=', 'items.owner_id').onRef('item_tags.item_id', '=', 'items.id'),
    )
    .select(['id', 'items.kind', 'title', 'body', 'created_at', 'updated_at', 'pinned', 'tag_id'])
    .where('items.owner_id', '=', owner_id)
    .execute()
}

/** All pages of a list, one after the other. */
async function listed(app: TestApp, { auth }: Account, kind: ItemKind, query: Record<string, string>) {
  const ids: string[] = []
  for (let page = 1; ; page += 1) {
    const asked = { ...query, view: 'summary', page: `${page}` } as const
    const { results, count } = await app.call(CALLS[kind].list, { query: asked }, auth)
    if (results.length === 0) return { count, ids }
    expect(results).toHaveLength(Math.min(15, count - ids.length))
    ids.push(...results.map(({ id }) => id))
  }
}

describe('lists in an order', () => {
  it('show every item once, pinned ones first, with every filter', { timeout: 120_000 }, async ({
    app,
    account,
  }) => {
    const known = await fill(app, account)
    await fill(app, await newAccount(app))
    const [tag_id] = known.flatMap((one) => one.tag_id ?? [])
    if (tag_id === undefined) throw new Error('No item has a tag.')
    for (const kind of ITEM_KINDS)
      for (const sort of SORTS)
        for (const tag of [undefined, tag_id])
          for (const untagged of [false, true]) {
            const expected = known
              .filter((one) => one.kind === kind)
              .filter((one) => tag === undefined || one.tag_id === tag)
              .filter((one) => !untagged || one.tag_id === null)
              .toSorted((one, other) => other.pinned - one.pinned || COMPARE[sort ?? 'created'](one, other))
            const query = {
              ...(sort && { sort }),
              ...(tag !== undefined && { tag }),
              ...(untagged && { untagged: '1' }),
            }
            expect(await listed(app, account, kind, query), JSON.stringify(query)).toEqual({
              count: expected.length,
              ids: expected.map(({ id }) => id),
            })
          }
  })

  it('put what a search finds into that order, pinned items among the others', { timeout: 120_000 }, async ({
    app,
    account,
  }) => {
    const known = await fill(app, account)
    const [tag_id] = known.flatMap((one) => one.tag_id ?? [])
    if (tag_id === undefined) throw new Error('No item has a tag.')
    for (const kind of ITEM_KINDS)
      for (const search of ['корабли', '"корабль"'])
        for (const filter of [{}, { tag: tag_id }, { untagged: '1' }]) {
          const expected = known
            .filter((one) => one.kind === kind && one.body.includes('корабль'))
            .filter((one) => !('tag' in filter) || one.tag_id === filter.tag)
            .filter((one) => !('untagged' in filter) || one.tag_id === null)
          expect(expected.length).toBeGreaterThan(15)
          for (const sort of SORTS) {
            const query = { search, ...filter, ...(sort && { sort }) }
            const { count, ids } = await listed(app, account, kind, query)
            const inOrder = sort ? expected.toSorted(COMPARE[sort]).map(({ id }) => id) : ids
            expect([count, ids], JSON.stringify(query)).toEqual([expected.length, inOrder])
            expect(new Set(ids)).toEqual(new Set(expected.map(({ id }) => id)))
          }
        }
  })

  it.for(['sort=newest', 'sort=', 'untagged=0', 'untagged='])(
    'refuse ?%s',
    async (query, { app, account }) => {
      const reply = await app.send('GET', `/api/v1/notes/?${query}`, undefined, account.auth)
      expect(reply.status).toBe(400)
    },
  )
})

describe('a pin', () => {
  it('is off until it is set, stays through a PUT without it, and leads everywhere but in a search', async ({
    app,
    account: { auth },
  }) => {
    const note = (title: string) =>
      app.call(notes.create, { body: { title, content: 'слово', tags: ['общий'] } }, auth)
    const old = await note('старая')
    await note('новая')
    expect(old.pinned).toBe(false)
    const params = { id: old.id }
    const put = (body: object) =>
      app.call(notes.update, { params, body: { title: 'старая', content: 'слово', ...body } }, auth)
    expect(await put({ pinned: true })).toMatchObject({ pinned: true, tags: old.tags })
    expect((await put({})).pinned).toBe(true)
    expect((await app.call(notes.read, { params }, auth)).pinned).toBe(true)

    const titles = (list: readonly { title: string }[]) => list.map(({ title }) => title)
    const pinnedFirst = ['старая', 'новая']
    expect(titles((await app.call(latest, { query: {} }, auth)).notes)).toEqual(pinnedFirst)
    expect(titles((await app.call(notes.list, { query: {} }, auth)).results)).toEqual(pinnedFirst)
    const tag = { id: old.tags[0]?.id ?? '' }
    expect(titles((await app.call(tags.items, { params: tag, query: {} }, auth)).notes)).toEqual(pinnedFirst)
    const search = { search: 'слово' }
    const found = await app.call(notes.list, { query: search }, auth)
    expect(titles(found.results)).toEqual(['новая', 'старая'])
    expect(found.results.map(({ pinned }) => pinned)).toEqual([false, true])

    expect((await put({ pinned: false })).pinned).toBe(false)
    expect(titles((await app.call(latest, { query: {} }, auth)).notes)).toEqual(['новая', 'старая'])
  })

  it('is set by the POST that creates, and refused where it is no boolean', async ({
    app,
    account: { auth },
  }) => {
    const link = { title: 'ссылка', url: 'https://example.org/', description: 'слово' }
    const made = await app.call(links.create, { body: { ...link, pinned: true } }, auth)
    expect(made.pinned).toBe(true)
    const reply = await app.request(links.create, { body: { ...link, pinned: 1 } as never }, auth)
    expect([reply.status, Object.keys(reply.body)]).toEqual([400, expect.arrayContaining(['pinned'])])
  })
})
