import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { openReader } from '../db/open.ts'
import { test } from '../testing/fixtures.ts'
import { search as searchItems } from './search.ts'

const it = test.extend('found', ({ app, owner }) => async (text: string): Promise<string[]> => {
  const query = { search: text, exact: '1', view: 'summary' } as const
  const response = await app.call(search, { query }, owner.auth)
  expect([response.notes_count, response.urllinks_count]).toEqual([
    response.notes.length,
    response.urllinks.length,
  ])
  return [...response.notes, ...response.urllinks].map(({ title }) => title).sort()
})

it.beforeAll(async ({ app, owner }) => {
  const note = (title: string, content: string, tags: string[] = []) =>
    app.call(notes.create, { body: { title, content, tags } }, owner.auth)
  const link = (title: string, url: string) =>
    app.call(links.create, { body: { title, url, description: 'описание', tags: [] } }, owner.auth)
  await note('Война и мир', '<p>Толстой писал: <b>все счастливые</b> семьи похожи</p>', ['Книги'])
  await note('Мир', 'Похожи все семьи, счастливые они или нет. Ёлка стоит', ['книги', 'два слова'])
  await note('Книги', 'война далеко', ['Работа', '🎉', 'C++'])
  await link('Хабр', 'https://habr.com/ru/articles/42')
  await link('Почта', 'https://mail.xn--80a1acny.xn--p1ai/inbox')
  await link('Пример', 'http://www.example.org:8080/a?b#c')
})

describe('operators', () => {
  it.for([
    // Each of these characters folds to eighteen letters.
    [`site:${'ﷺ'.repeat(495)}`, []],
    ['"все счастливые семьи"', ['Война и мир']],
    ['"счастливую семью"', ['Война и мир']],
    ['"счастливая семья" -"счастливые семьи"', []],
    ['"семья"', ['Война и мир', 'Мир']],
    ['"семья" -"семьи"', []],
    ['"мира"', ['Война и мир', 'Мир']],
    ['"Все СЧАСТЛИВЫЕ"', ['Война и мир']],
    ['“счастливые семьи”', ['Война и мир']],
    ['«счастливые семьи»', ['Война и мир']],
    ['"все семьи"', ['Мир']],
    ['"всех семей"', []],
    ['"елка стоит"', ['Мир']],
    ['"война и"', ['Война и мир']],
    ['"два слова"', ['Мир']],
    ['"счастливые семьи" толстого', ['Война и мир']],
    ['"habr.com/ru"', ['Хабр']],
    ['семьи -толстой', ['Мир']],
    ['семьи –толстой', ['Мир']],
    ['семья -"все семьи"', ['Война и мир']],
    ['мир -войны -елка', []],
    ['tag:книги', ['Война и мир', 'Мир']],
    ['тег:КНИГИ', ['Война и мир', 'Мир']],
    ['Tag:книги -tag:"два слова"', ['Война и мир']],
    ['тег:"два слова"', ['Мир']],
    ['тег:«два слова»', ['Мир']],
    ['тег:🎉', ['Книги']],
    ['-тег:🎉 война', ['Война и мир']],
    ['tag:c++', ['Книги']],
    ['tag:книг', []],
    ['tag:книги война', ['Война и мир']],
    ['site:habr.com', ['Хабр']],
    ['сайт:HABR.com', ['Хабр']],
    ['site:example.org', ['Пример']],
    ['site:www.example.org', ['Пример']],
    ['site:https://www.example.org/x', ['Пример']],
    ['site:*.example.org', ['Пример']],
    ['site:www.habr.com', ['Хабр']],
    ['site:www.habr.com.', ['Хабр']],
    ['site:www.ample.org', []],
    ['site:ample.org', []],
    ['сайт:почта.рф', ['Почта']],
    ['site:xn--80a1acny.xn--p1ai', ['Почта']],
    ['site:рф', ['Почта']],
    ['-site:habr.com -сайт:почта.рф описание', ['Пример']],
    ['-мир -tag:работа -site:org -site:com', ['Почта']],
  ] as const)('%s', async ([query, titles], { found }) => {
    expect(await found(query)).toEqual(titles)
  })

  it.for([
    ['"война', ['Война и мир', 'Книги']],
    ['война"', ['Война и мир', 'Книги']],
    ['война "', ['Война и мир', 'Книги']],
    ['война ""', ['Война и мир', 'Книги']],
    ['- война', ['Война и мир', 'Книги']],
    ['война -', ['Война и мир', 'Книги']],
    ['война AND мир', []],
    ['(война)', ['Война и мир', 'Книги']],
    ['война*', ['Война и мир', 'Книги']],
    ['tag: война', []],
    ['война tag:', []],
    ['война tag:-', []],
    ['«война', ['Война и мир', 'Книги']],
    ['title:война', []],
  ] as const)('%j is searched as words', async ([query, titles], { found }) => {
    expect(await found(query)).toEqual(titles)
  })

  it('accepts any text, and returns as many items as it counts', async ({ app, owner }) => {
    const piece = fc.constantFrom(
      '"',
      '-',
      'tag:',
      'тег:',
      'site:',
      'сайт:',
      ' ',
      'мир',
      '*',
      '(',
      ')',
      ':',
      "'",
      '\\',
      'C++',
      '&',
      '|',
      '!',
      '@',
      'и\u0306',
      '🦔',
      '%',
      '0',
      '¬',
    )
    const typed = fc.oneof(
      fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
      fc.string({ unit: 'binary', maxLength: 40 }),
    )
    await fc.assert(
      fc.asyncProperty(typed, fc.boolean(), async (text, exact) => {
        const query = { search: text, view: 'summary', ...(exact && { exact: '1' }) }
        expect((await app.request(search, { query }, owner.auth)).status).toBe(200)
      }),
      { numRuns: 150 },
    )
  })

  it('accepts a query of as many words as fit', async ({ app, owner }) => {
    const text = Array.from({ length: 100 }, (_, at) => `-"с${at} б"`).join(' ')
    for (const query of [text, 'а '.repeat(250), 'а-'.repeat(250), 'tag:а '.repeat(100)])
      expect((await app.request(search, { query: { search: query } }, owner.auth)).status).toBe(200)
  })
})

