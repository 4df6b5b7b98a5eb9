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
      (title: string, content = 'текст', tags: string[] = []) =>
        app.call(notes.create, { body: { title, content, tags } }, account.auth),
  )
  .extend(
    'link',
    ({ app, account }) =>
      (title: string, url: string, description = 'описание') =>
        app.call(links.create, { body: { title, url, description, tags: [] } }, account.auth),
  )
  .extend('found', ({ app, account }) => async (text: string, more: Record<string, string> = {}) => {
    const query = { search: text, view: 'summary', ...more } as const
    const { partial, corrected, ...response } = await app.call(search, { query }, account.auth)
    const titles = [...response.notes, ...response.urllinks].map(({ title }) => title)
    expect(response.notes_count + response.urllinks_count).toBe(titles.length)
    if (corrected) {
      const again = await app.call(search, { query: { ...query, search: corrected.query } }, account.auth)
      expect(again).toEqual({ ...response, ...(partial && { partial }) })
    }
    return { titles, ...(partial && { partial }), ...(corrected && { corrected }) }
  })

describe('a list of some of the items', () => {
  it('shows no closest ones where another item has all words', async ({
    app,
    account,
    note,
    link,
    found,
  }) => {
    await note('Кот', 'рыжий кот спит на печи', ['дом'])
    await note('Собака', 'рыжая собака спит')
    await link('Кошки', 'https://example.org/', 'рыжий кот бегает')
    const query = { search: 'кот спит печи' }
    expect(await app.call(links.list, { query }, account.auth)).toEqual({ results: [], count: 0 })
    const untagged = { ...query, untagged: '1' } as const
    expect(await app.call(notes.list, { query: untagged }, account.auth)).toEqual({ results: [], count: 0 })
    const lacking = { search: 'кот спит печи кочерга' }
    expect(await app.call(links.list, { query: lacking }, account.auth)).toMatchObject({
      ...{ count: 1, partial: true },
    })
    expect((await found('кот спит печи')).titles).toEqual(['Кот'])
  })

  it('corrects no word that the closest items of another list have', async ({ app, account, note, link }) => {
    await note('Вертолёт', 'летал на Марсе полгода')
    await link('Праздник', 'https://example.org/', 'в марте')
    const query = { search: 'вертолёт летал на Марсе зимой' }
    expect(await app.call(notes.list, { query }, account.auth)).toMatchObject({ count: 1, partial: true })
    expect(await app.call(links.list, { query }, account.auth)).toEqual({ results: [], count: 0 })
  })
})

