import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { expect } from 'vitest'
import { test } from '../testing/fixtures.ts'
import { newAccount } from '../testing/new-account.ts'
import { RUSSIAN } from '../testing/questions/russian.ts'

const it = test
  .extend(
    'note',
    ({ app, account }) =>
      (title: string, content: string, tags: string[] = []) =>
        app.call(notes.create, { body: { title, content, tags } }, account.auth),
  )
  .extend('similar', ({ app, account }) => async (id: string) => {
    const { results } = await app.call(notes.similar, { params: { id } }, account.auth)
    return results
  })

it('finds items of both kinds with rare words in common, the most alike first', async ({
  app,
  account,
  note,
  similar,
}) => {
  const { id } = await note('Закваска для ржаного хлеба', '<p>Мука, вода и терпение</p>')
  await note('Ржаной хлеб', '<p>Закваску кормят мукой</p>')
  const body = {
    ...{
      title: 'Хлеб на закваске',
      url: 'https://example.org/',
      description: '<p>рецепт</p>',
      tags: ['еда'],
    },
  }
  const link = await app.call(links.create, { body }, account.auth)
  await note('Велосипед', '<p>Цепь и тормоза</p>')
  const [first, second, ...others] = await similar(id)
  expect([first?.kind, first?.title, others]).toEqual(['note', 'Ржаной хлеб', []])
  expect(second).toEqual({
    ...{ kind: 'urllink', id: link.id, title: body.title, url: body.url, excerpt: 'рецепт' },
    ...{ tags: link.tags, pinned: false, created_at: link.created_at, updated_at: link.updated_at },
  })
  const { results } = await app.call(links.similar, { params: { id: link.id } }, account.auth)
  expect(results.map(({ title }) => title)).toEqual(['Ржаной хлеб', 'Закваска для ржаного хлеба'])
})

it('finds items with a tag and a word in common', async ({ note, similar }) => {
  const { id } = await note('Шахматы', '<p>Дебют</p>', ['кружок'])
  await note('Турнир', '<p>Эндшпиль, а потом шахматы</p>', ['кружок'])
  await note('Расписание', '<p>По вторникам</p>', ['кружок'])
  expect((await similar(id)).map(({ title }) => title)).toEqual(['Турнир'])
})

it('compares the first tags by name where more are as rare as each other', async ({ note, similar }) => {
  for (const name of ['д', 'г', 'в', 'б', 'а']) await note(`Первая с тегом ${name}`, '<p>…</p>', [name])
  const { id } = await note('Перечень', '<p>Опись</p>', ['а', 'б', 'в', 'г', 'д'])
  await note('Начало', '<p>Азбука</p>', ['а', 'б'])
  await note('Конец', '<p>Буквы</p>', ['г', 'д'])
  await note('Середина', '<p>Слоги</p>', ['в'])
  expect((await similar(id)).map(({ title }) => title)).toEqual(['Начало'])
})

it('finds what has rare tags in common and no word', async ({ note, similar }) => {
  const { id } = await note('Шарлотка', '<p>Антоновка, корица, тесто, духовка, форма, сахар, мука</p>', [
    'осень',
    'десерты',
  ])
  await note('Штрудель', '<p>Груша и слоёные листы</p>', ['осень', 'десерты'])
  await note('Зонт', '<p>Забрать из мастерской</p>', ['осень'])
  expect((await similar(id)).map(({ title }) => title)).toEqual(['Штрудель'])
})

it('compares the text beside a title of many words', async ({ note, similar }) => {
  const { id } = await note(
    'Заметки выходного дня: парк, музей, обед, прогулка, закат, усталость',
    '<p>Утконос, ехидна и кенгуру</p>',
  )
  await note('Зоопарк', '<p>Ехидна, утконос, кенгуру</p>')
  expect((await similar(id)).map(({ title }) => title)).toEqual(['Зоопарк'])
})

