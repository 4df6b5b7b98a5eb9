import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { TERMS } from '@kopilka/text/search/terms.ts'
import { stemOf } from '@kopilka/text/stems.ts'
import { expect, vi } from 'vitest'
import { readConfig } from '../config.ts'
import { openReader } from '../db/open.ts'
import type { ItemKind } from '../db/schema.ts'
import { quotasOf } from '../db/usage.ts'
import { contentOf } from '../items/item.ts'
import { createItemStore } from '../items/store.ts'
import { test as it } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { createWorkerPool } from '../threads/worker-pool.ts'
import { frequenciesOf } from './index.ts'
import { search as searchItems } from './search.ts'

/** More than are compared one by one: of common words the newest items are taken. */
const LINKS = 2_050
const [NOTES, UNTAGGED] = [5, 3]
const TIME = Date.UTC(2026, 0, 31)
/** As many as are asked for together. In the links alone. */
const FRUIT = 'вишня слива груша айва персик алыча'

it.beforeAll(async ({ app, owner }) => {
  const pool = createWorkerPool(app.database.settings)
  const store = createItemStore({ db: app.db, clock: app.now, pool, quotas: quotasOf(readConfig({})) })
  const save = (kind: ItemKind, count: number, before: number, tags: string[]) =>
    store.createMany(
      Array.from({ length: count }, (_, at) => ({
        owner_id: owner.id,
        kind,
        created_at: TIME - before - at,
        draft: {
          ...contentOf({
            title: `Запись ${at}`,
            body: kind === 'link' ? `красная книга ${FRUIT}` : 'красная книга',
            url: kind === 'link' ? 'https://example.org/' : null,
          }),
          tags,
        },
      })),
    )
  await save('link', LINKS, 0, ['все'])
  await save('link', UNTAGGED, LINKS, [])
  await save('note', NOTES, LINKS, [])
  await pool.close()
}, 60_000)

it('a partial search by common words finds items of each kind, however many newer ones of the other have them', async ({
  app,
  owner,
}) => {
  const query = { search: 'красная книга зверей', view: 'summary' } as const
  const listed = await app.call(notes.list, { query }, owner.auth)
  expect([listed.partial, listed.count]).toEqual([true, NOTES])
  const found = await app.call(search, { query }, owner.auth)
  expect([found.partial, found.notes_count, found.urllinks_count]).toEqual([true, NOTES, 40])
  expect(found.urllinks.map(({ title }) => title)).toEqual(
    Array.from({ length: 20 }, (_, at) => `Запись ${at}`),
  )
})

it('a partial search by common words finds items without tags, however many newer ones have some', async ({
  app,
  owner,
}) => {
  const query = { search: 'красная книга зверей', untagged: '1', view: 'summary' } as const
  const { count, partial } = await app.call(links.list, { query }, owner.auth)
  expect([partial, count]).toEqual([true, UNTAGGED])
})

it('a partial search for items without tags takes no more from the database than it ranks', async ({
  app,
  owner,
  onTestFinished,
}) => {
  const limits: number[] = []
  const db = openReader(app.database.settings, ({ sql, parameters }) => {
    if (!sql.includes('search_words') || !sql.includes('item_tags')) return
    limits.push(...parameters.filter((value) => typeof value === 'number'))
  })
  onTestFinished(() => db.destroy())
  const { counts, partial } = await searchItems(db, {
    ...{ owner_id: owner.id, text: 'красная книга зверей', exact: false, untagged: true },
    ...{ kinds: ['note', 'link'], limit: 10, offset: 0 },
  })
  expect([counts, partial]).toEqual([{ note: NOTES, link: UNTAGGED }, true])
  expect(limits.length).toBeGreaterThan(0)
  expect(Math.max(...limits)).toBeLessThan(400)
})