describe('a query of which not all words occur', () => {
  it('finds the items with the most and rarest of its words', async ({ note, found }) => {
    await note('Мост', 'проектировал инженер Озолс')
    await note('Башня', 'башню на площади проектировал Вайс')
    await note('Площадь', 'на площади рынок')
    await note('Рынок', 'на площади торгуют мёдом')
    expect(await found('кто проектировал ту башню на старой площади')).toEqual({
      titles: ['Башня', 'Площадь', 'Мост', 'Рынок'],
      partial: true,
    })
  })

  it('reads a pasted text to its end, however many words without a meaning come first', async ({
    note,
    found,
  }) => {
    await note('Утконос', 'плавает в реке')
    await note('Река', 'впадает в море')
    const first =
      'и в во не что он на я с со как а то все она так его но да ты к у же вы за бы по ее мне было вот от меня еще'
    expect(await found(`${first} скажите, где живёт утконос`)).toMatchObject({ titles: ['Утконос'] })
  })

  it('prefers the title to a tag, and a tag to the text', async ({ note, found }) => {
    await note('Первая', 'жираф в тексте')
    await note('Вторая', 'в тексте', ['жираф'])
    await note('Жираф', 'третий текст')
    expect((await found('где обитает жираф')).titles).toEqual(['Жираф', 'Вторая', 'Первая'])
  })

  it('prefers a short text to a long one', async ({ app, note, found }) => {
    await note('Заметка', 'жираф')
    app.advance(10)
    await note('Заметка из многих слов', `жираф ${'и другие звери саванны '.repeat(50)}`)
    expect((await found('где обитает жираф')).titles).toEqual(['Заметка', 'Заметка из многих слов'])
  })

  it('lists what is equal newest first', async ({ app, note, found }) => {
    for (const title of ['Один', 'Два', 'Три']) {
      await note(title, 'кенгуру')
      app.advance(10)
    }
    expect((await found('почему кенгуру прыгают')).titles).toEqual(['Три', 'Два', 'Один'])
  })

  it('is not matched in part if it finds something, in another layout or spelling too', async ({
    note,
    found,
  }) => {
    await note('Красное вино')
    await note('Красный дом')
    expect(await found('красное вино')).toEqual({ titles: ['Красное вино'] })
    expect(await found('rhfcyjt dbyj')).toEqual({
      titles: ['Красное вино'],
      corrected: { query: 'красное вино' },
    })
    expect(await found('краснае вино')).toEqual({
      titles: ['Красное вино'],
      corrected: { query: 'красное вино' },
    })
  })

  it('is matched literally where that is asked for', async ({ note, found }) => {
    await note('Красное вино')
    expect(await found('красное молоко')).toEqual({ titles: ['Красное вино'], partial: true })
    expect(await found('красное молоко', { exact: '1' })).toEqual({ titles: [] })
  })

  it('takes the last word as a beginning where it is no word', async ({ note, found }) => {
    await note('Башня ратуши')
    expect((await found('неведомая баш')).titles).toEqual(['Башня ратуши'])
    expect((await found('баш неведомая')).titles).toEqual([])
  })

  it('finds words beyond the part of a text that is read', async ({ note, found }) => {
    await note('Длинный', `${'слово '.repeat(10_000)} птеродактиль`)
    await note('Короткий', 'слово')
    expect((await found('где водится птеродактиль')).titles).toEqual(['Длинный'])
  })
})

describe('a question in the other keyboard layout', () => {
  it('is matched in part as it was meant', async ({ note, found }) => {
    await note('Башня', 'на площади проектировал Вайс')
    await note('Рынок', 'мёд и сыр')
    expect(await found('rnj ghjtrnbhjdfk ,fiy. d pfujhmt')).toEqual({
      titles: ['Башня'],
      partial: true,
      corrected: { query: 'кто проектировал башню в загорье' },
    })
    expect(await found('rnj ghjtrnbhjdfk ,fiy. d pfujhmt', { exact: '1' })).toEqual({ titles: [] })
  })

  it('keeps the words that occur as they are typed', async ({ note, found }) => {
    await note('Башня', 'на площади проектировал Вайс')
    await note('Tower', 'of the square')
    const { titles, corrected } = await found('tower ghjtrnbhjdfk yfd')
    expect([titles.toSorted(), corrected]).toEqual([['Tower', 'Башня'], { query: 'tower проектировал yfd' }])
  })

  it('is searched anew: an item may have all of its words, or one be misspelt', async ({ note, found }) => {
    await note('Башня', 'на площади проектировал Вайс')
    await note('Docker compose volumes монтируются снаружи контейнера')
    expect(await found('vjynbhe.ncz cyfhe;b rjyntqythf docker compose volumes')).toEqual({
      titles: ['Docker compose volumes монтируются снаружи контейнера'],
      corrected: { query: 'монтируются снаружи контейнера docker compose volumes' },
    })
    expect(await found('rnj ghftrnbhjdfk ,fiy.')).toEqual({
      titles: ['Башня'],
      partial: true,
      corrected: { query: 'кто проектировал башню' },
    })
  })

  it('keeps words without meaning, whatever they are in the other', async ({ note, found }) => {
    await note('Docker vs Podman')
    await note('Файл на 100 KB')
    await note('Поездка в Ригу')
    expect(await found('как мы ездили в Ригу')).toEqual({ titles: ['Поездка в Ригу'], partial: true })
    expect(await found('есть ли бозон Хиггса')).toEqual({ titles: [] })
  })

  it('is read with its words without meaning', async ({ note, found }) => {
    await note('Новости города')
    expect(await found('yjdjcnb d ujhjlt')).toEqual({
      titles: ['Новости города'],
      partial: true,
      corrected: { query: 'новости в городе' },
    })
  })

  it('makes no word without a meaning of an unknown one', async ({ note, found }) => {
    await note('React и Vue')
    expect(await found('react vs vue')).toEqual({ titles: ['React и Vue'], partial: true })
    await note('Как мы выбирали', 'React и Vue')
    expect((await found('react vs vue')).titles.toSorted()).toEqual(['React и Vue', 'Как мы выбирали'])
    await note('Гитара')
    expect(await found('гитара хб')).toEqual({ titles: ['Гитара'], partial: true })
  })

  it('needs one of a few words with a meaning, however many without it stand beside them', async ({
    note,
    found,
  }) => {
    await note('Роутер', 'в августе стоял на дачах')
    expect(await found('rfr gthtpfuhepbnm bynthytn yf lfxt')).toEqual({
      titles: ['Роутер'],
      partial: true,
      corrected: { query: 'как перезагрузить интернет на даче' },
    })
  })

  it('is not that of sizes, nor of one word among many', async ({ note, found }) => {
    await note('Кабель', 'ab')
    expect(await found('кабель 3х2.5 гост')).toEqual({ titles: ['Кабель'], partial: true })
    expect(await found('щзу шщы чыщ лещ фи вэщ чощ')).toEqual({ titles: [] })
  })

  it('is as it was typed where it means nothing in the other', async ({ note, found }) => {
    await note('Башня')
    expect(await found('rnj d pfujhmt')).toEqual({ titles: [] })
    expect(await found('башня d pfujhmt')).toEqual({ titles: ['Башня'], partial: true })
  })
})

