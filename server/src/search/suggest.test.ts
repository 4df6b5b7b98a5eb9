import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { describe, expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'

const it = test
  .extend(
    'note',
    ({ app, account }) =>
      (content: string, names: string[] = []) =>
        app.call(notes.create, { body: { title: 'Заголовок', content, tags: names } }, account.auth),
  )
  /** The suggestion in the response; 'as typed' if the query itself found something, undefined if nothing was found. */
  .extend('corrected', ({ app, account }) => async (text: string): Promise<string | undefined> => {
    const response = await app.call(search, { query: { search: text, view: 'summary' } }, account.auth)
    const exact = { search: text, exact: '1', view: 'summary' } as const
    const literal = await app.call(search, { query: exact }, account.auth)
    expect(literal).not.toHaveProperty('corrected')
    if (response.corrected) {
      expect(literal.notes_count + literal.urllinks_count).toBe(0)
      const again = await app.call(
        search,
        { query: { ...exact, search: response.corrected.query } },
        account.auth,
      )
      expect(response).toEqual({ ...again, corrected: response.corrected })
      return response.corrected.query
    }
    expect(response).toEqual(literal)
    return response.notes_count + response.urllinks_count > 0 ? 'as typed' : undefined
  })

describe('the other keyboard layout', () => {
  it.for([
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
  ] as const)('%j is found by %j', async ([stored, typed, meant], { note, corrected }) => {
    await note(stored)
    expect(await corrected(typed)).toBe(meant)
  })

  it.for(['C#', 'F#', 'J++', 'R', 'пб'])(
    'is not tried for single letters: %s',
    async (typed, { note, corrected }) => {
      await note('С утра, а в обед о работе; к вечеру g, и всё')
      expect(await corrected(typed)).toBeUndefined()
    },
  )

  it('is not tried where it would put signs into a word', async ({ note, corrected }) => {
    await note('Плитка 30×60')
    expect(await corrected('30х60')).toBeUndefined()
  })

  it('is not tried if the query finds something', async ({ note, corrected }) => {
    await note('ghbdtn')
    await note('привет')
    expect(await corrected('ghbdtn')).toBe('as typed')
  })

  it('leaves operators alone', async ({ note, corrected }) => {
    await note('привет', ['дом'])
    await note('привет')
    expect(await corrected('ghbdtn tag:дом')).toBe('привет tag:дом')
    expect(await corrected('ghbdtn -тег:дом')).toBe('привет -tag:дом')
  })
})

describe('one typing mistake', () => {
  it.for([
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
    // In a word whose ending is another than in the text.
    ['Аллергия', 'аллргию', 'аллергия'],
    ['педиатр', 'педатру', 'педиатр'],
    ['витамин', 'витминами', 'витамин'],
    ['огурцы', 'огуцов', 'огурцы'],
    ['процент', 'проентами', 'процент'],
    ['замариновать свинину', 'замарновала свинину', 'замариновать свинину'],
    ['холодильник, холодильнику', 'холодльники', 'холодильник'],
    ['subscription', 'subsriptions', 'subscription'],
    ['диаграмма', 'диаграму', 'диаграмма'],
    ['кристалы', 'кристаллов', 'кристалы'],
    ['processes', 'procesing', 'processes'],
  ] as const)('%j is found by %j', async ([stored, typed, meant], { note, corrected }) => {
    await note(stored)
    expect(await corrected(typed)).toBe(meant)
  })

  it('is in no word without a meaning', async ({ note, corrected }) => {
    await note('решили, что делить')
    expect(await corrected('что делать')).toBeUndefined()
    expect(await corrected('что дилить')).toBe('что делить')
    await note('потоп у соседей')
    expect(await corrected('потом')).toBe('потоп')
  })

  it('is in a stem only where the word is unknown', async ({ app, account, note, corrected }) => {
    await note('графики, смета')
    await note('графины, супы')
    const response = await app.call(search, { query: { search: 'графику супы' } }, account.auth)
    expect(response).toMatchObject({ notes_count: 2, partial: true })
    expect(response).not.toHaveProperty('corrected')
    expect(await corrected('графиму супы')).toBe('графины супы')
  })

  it('is no other form of the same word, of which there may be many', async ({ note, corrected }) => {
    await note('кинга, книг, книге, книги, книгу')
    await note('Книна Иванова')
    expect(await corrected('книга иванова')).toBe('книна иванова')
  })

  it.for([
    ['привет', 'привут1'],
    ['привет', 'првтт'],
    ['кот', 'кит'],
    ['кофе', 'кафе'],
    ['слово', 'сливы'],
    ['подрядчик', 'портядчика'],
    // Another word of the same root, which is spelt right.
    ['рекламный', 'реклама'],
    ['отличие', 'отличать'],
  ] as const)('%j is not found by %j', async ([stored, typed], { note, corrected }) => {
    await note(stored)
    expect(await corrected(typed)).toBeUndefined()
  })

  it("is corrected only with words of the user's own items", async ({ app, note, corrected }) => {
    const stranger = await newAccount(app)
    await app.call(notes.create, { body: { title: 'Заголовок', content: 'привет', tags: [] } }, stranger.auth)
    await note('другое')
    expect(await corrected('превет')).toBeUndefined()
  })

  it('is corrected only with current words of items', async ({ app, account, note, corrected }) => {
    const { id } = await note('привет')
    await app.call(notes.update, { params: { id }, body: { title: 'x', content: 'иное' } }, account.auth)
    expect(await corrected('превет')).toBeUndefined()
  })

  it('is corrected with words of titles, tags and addresses too', async ({
    app,
    account,
    note,
    corrected,
  }) => {
    await note('иное', ['Категория'])
    const body = { title: 'Название', description: 'd', url: 'https://wikipedia.org/', tags: [] }
    await app.call(links.create, { body }, account.auth)
    expect(await corrected('катигория')).toBe('категория')
    expect(await corrected('нозвание')).toBe('название')
    expect(await corrected('wikipedla')).toBe('wikipedia')
  })

  it('follows a tag that is renamed or deleted', async ({ app, account, note, corrected }) => {
    const { tags: named } = await note('иное', ['Категория'])
    const params = { id: named[0]?.id ?? '' }
    await app.call(tags.update, { params, body: { name: 'Рубрика' } }, account.auth)
    expect([await corrected('катигория'), await corrected('рубрека')]).toEqual([undefined, 'рубрика'])
    await app.call(tags.remove, { params }, account.auth)
    expect(await corrected('рубрека')).toBeUndefined()
  })
})

describe('what must not occur', () => {
  it('is not a suggestion: excluded words find nothing in place of others', async ({ note, corrected }) => {
    await note('привет, мир')
    for (const text of ['-привет', '-мир -привет', '-"привет мир"'])
      expect(await corrected(text)).toBeUndefined()
  })

  it('is not corrected', async ({ note, corrected }) => {
    await note('привет, банан')
    await note('баран')
    expect(await corrected('привет -банан')).toBeUndefined()
    expect(await corrected('превет -барон')).toBe('привет -барон')
  })
})

describe('the lists', () => {
  it('get their own suggestions', async ({ app, account, note }) => {
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

  it('get suggestions within a tag', async ({ app, account, note }) => {
    await note('привет')
    const { tags: named } = await note('другое', ['дом'])
    const query = { search: 'ghbdtn', tag: named[0]?.id ?? '', view: 'summary' } as const
    expect(await app.call(notes.list, { query }, account.auth)).toEqual({ results: [], count: 0 })
    await note('привет', ['дом'])
    expect((await app.call(notes.list, { query }, account.auth)).corrected).toEqual({ query: 'привет' })
  })

  it('show further pages of the suggestion', async ({ app, account, note }) => {
    for (let at = 0; at < 17; at += 1) await note(`привет ${at}`)
    const { results, count } = await app.call(
      notes.list,
      { query: { search: 'ghbdtn', page: '2' } },
      account.auth,
    )
    expect([results.length, count]).toEqual([2, 17])
  })
})
