import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { describe, expect } from 'vitest'
import { test } from '../testing/fixtures.ts'

const it = test
  .extend(
    'note',
    ({ app, account }) =>
      (content: string, title = 'Заголовок') =>
        app.call(notes.create, { body: { title, content, tags: [] } }, account.auth),
  )
  .extend(
    'link',
    ({ app, account }) =>
      (url: string) =>
        app.call(
          links.create,
          { body: { title: 'Адрес', description: 'описание', url, tags: [] } },
          account.auth,
        ),
  )
  /** Whether the query itself, without a suggestion, finds the only item. */
  .extend('isFound', ({ app, account }) => async (text: string): Promise<boolean> => {
    const query = { search: text, exact: '1', view: 'summary' } as const
    const { notes_count, urllinks_count } = await app.call(search, { query }, account.auth)
    return notes_count + urllinks_count === 1
  })

describe('forms of words', () => {
  it.for([
    ['заметка', 'заметками'],
    ['заметками', 'заметка'],
    ['книги', 'книгу другой'],
    ['Ёлки у реки', 'елка река'],
    ['Он бежал домой', 'бежать дом'],
    ['running shoes', 'run shoe'],
    ['run', 'running'],
    ['universities', 'university'],
    ['подпись и запись', 'записи подписями'],
    ['хлеба и зрелищ', 'зрелища хлебом'],
    ['список подарков', 'списки подарок'],
    ['подарки и списки', 'подарок список'],
    ['сто заметок и ссылок', 'заметка ссылка'],
    ['заметка и ссылка', 'заметок ссылок'],
    ['холодец в конце', 'холодца конец'],
    ['палец бойца', 'пальцы боец'],
    ['пять копеек, огонёк', 'копейка огоньки'],
    ['Иванов и Чехов', 'чехова иванову'],
    ['у Чехова и Иванова', 'чехов иванов'],
    ['корова без головы', 'коров голов'],
    ['окно на первом этаже', 'окон'],
    ['письма сестёр', 'письмо сестра'],
    ['в один из дней', 'день'],
    ['добрые люди и дети', 'человек ребёнка'],
    ['куплю молоко', 'купить'],
    ['надо купить молоко', 'куплю'],
    ['пишу письмо', 'писать'],
    ['отец использует телефон', 'использовать'],
    ['видел горы', 'вижу'],
    ['журналы на столе', 'журнал'],
    ['много проблем', 'проблема'],
    ['нашли ключи', 'найти ключ'],
    ['she wrote letters to the children', 'write child'],
    ['write', 'written'],
  ] as const)('%j is found by %j', async ([stored, asked], { note, isFound }) => {
    await note(`${stored} другой`)
    expect(await isFound(asked)).toBe(true)
  })

  it.for([
    ['running', ['run', 'runn', 'runni', 'runnin', 'running']],
    ['happiness', ['happ', 'happi', 'happin', 'happine', 'happiness']],
    ['national', ['nat', 'nationa', 'national']],
    ['hoping', ['hop', 'hopi', 'hopin']],
    ['красивость', ['краси', 'красив', 'красиво', 'красивост', 'красивость']],
    ['работающий', ['рабо', 'работаю', 'работающ', 'работающий']],
    ['covid19', ['cov', 'covid', 'covid1', 'covid19']],
  ] as const)(
    'every prefix of %j finds it as the last word',
    async ([stored, prefixes], { note, isFound }) => {
      await note(`один ${stored} здесь`)
      for (const prefix of prefixes)
        expect([prefix, await isFound(`здесь ${prefix}`)]).toEqual([prefix, true])
    },
  )

  it('completes a group as a whole, not its single words', async ({ note, isFound }) => {
    await note('дом в городе')
    for (const query of ['бизнес-дома', 'бизнес-дома городе', 'бизнес-городе'])
      expect([query, await isFound(query)]).toEqual([query, false])
  })

  it('matches only the last word as a prefix', async ({ note, isFound }) => {
    await note('понедельник суббота')
    expect(await isFound('понед суббота')).toBe(false)
    expect(await isFound('суббота понед')).toBe(true)
  })

  it('matches a single letter as a whole word', async ({ note, isFound }) => {
    await note('понедельник, п. 5')
    expect(await isFound('понедельник п')).toBe(true)
    expect(await isFound('5 по')).toBe(true)
    expect(await isFound('заголовок н')).toBe(false)
  })
})

