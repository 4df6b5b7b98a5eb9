import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createTestApp, type TestApp } from '../testing/create-test-app.ts'
import { type Account, newAccount } from '../testing/new-account.ts'

let app: TestApp
let account: Account
beforeAll(async () => {
  app = await createTestApp()
})
afterAll(() => app.close())
beforeEach(async () => {
  account = await newAccount(app)
})

const note = (content: string, names: string[] = []) =>
  app.call(notes.create, { body: { title: 'Заголовок', content, tags: names } }, account.auth)

/** What the answer says was searched for instead; 'as typed' where the query found something, undefined where nothing. */
async function corrected(text: string): Promise<string | undefined> {
  const answer = await app.call(search, { query: { search: text, view: 'summary' } }, account.auth)
  const exact = { search: text, exact: '1', view: 'summary' } as const
  const literal = await app.call(search, { query: exact }, account.auth)
  expect(literal).not.toHaveProperty('corrected')
  if (answer.corrected) {
    expect(literal.notes_count + literal.urllinks_count).toBe(0)
    const again = await app.call(
      search,
      { query: { ...exact, search: answer.corrected.query } },
      account.auth,
    )
    expect(answer).toEqual({ ...again, corrected: answer.corrected })
    return answer.corrected.query
  }
  expect(answer).toEqual(literal)
  return answer.notes_count + answer.urllinks_count > 0 ? 'as typed' : undefined
}

describe('the other keyboard layout', () => {
  it.each([
    ['привет', 'ghbdtn', 'привет'],
    ['приветствие', 'ghbdtn', 'привет'],
    ['hello', 'руддщ', 'hello'],
    ['Холодильник', '[jkjlbkmybr', 'холодильник'],
    ['объект', 'j,]trn', 'объект'],
    ['жизнь', ';bpym', 'жизнь'],
    ['эхо', "'[j", 'эхо'],
    ['юбка', '.,rf', 'юбка'],
    ['бюро', ',.hj', 'бюро'],
    ['Хлеб с маслом', '{kt, c vfckjv', 'Хлеб с маслом'],
    ['Война и мир', 'djqyf b vbh', 'война и мир'],
    ['Привет, мир', 'ghbdtn? vbh', 'привет, мир'],
    ['мой кот', 'мой rjn', 'мой кот'],
    ['язык javascript', 'язык офмфыскшзе', 'язык javascript'],
    ['счастливые семьи', '"cxfcnkbdst ctvmb"', '"счастливые семьи"'],
  ])('%j is found by %j', async (stored, typed, meant) => {
    await note(stored)
    expect(await corrected(typed)).toBe(meant)
  })

  it('is not tried where something is found as it was typed', async () => {
    await note('ghbdtn')
    await note('привет')
    expect(await corrected('ghbdtn')).toBe('as typed')
  })

  it('leaves operators alone', async () => {
    await note('привет', ['дом'])
    await note('привет')
    expect(await corrected('ghbdtn tag:дом')).toBe('привет tag:дом')
    expect(await corrected('ghbdtn -тег:дом')).toBe('привет -tag:дом')
  })
})

