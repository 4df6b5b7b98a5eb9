import { beforeAll, expect, test } from 'vitest'
import type { Endpoint } from '../../contract/src/endpoint.ts'
import { links } from '../../contract/src/links.ts'
import { notes } from '../../contract/src/notes.ts'
import { latest, search } from '../../contract/src/search.ts'
import { tags } from '../../contract/src/tags.ts'
import { createTestApp, type TestApp } from '../../server/src/testing/create-test-app.ts'
import { type Account, newAccount } from '../../server/src/testing/new-account.ts'
import { createRandom } from '../../server/src/testing/random.ts'
import { CallFailure } from '../../web/src/api/failure.ts'
import { type Copy, isServedFromCopy, responseFromCopy } from '../../web/src/offline/responses.ts'
import { finderWith, searchedKind } from '../../web/src/offline/search/finder.ts'
import { createSearchEngine } from '../../web/src/offline/search/search-engine.ts'
import { MemoryCopy } from './memory-outbox.ts'

/* The server and a copy of the account are asked the same, and respond the same. */

const TITLES = [
  'Ёж',
  'еж',
  'Елка',
  'ёлка',
  '10 дней',
  '9 дней',
  '  пробел',
  'Zebra',
  'апрель',
  '🦔 ёж',
  '',
  'Ä',
  '«Ц»',
]
const NAMES = ['Работа', 'ёлка', 'Елка 2', 'дом', 'Лес', '№ 10', '№ 9', 'house', '🦔', '_а']

let app: TestApp
let account: Account
let copy: Copy

beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
  const { auth } = account
  const random = createRandom(20_261_124)
  const bodyOf = (at: number) => ({
    title: `${random.pick(TITLES)} ${random.chance(0.3) ? '' : at}`.trim() || 'Без названия',
    tags: random.sample(NAMES, random.between(0, 4)),
    pinned: random.chance(0.1),
  })
  const text = () =>
    `<h1>Начало</h1><p>${'слово &amp; <b>ещё</b> '.repeat(random.between(0, 20))}</p><ul data-type="taskList"><li data-checked="true"><p>дело</p></li></ul>`
  const made: { id: string; call: typeof notes | typeof links }[] = []
  for (let at = 0; at < 90; at += 2) {
    // At once: some are created in one millisecond.
    const note = app.call(notes.create, { body: { ...bodyOf(at), content: text() } }, auth)
    const url = `https://${random.chance(0.5) ? 'www.' : ''}example.org/${random.between(1, 12)}?utm_source=${at}`
    const link = app.call(links.create, { body: { ...bodyOf(at), url, description: text() } }, auth)
    made.push({ id: (await note).id, call: notes }, { id: (await link).id, call: links })
  }
  for (const { id, call } of random.sample(made, 12)) {
    if (random.chance(0.3)) await app.call(call.remove, { params: { id } }, auth)
    else if (call === notes)
      await app.call(notes.update, { params: { id }, body: { ...bodyOf(1000), content: text() } }, auth)
  }
  const [tag, renamed] = await app.call(tags.list, { query: {} }, auth)
  await app.call(tags.remove, { params: { id: tag?.id ?? '' } }, auth)
  await app.call(tags.update, { params: { id: renamed?.id ?? '' }, body: { name: 'Яма' } }, auth)
  const memory = new MemoryCopy()
  await memory.follow(app, account)
  copy = memory.read()
  return () => app.close()
})

/** Searches the copy without a worker; the index is made at the first search. */
const finder = finderWith(
  createSearchEngine({
    items: async (ids) => {
      const found = ids.flatMap((id) => copy.items.get(id) ?? [])
      const texts = await copy.textsOf(ids)
      return found.map((item) => ({
        ...item,
        kind: searchedKind(item.kind),
        text: texts.get(item.id) ?? '',
      }))
    },
    tags: async () => Array.from(copy.tags, ([id, name]) => ({ id, name })),
    changes: async (since) =>
      since === undefined ? { ids: [...copy.items.keys()], last: 1, index: 'none' } : { ids: [], last: 1 },
    keep: async () => {},
  }),
)