describe('words that are not only letters', () => {
  it.for([
    ['рок-н-ролл', ['рок-н-ролл', 'рок н ролл', 'рокнролл', 'ролл', 'РОК-Н-РОЛЛ']],
    ['COVID-19', ['COVID-19', 'covid 19', 'covid19', 'covid']],
    ['covid19', ['covid19', 'COVID-19']],
    ['C++', ['C++', 'c++', 'c', 'с++']],
    ['С++', ['c++', 'С++']],
    ['C#', ['C#', 'c', 'с#']],
    ['node.js', ['node.js', 'nodejs', 'node', 'Node.JS', 'js']],
    ['1С', ['1С', '1с', '1C']],
    ['1C', ['1С', '1C']],
    ['3D-принтер', ['3d принтер', '3D-принтеры', '3d']],
    ['отчёт_2024-03-15.final.pdf', ['отчёт_2024-03-15.final.pdf', 'отчет 2024', '2024-03-15', 'pdf']],
    [
      'https://example.org/path/page.html?x=42',
      ['https://example.org/path/page.html?x=42', 'example.org', 'page.html'],
    ],
    ['ivan.petrov@example.org', ['ivan.petrov@example.org', 'petrov', '@example.org']],
    ["don't", ["don't", 'dont', 'don’t']],
    ['сoвет', ['совет', 'советы']],
    ['сло\u00ADво', ['слово']],
    ['cafe\u0301', ['café', 'CAFE']],
    ['naïve façade', ['naive facade']],
    ['Straße', ['strasse', 'STRASSE']],
    ['ΟΔΟΣ', ['οδος', 'οδοσ']],
    ['ｆｕｌｌｗｉｄｔｈ', ['fullwidth']],
    ['№ 15 — 20%', ['15', '20%', '№ 15']],
    ['+7 (921) 123-45-67', ['+7 (921) 123-45-67', '123-45-67', '921']],
    ['8-800-555-35-35', ['8-800-555-35-35', '88005553535', '555-35-35']],
    ['88005553535', ['8-800-555-35-35']],
    [
      'https://ru.wikipedia.org/wiki/%D0%A2%D0%B8%D1%85%D0%B8%D0%B9_%D0%94%D0%BE%D0%BD',
      ['тихий дон', 'https://ru.wikipedia.org/wiki/%D0%A2%D0%B8%D1%85%D0%B8%D0%B9_%D0%94%D0%BE%D0%BD'],
    ],
    [
      'https://mail.xn--80a1acny.xn--p1ai/inbox',
      ['почта', 'почта.рф', 'mail', 'mail.xn--80a1acny.xn--p1ai', 'https://mail.xn--80a1acny.xn--p1ai/inbox'],
    ],
  ] as const)('%j is found as people type it', async ([stored, queries], { note, isFound }) => {
    await note(`до ${stored} после`)
    for (const query of queries) expect([query, await isFound(query)]).toEqual([query, true])
  })

  it('keeps c, c++ and c# apart', async ({ note, isFound }) => {
    await note('язык C')
    expect(await isFound('c++')).toBe(false)
    expect(await isFound('c#')).toBe(false)
  })
})

describe('texts with markup', () => {
  it('are found by what a reader sees', async ({ note, isFound }) => {
    await note('<p>Сало &amp; хлеб &lt;тег&gt;</p><ul><li>один</li><li>два</li></ul><p>вы<b>деле</b>но</p>')
    for (const query of ['сало хлеб', '<тег>', 'один', 'два', 'выделено'])
      expect([query, await isFound(query)]).toEqual([query, true])
    for (const query of ['amp', 'lt', 'ul', 'li', 'одиндва', 'strong'])
      expect([query, await isFound(query)]).toEqual([query, false])
  })
})

describe('addresses', () => {
  it.for([
    ['https://ru.wikipedia.org/wiki/%D0%9C%D0%BE%D1%81%D0%BA%D0%B2%D0%B0', ['москва', 'москвы', 'wikipedia']],
    [
      'https://xn--80a1acny.xn--p1ai/',
      ['почта', 'почты', 'почта.рф', 'https://почта.рф/', 'xn--80a1acny.xn--p1ai'],
    ],
    ['https://пример.рф/%D1%91%D0%BB%D0%BA%D0%B0?q=a+b', ['елка', 'пример.рф']],
    ['https://example.org/%E0%A4%A', ['example.org']],
  ] as const)(
    '%s is found by its words, and stored exact',
    async ([url, queries], { app, account, link, isFound }) => {
      const { id } = await link(url)
      for (const query of [...queries, url]) expect([query, await isFound(query)]).toEqual([query, true])
      const { url: stored } = await app.call(links.read, { params: { id } }, account.auth)
      expect(stored).toBe(url)
    },
  )
})
