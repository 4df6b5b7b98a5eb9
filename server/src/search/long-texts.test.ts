import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { describe, expect } from 'vitest'
import { openReader } from '../db/open.ts'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { piecesOf } from './texts.ts'

/** The titles that a query finds itself, without a suggestion or a partial match. */
const it = test.extend('found', ({ app, owner }) => async (text: string) => {
  const query = { search: text, view: 'summary', exact: '1' } as const
  const { notes: found } = await app.call(search, { query }, owner.auth)
  return found.map(({ title }) => title)
})

/** A different word for each number, far apart in alphabetical order. */
const wordAt = (at: number): string => `${((at * 7919) % 100_003).toString(36)}слово`
const MANY = 50_000

describe('a text of 500,000 characters that are all different words', () => {
  let id: string
  it.beforeAll(async ({ app, owner: { auth } }) => {
    const words = Array.from({ length: MANY }, (_, at) => wordAt(at))
    const text = words.join(' ').slice(0, 499_000)
    const long = await app.call(notes.create, { body: { title: 'Длинная', content: `<p>${text}</p>` } }, auth)
    id = long.id
    const short = { title: 'Короткая', content: `<p>${wordAt(0)} ${wordAt(1)}</p>` }
    await app.call(notes.create, { body: short }, auth)
  })

  it.for([0, 1, 2, 3, 777, 9999, 25_000, 33_333, 44_444])('is found by word %i', async (at, { found }) => {
    expect(await found(wordAt(at))).toContain('Длинная')
  })

  it('is found by words from its start and its end together, the last as a prefix', async ({ found }) => {
    expect(await found(`${wordAt(0)} ${wordAt(44_444)} ${wordAt(22_222).slice(0, -2)}`)).toEqual(['Длинная'])
    expect(await found(`${wordAt(5)} ${wordAt(44_000)} длинн`)).toEqual(['Длинная'])
    expect(await found(`${wordAt(0)} ${wordAt(1)}`)).toEqual(['Короткая', 'Длинная'])
    expect(await found(`${wordAt(0)} другое`)).toEqual([])
  })

  it('is read alone where phrases are looked for, and short ones together', async ({
    app,
    owner,
    onTestFinished,
  }) => {
    const db = openReader(app.database.settings)
    onTestFinished(() => db.destroy())
    const rows = await db.selectFrom('items').select('id').where('owner_id', '=', owner.id).execute()
    const ids = rows.map((row) => row.id)
    expect(ids.length).toBeGreaterThan(1)
    const pieces: string[][] = []
    for await (const piece of piecesOf(db, { owner_id: owner.id, ids })) pieces.push(piece)
    expect(pieces.flat().sort()).toEqual(ids.toSorted())
    expect(pieces.filter((piece) => piece.includes(id))).toEqual([[id]])
  })

  it('is no longer found by its old words after it became short', async ({ app, owner, found }) => {
    await app.call(
      notes.update,
      { params: { id }, body: { title: 'Длинная', content: 'немного', tags: [] } },
      owner.auth,
    )
    expect(await found(wordAt(44_444))).toEqual([])
    expect(await found(wordAt(0))).toEqual(['Короткая'])
    expect(await found('немного')).toEqual(['Длинная'])
  })
})

describe('a word of thousands of letters', () => {
  it.for(['я'.repeat(400_000), '😀ы'.repeat(100_000), '𝒳'.repeat(200_000), '한'.repeat(300_000)])(
    'is saved and found (%#)',
    async (word, { app, owner, found }) => {
      const title = `Слово ${word.length}`
      await app.call(notes.create, { body: { title, content: `<p>${word}</p> рядом` } }, owner.auth)
      expect(await found(word.slice(0, 500))).toContain(title)
      expect(await found(`рядом ${word.slice(0, 20)}`)).toContain(title)
    },
  )
})

it('characters that fold to several words are found as they were written', async ({ app }) => {
  const { auth } = await newAccount(app)
  await app.call(notes.create, { body: { title: 'Знаки', content: '<p>½ ﷺ ㎏ ﬁn</p>' } }, auth)
  for (const word of ['½', 'ﷺ', '㎏', 'ﬁn'])
    expect([word, await app.call(search, { query: { search: word } }, auth)]).toMatchObject([
      word,
      { notes_count: 1 },
    ])
})
