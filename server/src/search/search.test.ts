import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { describe, expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'

const it = test
  .extend(
    'note',
    ({ app, account }) =>
      (title: string, content = 'текст', tags: string[] = []) =>
        app.call(notes.create, { body: { title, content, tags } }, account.auth),
  )
  .extend('found', ({ app, account }) => async (text: string, exact?: '1') => {
    const query = { search: text, view: 'summary', ...(exact && { exact }) } as const
    const response = await app.call(search, { query }, account.auth)
    expect([response.notes_count, response.urllinks_count]).toEqual([
      response.notes.length,
      response.urllinks.length,
    ])
    return [...response.notes, ...response.urllinks].map(({ title }) => title)
  })

describe('search', () => {
  it('finds by words of title, text, tags and address', async ({ app, account, note, found }) => {
    await note('Заголовок', '<p>Содержимое <b>жирное</b></p>', ['метка'])
    const body = {
      title: 'Ссылка',
      description: 'описание',
      url: 'https://habr.com/ru/articles/42',
      tags: [],
    }
    await app.call(links.create, { body }, account.auth)
    for (const word of ['заголовок', 'содержимое', 'жирное', 'метка'])
      expect(await found(word)).toEqual(['Заголовок'])
    for (const word of ['ссылка', 'описание', 'habr', 'articles 42'])
      expect(await found(word)).toEqual(['Ссылка'])
  })

  it('needs every word, and matches the last as a prefix', async ({ note, found }) => {
    await note('Красное вино')
    expect(await found('вино красное')).toEqual(['Красное вино'])
    expect(await found('красное вин')).toEqual(['Красное вино'])
    expect(await found('крас вино', '1')).toEqual([])
    expect(await found('красное пиво', '1')).toEqual([])
    expect(await found('ино')).toEqual([])
  })

  it.for([
    ['ЁЛКА', 'елка'],
    ['елка', 'Ёлка'],
    ['Йод', 'йод'],
    ['Café', 'cafe'],
    ['И\u0306од', 'йод'],
  ] as const)('makes no difference between %j and %j', async ([stored, asked], { note, found }) => {
    await note(stored)
    expect(await found(asked)).toEqual([stored.normalize('NFC')])
  })

  it('keeps й apart from и', async ({ note, found }) => {
    await note('йод')
    expect(await found('иод')).toEqual([])
  })

  it('finds the text inside markup, and no markup', async ({ note, found }) => {
    await note('t', '<p>сло<b>во</b></p><p>другое</p>&amp;lt')
    expect(await found('слово')).toEqual(['t'])
    expect(await found('другое')).toEqual(['t'])
    for (const markup of ['p', 'strong', 'amp']) expect(await found(markup)).toEqual([])
  })

  it('ranks titles over tags over texts, and newer items first among equals', async ({
    app,
    account,
    note,
  }) => {
    await note('В тексте', 'кофе')
    app.advance(5)
    await note('В метке', 'текст', ['кофе'])
    app.advance(5)
    await note('Кофе')
    app.advance(5)
    await note('Кофе')
    const response = await app.call(search, { query: { search: 'кофе' } }, account.auth)
    expect(response.notes.map(({ title }) => title)).toEqual(['Кофе', 'Кофе', 'В метке', 'В тексте'])
    expect((response.notes[0]?.created_at ?? '') > (response.notes[1]?.created_at ?? '')).toBe(true)
  })

  it('keeps that order whatever the length of a text and the number of matches in it', async ({
    app,
    account,
    note,
  }) => {
    const long = 'вода камень песок '.repeat(2000)
    const otherTags = Array.from({ length: 49 }, (_, at) => `метка ${at}`)
    for (const [title, content, tags] of [
      [`Название ${'и ещё слова '.repeat(15)} кофе`, long, []],
      ['Метка', long, ['кофе', ...otherTags]],
      ['Один раз', `кофе ${long}`, []],
      ['Часто', 'кофе '.repeat(50), []],
    ] as const) {
      await note(title, content, [...tags])
      app.advance(5)
    }
    const response = await app.call(search, { query: { search: 'кофе', view: 'summary' } }, account.auth)
    const order = response.notes.map(({ title }) => title.split(' ')[0])
    expect(order).toEqual(['Название', 'Метка', 'Часто', 'Один'])
  })

  it('ranks an address below titles and tags, although it is short', async ({ app, account }) => {
    const link = async (title: string, host: string, tags: string[] = []) => {
      const body = {
        title,
        description: 'вода камень песок '.repeat(50),
        url: `https://${host}.example/`,
        tags,
      }
      await app.call(links.create, { body }, account.auth)
      app.advance(5)
    }
    await link('Coffee and what else there is to drink in a long winter', 'one')
    await link('В метке', 'two', ['coffee'])
    await link('В адресе', 'coffee')
    const response = await app.call(search, { query: { search: 'coffee' } }, account.auth)
    const order = response.urllinks.map(({ title }) => title)
    expect(order.slice(0, 2).toSorted()).toEqual([
      'Coffee and what else there is to drink in a long winter',
      'В метке',
    ])
    expect(order.slice(2)).toEqual(['В адресе'])
  })

  it('ranks closer and more frequent words higher', async ({ app, note, found }) => {
    const filling = 'вода камень песок '.repeat(20)
    for (const [title, content] of [
      ['Рядом', `красное вино ${filling}`],
      ['Далеко', `красное ${filling} вино`],
      ['Часто', `кофе с молоком и кофе без молока: кофе ${filling}`],
      ['Раз', `кофе ${filling}`],
    ] as const) {
      await note(title, content)
      app.advance(5)
    }
    expect(await found('красное вино')).toEqual(['Рядом', 'Далеко'])
    expect(await found('кофе')).toEqual(['Часто', 'Раз'])
  })

  it('ranks a whole word over a prefix', async ({ app, note, found }) => {
    await note('Кот')
    app.advance(5)
    await note('Который час')
    expect(await found('кот')).toEqual(['Кот', 'Который час'])
  })

  it('shows every match once on the pages of a list, best first', async ({ app, account, note }) => {
    const titles = ['Кофе', 'Метка', 'Текст']
    for (let at = 0; at < 70; at += 1) {
      const kind = titles[at % 3]
      await note(`${kind} ${at}`, kind === 'Текст' ? 'про кофе' : 'прочее', kind === 'Метка' ? ['кофе'] : [])
      app.advance(5)
    }
    const shown: string[] = []
    for (const page of ['1', '2', '3', '4', '5']) {
      const query = { search: 'кофе', page, view: 'summary' } as const
      const { results, count } = await app.call(notes.list, { query }, account.auth)
      expect(count).toBe(70)
      shown.push(...results.map(({ title }) => title))
    }
    const newest = (kind: string) =>
      Array.from({ length: 70 }, (_, at) => 69 - at)
        .filter((at) => titles[at % 3] === kind)
        .map((at) => `${kind} ${at}`)
    expect(shown).toEqual([...newest('Кофе'), ...newest('Метка'), ...newest('Текст')])
  })

  it('highlights matches in titles and excerpts, in any form', async ({ app, account, note }) => {
    await note('Заметки о кофе: ёлка', 'Пьём кофе, <b>кофе</b>йник и заметку C++')
    const marked = async (text: string) => {
      const { notes: hits } = await app.call(
        search,
        { query: { search: text, view: 'summary' } },
        account.auth,
      )
      return hits.map(({ title, excerpt, highlights }) => ({
        title: highlights?.title.map(([start, end]) => title.slice(start, end)),
        excerpt: highlights?.excerpt.map(([start, end]) => excerpt.slice(start, end)),
      }))
    }
    expect(await marked('заметками')).toEqual([{ title: ['Заметки'], excerpt: ['заметку'] }])
    expect(await marked('елки коф')).toEqual([{ title: ['кофе', 'ёлка'], excerpt: ['кофе', 'кофейник'] }])
    expect(await marked('"кофе"')).toEqual([{ title: ['кофе'], excerpt: ['кофе'] }])
    const { notes: plain } = await app.call(search, { query: { view: 'summary' } }, account.auth)
    expect(plain[0]).not.toHaveProperty('highlights')
  })

  it('highlights matches in tags, in any form', async ({ app, account, note }) => {
    await note('Рецепт', 'кухня', ['Домашняя кухня', 'вечер'])
    const { notes: hits } = await app.call(
      search,
      { query: { search: 'кухни', view: 'summary' } },
      account.auth,
    )
    expect(hits[0]?.highlights?.tags).toEqual([{ name: 'Домашняя кухня', ranges: [[9, 14]] }])
  })

  it('finds an item by its new text, and not by the old one, as soon as it is saved', async ({
    app,
    account,
    note,
    found,
  }) => {
    const { id } = await note('Старое', 'прежнее', ['было'])
    await app.call(
      notes.update,
      { params: { id }, body: { title: 'Новое', content: 'иное', tags: ['стало'] } },
      account.auth,
    )
    for (const word of ['старое', 'прежнее', 'было']) expect(await found(word)).toEqual([])
    for (const word of ['новое', 'иное', 'стало']) expect(await found(word)).toEqual(['Новое'])
  })

  it('shows the text around the match', async ({ app, account, note }) => {
    await note('Длинная', `<p>${'вода '.repeat(60)}жемчужина ${'песок '.repeat(60)}</p>`)
    const { notes: hits } = await app.call(
      search,
      { query: { search: 'жемчуж', view: 'summary' } },
      account.auth,
    )
    expect(hits[0]?.excerpt).toMatch(/^\.\.\.(вода )+жемчужина (песок )+.*\.\.\.$/)
    expect(hits[0]?.excerpt.length).toBeLessThanOrEqual(106)
  })

  it('shows the start of a long text if the match is far from it', async ({ app, account, note }) => {
    await note('Длинная', `<p>Начало ${'вода <b>камень</b> '.repeat(5000)}жемчужина</p>`)
    const response = await app.call(search, { query: { search: 'жемчужина', view: 'summary' } }, account.auth)
    expect(response.notes[0]?.excerpt).toMatch(/^Начало вода камень .*\.\.\.$/)
  })

  it('never finds items of another user', async ({ app, found }) => {
    const stranger = await newAccount(app)
    await app.call(notes.create, { body: { title: 'Тайна', content: 'текст', tags: [] } }, stranger.auth)
    expect(await found('тайна')).toEqual([])
    expect(await found('т')).toEqual([])
  })

  it.for([
    '"',
    '*',
    'a*',
    '" OR 1',
    'NEAR(a b)',
    'title:x',
    'a AND',
    '(',
    "'",
    '\\',
    'x'.repeat(5000),
    '🦔',
    '\u0000',
    '%',
    'ﬁ ﷺ',
  ])('takes %j for words, never for an error', async (text, { app, account }) => {
    const reply = await app.request(search, { query: { search: text } }, account.auth)
    expect(reply.status).toBe(200)
  })
})