describe('short words', () => {
  const NOTES = [
    ['Квартира родителей', 'ул. Ленина, д. 12, кв. 34, домофон работает'],
    ['Болты для полки', 'М8 40 мм, М6 30 мм'],
    ['Ноутбук', 'ThinkPad T14 G3, 32 ГБ, SSD 1 ТБ, i7, 14 дюймов'],
    ['Масло в машину', '5W-40, пять литров'],
    ['Анализы мамы', 'ТТГ, Т4 св., Т3, АТ к ТПО'],
    ['Телевизор', 'LG OLED 55 дюймов, 4K, ТВ в гостиную'],
    ['Чем отличаются 5G и 4G', '3G отключают'],
    ['ИИ в проектах', 'JS, TS и Go'],
    ['Лекции', 'курс по ML и DL'],
    ['Квартира сестры', 'ул. Ленина, д. 48, кв. 7'],
  ] as const

  it.for([
    ['Квартира родителей', 'ул Ленина 12 кв 34 подъезд 2'],
    ['Квартира родителей', 'Ленина 12 кв 34 код'],
    ['Квартира родителей', 'код домофона ул. Ленина, 12'],
    ['Болты для полки', 'болты М8 40 мм DIN 933'],
    ['Ноутбук', 'ноутбук 14 32 ГБ 1 ТБ i5'],
    ['Масло в машину', 'масло 5W 40 на ВАЗ 21 07'],
    ['Анализы мамы', 'т3 т4 св ат норма'],
    ['Телевизор', 'купить ТВ 55 LG 4K OLED'],
    ['Чем отличаются 5G и 4G', 'чем 5g лучше 4g и 3g для звонков'],
    ['ИИ в проектах', 'какой ИИ лучше пишет код на JS и на Go'],
    ['ИИ в проектах', 'какая нейросеть умеет ревьюить TS и Go'],
    ['Лекции', 'AI ML DL CV NLP курс'],
  ] as const)('decide as others do: %s is found by %j', async ([title, query], { app, note, found }) => {
    for (const [title, text] of NOTES) {
      await note(title, text)
      app.advance(10)
    }
    const { titles, partial } = await found(query)
    expect([titles[0], partial]).toEqual([title, true])
  })

  it('find nothing alone among many that are unknown', async ({ note, found }) => {
    for (const [title, text] of NOTES) await note(title, text)
    expect(await found('жщу ряп блям мм зы турл вымз хек')).toEqual({ titles: [] })
    expect((await found('жщу ряп блям мм М8 турл вымз 40')).titles).toEqual(['Болты для полки'])
  })

  it('are marked where they match', async ({ app, account, note }) => {
    await note('ЖК «Речной»', '12 этаж')
    const query = { search: 'ЖК 12 этаж ПИК до МКАД', view: 'summary' } as const
    const { notes: found } = await app.call(search, { query }, account.auth)
    expect(found[0]?.highlights).toMatchObject({
      title: [[0, 2]],
      excerpt: [
        [0, 2],
        [3, 7],
      ],
    })
  })
})