describe('one typing mistake', () => {
  it.each([
    ['привет', 'превет', 'привет'],
    ['привет', 'приивет', 'привет'],
    ['привет', 'првет', 'привет'],
    ['привет', 'пирвет', 'привет'],
    ['привет', 'ривет', 'привет'],
    ['привет', 'приветт', 'привет'],
    ['ёлочка', 'елочра', 'елочка'],
    ['keyboard', 'keybaord', 'keyboard'],
    ['Красное вино', 'краснае вино', 'красное вино'],
    ['Красное молоко', 'краснае молако', 'красное молоко'],
    ['Интернет-магазин', 'интернет-магозин', 'интернет-магазин'],
    ['Интернет-магазины', 'интирнет-магозины', 'интернет-магазины'],
    ['wikipedia.org', '(wikipedai.org)', 'wikipedia.org'],
  ])('%j is found by %j', async (stored, typed, meant) => {
    await note(stored)
    expect(await corrected(typed)).toBe(meant)
  })

  it.each([
    ['привет', 'привут1'],
    ['привет', 'првтт'],
    ['кот', 'кит'],
    ['кофе', 'кафе'],
    ['слово', 'сливы'],
  ])('%j is not found by %j', async (stored, typed) => {
    await note(stored)
    expect(await corrected(typed)).toBeUndefined()
  })

  it("is mended by the words of this user's own items alone", async () => {
    await note('привет')
    account = await newAccount(app)
    await note('другое')
    expect(await corrected('превет')).toBeUndefined()
  })

  it('is mended by what items hold now', async () => {
    const { id } = await note('привет')
    await app.call(notes.update, { params: { id }, body: { title: 'x', content: 'иное' } }, account.auth)
    expect(await corrected('превет')).toBeUndefined()
  })

  it('is mended by titles, tags and addresses too', async () => {
    await note('иное', ['Категория'])
    const body = { title: 'Название', description: 'd', url: 'https://wikipedia.org/', tags: [] }
    await app.call(links.create, { body }, account.auth)
    expect(await corrected('катигория')).toBe('категория')
    expect(await corrected('нозвание')).toBe('название')
    expect(await corrected('wikipedla')).toBe('wikipedia')
  })

  it('follows a tag that is renamed or deleted', async () => {
    const { tags: named } = await note('иное', ['Категория'])
    const params = { id: named[0]?.id ?? '' }
    await app.call(tags.update, { params, body: { name: 'Рубрика' } }, account.auth)
    expect([await corrected('катигория'), await corrected('рубрека')]).toEqual([undefined, 'рубрика'])
    await app.call(tags.remove, { params }, account.auth)
    expect(await corrected('рубрека')).toBeUndefined()
  })
})

describe('what must not occur', () => {
  it('is not looked for in place of what was excluded', async () => {
    await note('привет, мир')
    for (const text of ['-привет', '-мир -привет', '-"привет мир"'])
      expect(await corrected(text)).toBeUndefined()
  })

  it('is meant as it stands', async () => {
    await note('привет, банан')
    await note('баран')
    expect(await corrected('привет -банан')).toBeUndefined()
    expect(await corrected('превет -барон')).toBe('привет -барон')
  })
})

describe('the lists', () => {
  it('are rescued each for itself', async () => {
    await note('привет')
    const body = { title: 'ghbdtn', description: 'd', url: 'https://example.org/', tags: [] }
    await app.call(links.create, { body }, account.auth)
    const query = { search: 'ghbdtn', view: 'summary' } as const
    const listed = await app.call(notes.list, { query }, account.auth)
    expect([listed.count, listed.results.length, listed.corrected]).toEqual([1, 1, { query: 'привет' }])
    const linked = await app.call(links.list, { query }, account.auth)
    expect([linked.count, linked.corrected]).toEqual([1, undefined])
    const exact = await app.call(notes.list, { query: { ...query, exact: '1' } }, account.auth)
    expect(exact).toEqual({ results: [], count: 0 })
  })

  it('are rescued within a tag', async () => {
    await note('привет')
    const { tags: named } = await note('другое', ['дом'])
    const query = { search: 'ghbdtn', tag: named[0]?.id ?? '', view: 'summary' } as const
    expect(await app.call(notes.list, { query }, account.auth)).toEqual({ results: [], count: 0 })
    await note('привет', ['дом'])
    expect((await app.call(notes.list, { query }, account.auth)).corrected).toEqual({ query: 'привет' })
  })

  it('show further pages of what was meant', async () => {
    for (let at = 0; at < 17; at += 1) await note(`привет ${at}`)
    const { results, count } = await app.call(
      notes.list,
      { query: { search: 'ghbdtn', page: '2' } },
      account.auth,
    )
    expect([results.length, count]).toEqual([2, 17])
  })
})