/** Asks both, and expects the same of both. */
async function compare(
  endpoint: Endpoint,
  request: { params?: Record<string, string>; query?: Record<string, string> },
) {
  expect(isServedFromCopy(endpoint)).toBe(true)
  const server = await app.request(endpoint, request, account.auth)
  const what = `${endpoint.path} ${JSON.stringify(request)}`
  if (server.status !== 200) {
    const failing = responseFromCopy(copy, endpoint, request, finder)
    const failure = await failing.then(
      () => undefined,
      (failure) => failure,
    )
    expect(failure, what).toBeInstanceOf(CallFailure)
    expect(failure.status, what).toBe(server.status)
    return
  }
  const own = await responseFromCopy(copy, endpoint, request, finder)
  expect(own?.value, what).toEqual(server.body)
  if (endpoint.sendsEtag) expect(own?.etag).toBe(server.headers.get('etag'))
}

test('lists of both kinds, in every order, with every filter, page by page', async () => {
  const all = await app.call(tags.list, { query: {} }, account.auth)
  const ids = all.map(({ id }) => id)
  for (const call of [notes.list, links.list])
    for (const sort of [undefined, 'created', 'updated', 'title'])
      for (const filter of [
        {},
        { untagged: '1' },
        ...ids.map((tag) => ({ tag })),
        { tag: ids[0] ?? '', untagged: '1' },
      ])
        for (const page of [undefined, '2', '3', '900'])
          for (const view of page === '2' ? [undefined, 'summary'] : ['summary'])
            await compare(call, {
              query: { ...filter, ...(sort && { sort }), ...(page && { page }), ...(view && { view }) },
            })
}, 120_000)

test('a page that is none, and a tag that is none', async () => {
  await compare(notes.list, { query: { page: '0' } })
  await compare(notes.list, { query: { sort: 'size' } })
  await compare(links.list, { query: { tag: 'x' } })
  await compare(links.list, { query: { tag: account.id } })
})

test('the first of each kind, with and without an empty search', async () => {
  for (const query of [{}, { view: 'summary' }]) {
    await compare(latest, { query })
    await compare(search, { query })
  }
})

test('items and their versions, and those that are not there', async () => {
  for (const { id, kind } of copy.items.values()) {
    await compare(notes.read, { params: { id } })
    await compare(links.read, { params: { id } })
    expect(kind).toMatch(/note|urllink/)
  }
  await compare(notes.read, { params: { id: account.id } })
})

test('tags with their counts, in their order, as far as they are asked for', async () => {
  for (const query of [
    {},
    { limit: '3' },
    { search: 'ЕЛК' },
    { search: 'ё' },
    { search: 'нет такого' },
    { limit: '0' },
  ])
    await compare(tags.list, { query })
  for (const id of copy.tags.keys()) {
    await compare(tags.read, { params: { id } })
    await compare(tags.items, { params: { id }, query: { view: 'summary' } })
    await compare(tags.items, { params: { id }, query: {} })
  }
  await compare(tags.read, { params: { id: account.id } })
  await compare(tags.items, { params: { id: account.id } })
})

test('searches, their pages and excerpts, and what is like an item', async () => {
  for (const text of [
    'слово',
    'ЁЖ',
    'еще',
    '"слово ещё"',
    'дней -9',
    'tag:лес',
    '🦔',
    '№',
    'елка слово',
    'cкjdj',
  ]) {
    await compare(search, { query: { search: text, view: 'summary' } })
    for (const call of [notes.list, links.list])
      for (const rest of [{ view: 'summary' }, { page: '2' }, { untagged: '1', sort: 'title', exact: '1' }])
        await compare(call, { query: { search: text, ...rest } })
  }
  let found = 0
  for (const { id, kind } of copy.items.values()) {
    await compare(notes.similar, { params: { id } })
    await compare(links.similar, { params: { id } })
    const { similar } = kind === 'note' ? notes : links
    found += (await app.call(similar, { params: { id } }, account.auth)).results.length
  }
  expect(found).toBeGreaterThan(0)
})

test('whether a page is kept, in whatever spelling', async () => {
  for (const { url } of copy.items.values())
    if (url !== undefined) await compare(links.check, { query: { url } })
  for (const url of ['http://example.org/3', 'https://example.org/none', 'example.org'])
    await compare(links.check, { query: { url } })
})