it('finds what has rare words in common that stand behind many that nobody else has', async ({
  note,
  similar,
}) => {
  const own = 'исследование наблюдение предложение организация содержание возможность направление'
  const { id } = await note('Отчёт', `<p>${own} ${own}, утконос, ехидна</p>`)
  await note('Зоопарк', '<p>Ехидна, утконос, кенгуру</p>')
  expect((await similar(id)).map(({ title }) => title)).toEqual(['Зоопарк'])
})

it('compares the rarest words, not those that the item has most often', async ({ note, similar }) => {
  const often = ['неделя', 'план', 'работа', 'встреча', 'задача', 'команда', 'проект', 'срок']
  const text = often.join(' ')
  const { id } = await note('Отчёт', `<p>${text}. ${text}. Утконос, ехидна</p>`)
  for (const [at, word] of often.entries())
    await note(`Планёрка ${at}`, `<p>${word}, ${often[(at + 1) % often.length]}</p>`)
  await note('Зоопарк', '<p>Ехидна, утконос, кенгуру</p>')
  expect((await similar(id))[0]?.title).toBe('Зоопарк')
})

it('compares the rarest tags', async ({ note, similar }) => {
  const common = ['дом', 'семья', 'город', 'работа', 'отдых']
  for (let at = 0; at < 9; at += 1) await note(`Дело ${at}`, '<p>Разное</p>', common)
  const { id } = await note('Шарлотка', '<p>Антоновка</p>', [...common, 'осень', 'десерты'])
  await note('Штрудель', '<p>Груша</p>', ['осень', 'десерты'])
  expect((await similar(id))[0]?.title).toBe('Штрудель')
})

it('finds nothing by what most items of a small account have', async ({ note, similar }) => {
  for (let at = 0; at < 24; at += 1) await note(`Дело ${at}`, '<p>Разное</p>', ['зоо', 'море'])
  const { id } = await note('Кит', '<p>Плавает</p>', ['зоо', 'море'])
  expect(await similar(id)).toEqual([])
})

it('finds nothing by a small part of what an item is about', async ({ note, similar }) => {
  const about = (topic: string) => Array.from({ length: 8 }, (_, at) => `${topic}${'бвгджзкл'[at]}`).join(' ')
  const { id } = await note(about('утконос'), `<p>${about('ехидна')} вторник среда</p>`)
  await note(about('кенгуру'), `<p>${about('страус')} вторник среда</p>`)
  for (let at = 0; at < 18; at += 1) await note(`День ${at}`, '<p>вторник среда</p>')
  expect(await similar(id)).toEqual([])
})

it('finds nothing by a few words that texts about anything have', async ({ note, similar }) => {
  const texts = [
    [
      'Замена котла на даче',
      'Старый газовый котёл проработал девятнадцать лет и дал течь. Мастер поставил новый за 64 тысячи рублей вместе с дымоходом. Гарантия до марта, чек лежит в синей папке. Раз в год надо чистить горелку.',
    ],
    [
      'Вычет за лечение',
      'Подать декларацию можно три года. Чек и справку из клиники приложить, рублей вернут тринадцать процентов. Инспекция ответила в марте, деньги пришли на карту через четыре месяца.',
    ],
    [
      'Осмотр машины',
      'Мастер поменял колодки и масло, взял девять тысяч рублей. Следующий раз через год или десять тысяч километров. Запасные свечи лежат в багажнике, страховку продлить до лета.',
    ],
    [
      'Bread that never fails',
      'Knead for ten minutes, rest it for two hours, bake for forty minutes. Takes one day.',
    ],
    [
      'The night train',
      'It takes ten hours and two changes. Forty minutes in Linz, then one more hour to the lake.',
    ],
  ] as const
  const ids = []
  for (const [title, text] of texts) ids.push((await note(title, `<p>${text}</p>`)).id)
  for (const id of ids) expect(await similar(id)).toEqual([])
})