it.for([
  // No item has it: those that are ranked are read.
  ['-"нет такого"', 40, NOTES + 40, NOTES + 100],
  // All items have it: the best are read.
  ['-"красная книга"', 0, 2_000, 2_200],
  // No item has it, and too many have its words.
  ['"книга красная"', 0, 2_000, 2_200],
] as const)(
  'a partial search reads a limited number of items for phrases: %s',
  async ([excluded, link, least, most], { app, owner, onTestFinished }) => {
    let read = 0
    const db = openReader(app.database.settings, ({ sql, parameters }) => {
      if (!sql.includes('octet_length')) return
      for (const value of parameters) {
        if (Array.isArray(value)) read += value.length
        else if (/^\[/.test(String(value))) read += JSON.parse(String(value)).length
      }
    })
    onTestFinished(() => db.destroy())
    const { counts, partial } = await searchItems(db, {
      ...{ owner_id: owner.id, text: `красная книга зверей ${excluded}`, exact: false },
      ...{ kinds: ['note', 'link'], limit: 10, offset: 0 },
    })
    const expected = link > 0 ? [{ note: NOTES, link }, true] : [{ note: 0, link }, undefined]
    expect([counts, partial]).toEqual(expected)
    expect(read).toBeGreaterThanOrEqual(least)
    expect(read).toBeLessThan(most)
  },
)

it('a partial search by common words finds an item with any two of them where its kind has no others', async ({
  app,
  owner,
}) => {
  const body = { title: 'Сад', content: 'груша, айва', tags: [] }
  const { id } = await app.call(notes.create, { body }, owner.auth)
  const titlesOf = async (text: string) => {
    const query = { search: text, view: 'summary' } as const
    return (await app.call(notes.list, { query }, owner.auth)).results.map(({ title }) => title)
  }
  expect(await titlesOf(`${FRUIT} кочерга`)).toEqual(['Сад'])
  const rare = { title: 'Утконос', url: 'https://example.org/', description: 'яйцо', tags: [] }
  await app.call(links.create, { body: rare }, owner.auth)
  expect(await titlesOf('утконос вишня слива груша айва')).toEqual(['Сад'])
  await app.call(notes.remove, { params: { id } }, owner.auth)
})

it('a partial search by common words finds items with all but one of them before newer ones with fewer', async ({
  app,
  owner,
}) => {
  const fruit = FRUIT.split(' ')
  const save = async (content: string) => {
    const body = { title: 'Варенье', content, tags: [] }
    return (await app.call(notes.create, { body }, owner.auth)).id
  }
  const most: string[] = []
  for (const without of fruit) most.push(await save(fruit.filter((word) => word !== without).join(' ')))
  app.advance(1_000)
  const others: string[] = []
  // More than a partial search ranks.
  for (let at = 0; at < 45; at += 1) others.push(await save(fruit[at % 2] ?? ''))
  const query = { search: `${FRUIT} кочерга`, view: 'summary' } as const
  const { results, partial } = await app.call(notes.list, { query }, owner.auth)
  expect(partial).toBe(true)
  expect(
    results
      .slice(0, fruit.length)
      .map(({ id }) => id)
      .toSorted(),
  ).toEqual(most.toSorted())
  for (const id of [...most, ...others]) await app.call(notes.remove, { params: { id } }, owner.auth)
})

it('a common word is counted once, until items are deleted, for a minute, and for its owner', async ({
  app,
  owner,
  onTestFinished,
}) => {
  let counted = 0
  const db = openReader(app.database.settings, ({ sql }) => {
    counted += Number(sql.includes('search_words'))
  })
  onTestFinished(() => db.destroy())
  const [common, rare] = [{ term: TERMS.text(stemOf('красная')) }, { term: TERMS.text('нет') }]
  expect(await frequenciesOf(db, owner.id, [common, rare], 1_000)).toEqual([1_000, 0])
  const before = counted
  expect(await frequenciesOf(db, owner.id, [common], 300)).toEqual([300])
  expect(counted).toBe(before)
  expect(await frequenciesOf(db, owner.id, [common, rare], 2_000)).toEqual([2_000, 0])
  expect(counted).toBeGreaterThan(before)
  const { results } = await app.call(notes.list, { query: { view: 'summary' } }, owner.auth)
  await app.call(notes.remove, { params: { id: results[0]?.id ?? '' } }, owner.auth)
  const again = counted
  expect(await frequenciesOf(db, owner.id, [common], 300)).toEqual([300])
  expect(counted).toBeGreaterThan(again)
  const other = await newAccount(app)
  expect(await frequenciesOf(db, other.id, [common], 300)).toEqual([0])
  const later = performance.now() + 60_000
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => later)
  onTestFinished(() => clock.mockRestore())
  const remembered = counted
  expect(await frequenciesOf(db, owner.id, [common], 300)).toEqual([300])
  expect(counted).toBeGreaterThan(remembered)
})