describe('what decides', () => {
  it('is the meaning: a word that occurs is corrected by no other because of stop words', async ({
    note,
    found,
  }) => {
    await note('Клады Сибири')
    await note('Что такое склады')
    expect(await found('Что такое клады?')).toEqual({ titles: ['Клады Сибири'], partial: true })
  })

  it('is the meaning: an unknown word is corrected by one that occurs beside the others', async ({
    note,
    found,
  }) => {
    await note('Башня', 'на площади проектировал Вайс')
    await note('Башни', 'в лесу')
    expect(await found('кто праектировал башню')).toEqual({
      titles: ['Башня', 'Башни'],
      partial: true,
      corrected: { query: 'кто проектировал башню' },
    })
    await note('Стол', 'проект')
    expect((await found('кто праектировал столы')).corrected).toBeUndefined()
  })

  it('are no words without meaning', async ({ note, found }) => {
    await note('Кто в каком доме', 'что это и как the how')
    for (const text of ['кто что невиданное', 'в каком неведомом', 'how the unseen'])
      expect(await found(text)).toEqual({ titles: [] })
  })

  it('is not one known word among many unknown ones', async ({ note, found }) => {
    for (let at = 0; at < 12; at += 1) await note(`Мост ${at}`)
    expect(await found('мост жщукрат вымзок ряпухла блямсы турлык')).toEqual({ titles: [] })
    expect((await found('мост жщукрат')).titles.length).toBe(12)
  })
})

it('looks for the rarest of many words, wherever they stand', async ({ note, found }) => {
  const fruit =
    'яблоко груша слива вишня персик абрикос дыня арбуз малина смородина крыжовник клубника черника голубика брусника клюква'
  for (let at = 0; at < 12; at += 1) await note(`Сад ${at}`, fruit)
  await note('Зоопарк', 'утконос')
  const { titles, partial } = await found(`${fruit} утконос`)
  expect([titles.length, titles.at(-1), partial]).toEqual([13, 'Зоопарк', true])
  // Unknown words beside them change nothing.
  expect((await found(`жщукрат вымзок ${fruit} ряпухла утконос`)).titles).toEqual(titles)
})

it('finds by a few words of a long text that is pasted', async ({ note, found }) => {
  await note('Зоопарк', 'утконос, ехидна, вомбат, кенгуру, коала, кускус, потору и бандикут')
  const invented = Array.from({ length: 50 }, (_, at) => `жщу${'аоуэыие'[at % 7]}${'бвгдзклм'[at % 8]}рт`)
  const { titles } = await found(
    `${invented.join(' ')} утконос ехидна вомбат кенгуру коала кускус потору бандикут`,
  )
  expect([new Set(invented).size, titles]).toEqual([50, ['Зоопарк']])
})

it('finds what is written in one word by its parts, and the other way round', async ({ note, found }) => {
  await note('Всё про nodejs')
  expect(await found('почему node.js медленный')).toEqual({ titles: ['Всё про nodejs'], partial: true })
  await note('Установка на node.js')
  expect((await found('почему nodejs медленный')).titles.length).toBe(2)
})

it('finds a word that is typed in two ways in both', async ({ app, note, found }) => {
  for (const title of ['nodejs', 'js', 'node']) {
    await note(title)
    app.advance(10)
  }
  expect((await found('node.js на node')).titles).toEqual(['nodejs', 'node', 'js'])
})

