import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

let app: TestApp
let account: Account
beforeAll(async () => {
  app = await createTestApp()
  account = await newAccount(app)
})
afterAll(() => app.close())

const save = (title: string, content: string) =>
  app.call(notes.create, { body: { title, content, tags: [] } }, account.auth)
const found = async (text: string) => {
  const answer = await app.call(search, { query: { search: text, view: 'summary' } }, account.auth)
  return answer.notes.map(({ title }) => title)
}

/** All different, and far from one another in the order of words. */
const wordAt = (at: number): string => `${((at * 7919) % 100_003).toString(36)}слово`
const MANY = 50_000

describe('a text of 500,000 characters that are all different words', () => {
  let id: string
  beforeAll(async () => {
    const words = Array.from({ length: MANY }, (_, at) => wordAt(at))
    const text = words.join(' ').slice(0, 499_000)
    id = (await save('Длинная', `<p>${text}</p>`)).id
    await save('Короткая', `<p>${wordAt(0)} ${wordAt(1)}</p>`)
  })

  it.each([0, 1, 2, 3, 777, 9999, 25_000, 33_333, 44_444])('is found by word %i', async (at) => {
    expect(await found(wordAt(at))).toContain('Длинная')
  })

  it('is found by words from its beginning and its end together, the last unfinished', async () => {
    expect(await found(`${wordAt(0)} ${wordAt(44_444)} ${wordAt(22_222).slice(0, -2)}`)).toEqual(['Длинная'])
    expect(await found(`${wordAt(5)} ${wordAt(44_000)} длинн`)).toEqual(['Длинная'])
    expect(await found(`${wordAt(0)} ${wordAt(1)}`)).toEqual(['Короткая', 'Длинная'])
    expect(await found(`${wordAt(0)} другое`)).toEqual([])
  })

  it('is no longer found by what it was once it is short', async () => {
    await app.call(
      notes.update,
      { params: { id }, body: { title: 'Длинная', content: 'немного', tags: [] } },
      account.auth,
    )
    expect(await found(wordAt(44_444))).toEqual([])
    expect(await found(wordAt(0))).toEqual(['Короткая'])
    expect(await found('немного')).toEqual(['Длинная'])
  })
})

describe('a word of thousands of letters', () => {
  it.each(['я'.repeat(400_000), '😀ы'.repeat(100_000), '𝒳'.repeat(200_000), '한'.repeat(300_000)])(
    'is saved, and found as it is (%#)',
    async (word) => {
      const title = `Слово ${word.length}`
      await save(title, `<p>${word}</p> рядом`)
      expect(await found(word.slice(0, 500))).toContain(title)
      expect(await found(`рядом ${word.slice(0, 20)}`)).toContain(title)
    },
  )
})

it('characters that fall apart into several words are found as they were written', async () => {
  account = await newAccount(app)
  await save('Знаки', '<p>½ ﷺ ㎏ ﬁn</p>')
  for (const word of ['½', 'ﷺ', '㎏', 'ﬁn']) expect(await found(word)).toEqual(['Знаки'])
})