it('finds by its only word', async ({ note, similar }) => {
  const { id } = await note('Ежевика', '<p>ежевика</p>')
  await note('Ежевика', '<p>…</p>')
  expect((await similar(id)).map(({ title }) => title)).toEqual(['Ежевика'])
})

it('finds nothing where nothing is alike', async ({ note, similar }) => {
  const { id } = await note('Закваска', '<p>Мука и вода</p>')
  await note('Велосипед', '<p>Цепь, тормоза и вода во фляге</p>')
  expect(await similar(id)).toEqual([])
  const { id: empty } = await note('???', '<p>и</p>')
  expect(await similar(empty)).toEqual([])
})

it('finds at most six, and mostly what is about the same thing', async ({ app, account, note, similar }) => {
  const topics = RUSSIAN.slice(0, 6).map(({ title, paragraphs }) => ({
    title,
    texts: paragraphs.map(([text]) => text),
  }))
  const ids: string[] = []
  for (const { title, texts } of topics)
    for (const text of texts) ids.push((await note(title, `<p>${text}</p>`)).id)
  let [all, others] = [0, 0]
  for (const id of ids) {
    const { title } = await app.call(notes.read, { params: { id } }, account.auth)
    const found = (await similar(id)).map((item) => item.title)
    expect(found.length).toBeLessThanOrEqual(6)
    expect(found.slice(0, 4)).toEqual(Array(4).fill(title))
    all += found.length
    others += found.filter((one) => one !== title).length
  }
  expect(others).toBeLessThan(all / 20)
})

it('finds the same for an item until it is deleted', async ({ app, account, note, similar }) => {
  const { id } = await note('Закваска для хлеба', '<p>Мука</p>')
  const other = await note('Хлеб на закваске', '<p>Мука</p>')
  expect((await similar(id)).map((item) => item.id)).toEqual([other.id])
  await app.call(notes.remove, { params: { id: other.id } }, account.auth)
  expect(await similar(id)).toEqual([])
  await app.call(notes.remove, { params: { id } }, account.auth)
  expect((await app.request(notes.similar, { params: { id } }, account.auth)).status).toBe(404)
})

it('finds nothing of other people, and nothing in the trash until it is restored', async ({
  app,
  account,
  note,
  similar,
}) => {
  const { id } = await note('Закваска для хлеба', '<p>Ржаная мука</p>')
  const other = await newAccount(app)
  const body = { title: 'Хлеб на закваске', content: '<p>Ржаная мука</p>', tags: [] }
  await app.call(notes.create, { body }, other.auth)
  expect(await similar(id)).toEqual([])
  const own = await note(body.title, body.content)
  await app.call(notes.remove, { params: { id: own.id } }, account.auth)
  expect(await similar(id)).toEqual([])
  await app.call(trash.restore, { body: { ids: [own.id] } }, account.auth)
  expect((await similar(id)).map(({ title }) => title)).toEqual([body.title])
})

it('lists items that are equally alike newest first', async ({ app, note, similar }) => {
  const ids: string[] = []
  for (let at = 0; at < 12; at += 1) {
    app.advance(2)
    ids.push((await note(`Список дел ${at}`, '<p>Купить хлеб и чай</p>')).id)
  }
  const { id } = await note('Хлеб и чай', '<p>Список прочитанного за год</p>')
  const found = await similar(id)
  expect(found.length).toBe(6)
  expect(found.map((item) => item.id)).toEqual(ids.toReversed().slice(0, 6))
})

it('finds nothing by the address that a link without a title is called by', async ({ app, account }) => {
  const ids: string[] = []
  for (const [url, description] of [
    ['https://alpha.example.org/articles/one', '<p>Мосты через реку</p>'],
    ['https://beta.example.org/articles/two', '<p>Пирог с вишней</p>'],
  ] as const)
    ids.push((await app.call(links.create, { body: { title: url, url, description } }, account.auth)).id)
  for (const id of ids)
    expect((await app.call(links.similar, { params: { id } }, account.auth)).results).toEqual([])
})