it('finds nothing of other people, and nothing in the trash', async ({ app, account, note, found }) => {
  const other = await newAccount(app)
  const body = { title: 'Чужая башня', content: 'на площади', tags: [] }
  await app.call(notes.create, { body }, other.auth)
  const { id } = await note('Башня', 'на площади')
  expect((await found('где башня на горе')).titles).toEqual(['Башня'])
  await app.call(notes.remove, { params: { id } }, account.auth)
  expect(await found('где башня на горе')).toEqual({ titles: [] })
})

it('corrects a word beside an unknown one where else nothing is found', async ({ note, found }) => {
  await note('Башня', 'проектировал Вайс')
  const corrected = { query: 'кто проектировал загорье' }
  expect(await found('кто праектировал загорье')).toEqual({ titles: ['Башня'], partial: true, corrected })
  expect(await found('жщукрат ряпухла блямсы')).toEqual({ titles: [] })
  expect((await found('башня праектировалл загорье')).corrected).toBeUndefined()
})

describe('a list of items without tags', () => {
  it('finds those of them, however many others have the words', async ({ app, account, note }) => {
    await note('Кит', 'плавает в синем море')
    app.advance(10)
    let id = ''
    for (let at = 0; at < 150; at += 1) {
      const { tags } = await note(`Кит ${at}`, 'плавает в море', ['море'])
      id = tags[0]?.id ?? ''
    }
    app.advance(10)
    await note('Море', 'синее')
    const titlesOf = async (text: string) => {
      const query = { search: text, untagged: '1' } as const
      const { results, partial } = await app.call(notes.list, { query }, account.auth)
      return { titles: results.map(({ title }) => title), partial }
    }
    expect(await titlesOf('кит плавает в море неведомом')).toEqual({ titles: ['Кит', 'Море'], partial: true })
    expect(await titlesOf('кит плавает неведомый')).toEqual({ titles: ['Кит'], partial: true })
    // Of a word beyond the part that is read the index knows.
    await note('Длинная', `${'слово '.repeat(10_000)} птеродактиль`)
    expect(await titlesOf('где водится птеродактиль')).toEqual({ titles: ['Длинная'], partial: true })
    await app.call(tags.remove, { params: { id } }, account.auth)
    expect((await titlesOf('кит плавает в море неведомом')).titles.length).toBe(15)
  })
})

it('does not say that no item has all words where one has them beside an excluded one', async ({
  note,
  link,
  found,
}) => {
  await link('Рецепт карбонары', 'https://example.org/', 'без сливок')
  await note('Рецепт борща')
  expect(await found('рецепт карбонары -сливок')).toEqual({ titles: [] })
  expect((await found('рецепт карбонары с беконом -сливок')).titles).toEqual(['Рецепт борща'])
})

it('says that no item has all words of what is asked for with a tag, a site or a phrase only where none has', async ({
  note,
  link,
  found,
}) => {
  await note('Рецепт карбонары', 'о море и ветре', ['ужин'])
  await note('Рецепт борща', 'о ветре', ['суп'])
  await link('Рецепт', 'https://example.org/')
  for (const text of [
    'рецепт карбонары tag:суп',
    'рецепт карбонары site:example.org',
    '"о ветре" рецепт карбонары',
  ])
    expect([text, await found(text)]).toEqual([text, { titles: [] }])
  expect((await found('рецепт солянки tag:суп')).titles).toEqual(['Рецепт борща'])
})