describe('a phrase in other forms', () => {
  it('is found after the exact ones, and highlighted', async ({ app, account }) => {
    const note = (title: string, content: string) =>
      app.call(notes.create, { body: { title, content, tags: [] } }, account.auth)
    await note('Точно', 'красивая книга')
    await note('Красивую книгу', 'красивую книгу, красивой книгой')
    await note('Порознь', 'книга красивая')
    const query = { search: '"красивая книга"', view: 'summary' } as const
    const found = await app.call(search, { query }, account.auth)
    expect([found.notes_count, found.notes.map(({ title }) => title)]).toEqual([
      2,
      ['Точно', 'Красивую книгу'],
    ])
    expect(found.notes[1]?.highlights?.title).toEqual([
      [0, 8],
      [9, 14],
    ])
    const word = await app.call(search, { query: { ...query, search: '"красивая"' } }, account.auth)
    expect([word.notes_count, word.notes.at(-1)?.title]).toEqual([3, 'Красивую книгу'])
    // 'С' in Cyrillic and in Latin script look the same.
    await note('Учёт', '1C бухгалтерия')
    const twin = { ...query, search: '"1С бухгалтерия"' }
    expect((await app.call(search, { query: twin }, account.auth)).notes_count).toBe(1)
  })
})

describe('signs alone', () => {
  it('find the items whose titles have them', async ({ app, account }) => {
    const note = (title: string, content: string, tags: string[] = []) =>
      app.call(notes.create, { body: { title, content, tags } }, account.auth)
    await note('Что это???', 'текст', ['вопросы'])
    await note('И это?', 'текст???')
    await note('Код 🎉 ещё один???', 'текст')
    const titlesOf = async (text: string, more: { sort?: 'title'; tag?: string; untagged?: '1' } = {}) => {
      const query = { search: text, ...more, view: 'summary' } as const
      const { results, count } = await app.call(notes.list, { query }, account.auth)
      expect(count).toBe(results.length)
      return results.map(({ title }) => title)
    }
    expect(await titlesOf('???')).toEqual(['Код 🎉 ещё один???', 'Что это???'])
    expect(await titlesOf(' ??? ', { sort: 'title' })).toEqual(['Код 🎉 ещё один???', 'Что это???'])
    expect(await titlesOf('???', { untagged: '1' })).toEqual(['Код 🎉 ещё один???'])
    const { tags } = await note('Другое', 'текст', ['вопросы'])
    expect(await titlesOf('?', { tag: tags[0]?.id ?? '' })).toEqual(['Что это???'])
    expect(await titlesOf('🎉')).toEqual(['Код 🎉 ещё один???'])
    expect(await titlesOf('!!!')).toEqual([])
    expect(await titlesOf('"???"')).toEqual(['Код 🎉 ещё один???', 'Что это???'])
    await note('Он сказал: «!»', 'текст')
    for (const text of ['«', '«!»', '" ! "']) expect(await titlesOf(text)).toEqual(['Он сказал: «!»'])
    const marked = await app.call(notes.list, { query: { search: '?', view: 'summary' } }, account.auth)
    expect(marked.results.map((one) => 'highlights' in one && one.highlights?.title)).toContainEqual([
      [7, 8],
      [8, 9],
      [9, 10],
    ])
    const { notes_count, urllinks_count } = await app.call(search, { query: { search: '???' } }, account.auth)
    expect([notes_count, urllinks_count]).toEqual([2, 0])
  })

  it('are counted and cut into pages by the database', async ({ app, account, onTestFinished }) => {
    const created: string[] = []
    for (let at = 0; at < 8; at += 1) {
      const body = { title: `Что ${at}?`, content: 'текст', tags: at % 2 === 0 ? [] : ['вопросы'] }
      created.push((await app.call(notes.create, { body }, account.auth)).id)
    }
    let longest = 0
    const db = openReader(app.database.settings, ({ parameters }) => {
      for (const value of parameters) {
        const list = Array.isArray(value) ? value : /^\[/.test(String(value)) ? JSON.parse(String(value)) : []
        longest = Math.max(longest, list.length)
      }
    })
    onTestFinished(() => db.destroy())
    const page = (offset: number) =>
      searchItems(db, {
        ...{ owner_id: account.id, text: '?', exact: false, untagged: true, sort: 'title', kinds: ['note'] },
        ...{ limit: 2, offset, excerptLength: 100 },
      })
    const { counts, ids } = await page(1)
    expect([counts, ids]).toEqual([
      { note: 4, link: 0 },
      { note: [created[2], created[4]], link: [] },
    ])
    const { counts: same, ids: none } = await page(4)
    expect([same, none]).toEqual([counts, { note: [], link: [] }])
    expect(longest).toBe(2)
  })

  it('are compared as they are: no sign stands for letters or for others', async ({ app, account }) => {
    const titles = [
      'Notes',
      'HTML',
      'Ура!я',
      'Договор № 5',
      'Сделаем ❤\u{FE0F}\u{200D}🔥 и ❤',
      'Сделаем ❤\u{FE0F}',
    ]
    for (const title of titles) await app.call(notes.create, { body: { title, content: '-' } }, account.auth)
    const found = async (text: string) => {
      const { results } = await app.call(notes.list, { query: { search: text, sort: 'title' } }, account.auth)
      return results.map(({ title }) => titles.indexOf(title))
    }
    expect(await found('№')).toEqual([3])
    for (const text of ['™', '´', '_', '…']) expect(await found(text)).toEqual([])
    for (const text of ['❤', '❤\u{FE0F}']) expect((await found(text)).toSorted()).toEqual([4, 5])
    expect(await found('❤\u{FE0F}\u{200D}🔥')).toEqual([4])
    // What cannot be seen is no query.
    expect(await found('\u{200B}\u{FE0F}')).toHaveLength(titles.length)
  })
})
