import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

/** The same items on both databases. */
let folder: string
let both: { app: TestApp; account: Account; items: { kind: 'note' | 'link'; id: string }[] }[]
const ITEMS = 240
const CALLS = { note: notes, link: links } as const
/** Items whose similar items are compared. */
const COMPARED = 60
const QUERIES = 300

const RUSSIAN =
  'заметка заметки книга книгами ёлка лес лесной работа работать красивый красиво вино винный кофе кофейник мир мирный рок-н-ролл отчёт отчёты'
const ENGLISH = 'run running runner note notes node.js C++ COVID-19 hope hoping universe university'
const WORDS = `${RUSSIAN} ${ENGLISH}`.split(' ')

/** Pseudo-random numbers, the same each time. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 48_271) % 2_147_483_647
    yield state
  }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'kopilka-test-'))
  const sqlite = { settings: { DATA_DIR: folder, DATABASE_URL: '' }, remove: async () => {} }
  const apps = [await createTestApp({ database: sqlite }), await createTestApp()]
  both = await Promise.all(
    apps.map(async (app) => {
      const account = await newAccount(app)
      return { app, account, items: await fill(app, account) }
    }),
  )
}, 120_000)
afterAll(async () => {
  for (const { app } of both) await app.close()
  await rm(folder, { recursive: true })
})

/** Creates items, of which some are pinned, and some are in the trash again. Returns the others. */
async function fill(app: TestApp, account: Account): Promise<(typeof both)[number]['items']> {
  const random = numbers(42)
  const next = (below: number): number => (random.next().value ?? 0) % below
  const words = (count: number) => Array.from({ length: count }, () => WORDS[next(WORDS.length)]).join(' ')
  const items: (typeof both)[number]['items'] = []
  for (let at = 0; at < ITEMS; at += 1) {
    const body = {
      title: `${words(1 + next(4))} ${at}`,
      tags: next(3) === 0 ? [WORDS[next(8)] ?? ''] : [],
      pinned: next(9) === 0,
    }
    const text = `<p>${words(3 + next(60))}</p>`
    const kind = next(3) === 0 ? 'link' : 'note'
    const { id } =
      kind === 'link'
        ? await app.call(
            links.create,
            {
              body: {
                ...body,
                url: `https://${['example.org', 'habr.com', 'xn--80a1acny.xn--p1ai'][next(3)]}/${encodeURIComponent(words(1))}`,
                description: text,
              },
            },
            account.auth,
          )
        : await app.call(notes.create, { body: { ...body, content: text } }, account.auth)
    if (next(12) === 0) await app.call(CALLS[kind].remove, { params: { id } }, account.auth)
    else items.push({ kind, id })
    app.advance(2)
  }
  return items
}

/** Responses of both databases without ids and times, which differ. */
async function responses(query: Record<string, string>) {
  return Promise.all(
    both.map(async ({ app, account }) => {
      const response = await app.call(search, { query: { ...query, view: 'summary' } }, account.auth)
      const listed = await app.call(
        notes.list,
        { query: { ...query, page: '3', view: 'summary' } },
        account.auth,
      )
      const shown = ({ title, excerpt, highlights }: (typeof response.notes)[number]) => ({
        title,
        excerpt,
        highlights,
      })
      return {
        counts: [response.notes_count, response.urllinks_count, listed.count],
        corrected: [response.corrected, listed.corrected],
        partial: [response.partial, listed.partial],
        notes: response.notes.map(shown),
        links: response.urllinks.map(shown),
        third: listed.results.map(shown),
      }
    }),
  )
}

it('returns the same items in the same order on both databases', async () => {
  const word = fc.constantFrom(...WORDS)
  const beginning = fc
    .tuple(word, fc.integer({ min: 1, max: 7 }))
    .map(([text, length]) => text.slice(0, length))
  const mistyped = fc
    .tuple(word, fc.nat({ max: 6 }), fc.constantFrom('', 'о', 'n', 'ш'))
    .map(([text, at, letter]) => text.slice(0, at) + letter + text.slice(at + 1))
  const operator = fc.oneof(
    word.map((text) => `-${text}`),
    word.map((text) => `tag:${text}`),
    fc.tuple(word, word).map(([one, other]) => `"${one} ${other}"`),
    fc.constantFrom(
      'site:example.org',
      'сайт:почта.рф',
      '-site:habr.com',
      'ghbdtn',
      'rybuf',
      'vbh',
      'неведомое',
      '???',
      '-"кофе мир"',
    ),
  )
  const query = fc
    .array(fc.oneof({ weight: 3, arbitrary: word }, operator, beginning, mistyped), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join(' '))
  let found = 0
  let corrected = 0
  let partial = 0
  await fc.assert(
    fc.asyncProperty(query, async (text) => {
      const [onSqlite, onPostgres] = await responses({ search: text })
      expect(onPostgres).toEqual(onSqlite)
      found += Number((onSqlite?.counts[0] ?? 0) > 0)
      corrected += Number(onSqlite?.corrected[0] !== undefined)
      partial += Number(onSqlite?.partial[0] === true)
    }),
    { numRuns: QUERIES, seed: 1 },
  )
  // Otherwise the test would compare nothing.
  expect(found).toBeGreaterThan(QUERIES / 3)
  expect(corrected).toBeGreaterThan(QUERIES / 50)
  expect(partial).toBeGreaterThan(QUERIES / 10)
}, 180_000)

it('finds the same similar items in the same order on both databases', async () => {
  const [sqlite, postgres] = await Promise.all(
    both.map(({ app, account, items }) =>
      Promise.all(
        items.slice(0, COMPARED).map(async ({ kind, id }) => {
          const { results } = await app.call(CALLS[kind].similar, { params: { id } }, account.auth)
          return results.map((item) => [item.kind, item.title, item.pinned])
        }),
      ),
    ),
  )
  expect(postgres).toEqual(sqlite)
  expect(sqlite?.filter((found) => found.length > 0).length).toBeGreaterThan(COMPARED / 2)
  expect(sqlite?.flat().some(([, , pinned]) => pinned)).toBe(true)
})