describe('what must hold', () => {
  it('is found by itself beside words without meaning', async ({ note, link, found }) => {
    await note('Красивая книга', 'о море', ['чтение'])
    await note('Книга красивая', 'о море')
    await link('Хабр', 'https://habr.com/1')
    for (const text of ['что такое "красивая книга"', 'это tag:чтение', 'кто tag:чтение -кит'])
      expect(await found(text)).toEqual({ titles: ['Красивая книга'], partial: true })
    expect(await found('как site:habr.com')).toEqual({ titles: ['Хабр'], partial: true })
    expect(await found('как -site:habr.com')).toEqual({ titles: [] })
  })

  it('is, where it is a phrase, found beside unknown words', async ({ note, found }) => {
    await note('Красивая книга', 'о море', ['чтение'])
    await note('Жираф', 'в саванне')
    for (const text of ['"красивая книга" утконос', '"красивая книга" жираф'])
      expect(await found(text)).toEqual({ titles: ['Красивая книга'], partial: true })
    expect(await found('tag:чтение утконос')).toEqual({ titles: [] })
  })

  it('are tags, sites, phrases and excluded words', async ({ note, link, found }) => {
    await note('Синий кит', 'живёт в океане', ['море'])
    await note('Белый кит', 'роман про океан', ['книги'])
    await link('Кит на Хабре', 'https://habr.com/kit', 'океан данных')
    const text = 'почему кит синеет'
    expect((await found(text)).titles.length).toBe(3)
    expect((await found(`${text} tag:море`)).titles).toEqual(['Синий кит'])
    expect((await found(`${text} -tag:море`)).titles.toSorted()).toEqual(['Белый кит', 'Кит на Хабре'])
    expect((await found(`${text} site:habr.com`)).titles).toEqual(['Кит на Хабре'])
    expect((await found(`${text} "роман про"`)).titles).toEqual(['Белый кит'])
    expect((await found(`${text} -роман`)).titles.toSorted()).toEqual(['Кит на Хабре', 'Синий кит'])
    expect((await found(`${text} -"океан данных"`)).titles.toSorted()).toEqual(['Белый кит', 'Синий кит'])
    expect((await found(`${text} site:example.org`)).titles).toEqual([])
  })
})

it('has a phrase of the query in exactly its form before others', async ({ app, note, found }) => {
  await note('Красивая книга', 'про жирафов')
  app.advance(10)
  await note('Красивые книги про жирафов', 'жирафы, жирафы')
  expect((await found('кому жирафы "красивая книга" неведомы')).titles).toEqual([
    'Красивая книга',
    'Красивые книги про жирафов',
  ])
})

describe('the lists', () => {
  it('are matched in part by themselves, a page at a time', async ({ app, account, note, link }) => {
    for (let at = 0; at < 17; at += 1) await note(`Кит ${at}`)
    await link('Кит плывёт', 'https://example.org/')
    const query = { search: 'кит летит', view: 'summary' } as const
    const list = await app.call(notes.list, { query: { ...query, page: '2' } }, account.auth)
    expect([list.results.length, list.count, list.partial]).toEqual([2, 17, true])
    const sorted = await app.call(notes.list, { query: { ...query, sort: 'title' } }, account.auth)
    expect([sorted.results[0]?.title, sorted.count]).toEqual(['Кит 0', 17])
    const linked = await app.call(links.list, { query }, account.auth)
    expect([linked.count, linked.partial]).toEqual([1, true])
  })

  it('keep to their tag, and to items without tags', async ({ app, account, note }) => {
    const { tags } = await note('Кит в море', 'текст', ['море'])
    await note('Кит без тега')
    const titlesOf = async (more: { tag?: string; untagged?: '1' }) => {
      const query = { search: 'кит летит', view: 'summary', ...more } as const
      return (await app.call(notes.list, { query }, account.auth)).results.map(({ title }) => title)
    }
    expect(await titlesOf({ tag: tags[0]?.id ?? '' })).toEqual(['Кит в море'])
    expect(await titlesOf({ untagged: '1' })).toEqual(['Кит без тега'])
  })
})

it('highlights the words that did match', async ({ app, account, note }) => {
  await note('О башнях', 'Башню и площадь проектировал не он', ['Башни'])
  const query = { search: 'кто он проектировал башню ратуши', view: 'summary' } as const
  const { notes: found } = await app.call(search, { query }, account.auth)
  expect(found[0]?.highlights).toEqual({
    title: [[2, 8]],
    excerpt: [
      [0, 5],
      [16, 28],
    ],
    tags: [{ name: 'Башни', ranges: [[0, 5]] }],
  })
})
