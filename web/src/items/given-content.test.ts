import { describe, expect, test } from 'vitest'
import { type Given, givenItem, noteOf, wholeAddress } from './given-content.ts'

const link = (values: object) => ({
  kind: 'link',
  values: { title: '', description: '', tags: [], ...values },
})
const note = (values: object) => ({ kind: 'note', values: { tags: [], ...values } })

describe('what is handed over becomes', () => {
  test.each<[string, Given, object]>([
    [
      'a link, as Chrome on Android shares a page',
      { title: 'Как варить кофе', text: 'https://example.org/coffee?a=1&b=2' },
      link({ url: 'https://example.org/coffee?a=1&b=2', title: 'Как варить кофе' }),
    ],
    [
      'a link, as programs share one: a title, then the address',
      { text: 'Сплин — Выхода нет\nhttps://music.example/track/1' },
      link({ url: 'https://music.example/track/1', title: 'Сплин — Выхода нет' }),
    ],
    [
      'a link with the text around it as description',
      { title: 'Ролик', text: 'https://video.example/v/1 Смотреть с третьей минуты.\nТам про чай.' },
      link({
        url: 'https://video.example/v/1',
        title: 'Ролик',
        description: '<p>Смотреть с третьей минуты.<br>Там про чай.</p>',
      }),
    ],
    [
      'a link whose sentence stays whole where the address is in the middle',
      { text: 'Прочти (https://ru.example/wiki/Чай_(напиток)), там про это.' },
      link({
        url: 'https://ru.example/wiki/Чай_(напиток)',
        title: 'Прочти (https://ru.example/wiki/Чай_(напиток)), там про это.',
      }),
    ],
    [
      'a link with the selected text as a quote',
      { url: 'https://example.org/', title: 'Пример', text: 'a < b & c', tags: 'чай, Чай,, дом ' },
      link({
        url: 'https://example.org/',
        title: 'Пример',
        description: '<p>a &lt; b &amp; c</p>',
        tags: ['чай', 'дом'],
      }),
    ],
    [
      'a link, the address said twice but kept once',
      { url: 'https://example.org/', title: 'https://example.org/', text: 'https://example.org/' },
      link({ url: 'https://example.org/' }),
    ],
    ['a link by a bare host', { url: 'почта.рф/ящик' }, link({ url: 'https://почта.рф/ящик' })],
    [
      'a link whose title is not repeated',
      { title: 'Дом', text: 'Дом https://example.org/' },
      link({ url: 'https://example.org/', title: 'Дом' }),
    ],
    [
      'a note of several lines',
      { text: 'Купить\nмолоко\n\nхлеб' },
      note({ title: 'Купить', content: '<p>молоко</p><p>хлеб</p>' }),
    ],
    [
      'a note of one line',
      { text: 'Купить чай' },
      note({ title: 'Купить чай', content: '<p>Купить чай</p>' }),
    ],
    [
      'a note with a title',
      { title: 'Мысль', text: 'Первая\nвторая' },
      note({ title: 'Мысль', content: '<p>Первая<br>вторая</p>' }),
    ],
    ['a note of a title alone', { title: 'Мысль' }, note({ title: 'Мысль', content: '<p>Мысль</p>' })],
    [
      'a note of what was no address',
      { url: 'content://media/1', text: 'x' },
      note({ title: 'content://media/1', content: '<p>x</p>' }),
    ],
    ['an empty note of nothing', {}, note({ title: '', content: '' })],
  ])('%s', (_, given, item) => {
    expect(givenItem(given)).toEqual(item)
  })
})

test('a title that is too long stays whole in the text', () => {
  const title = 'щ'.repeat(300)
  const { values } = givenItem({ title, text: 'https://example.org/ дальше' })
  expect(values).toMatchObject({ title: 'щ'.repeat(255), url: 'https://example.org/' })
  expect(JSON.stringify(values)).toContain(`${title}<br>https://example.org/ дальше`)
})

test.each([
  ['x http://a.org/.', 'http://a.org/'],
  ['(http://a.org/b).', 'http://a.org/b'],
  ['(http://a.org/(b)).', 'http://a.org/(b)'],
  ['«http://a.org/b...)»', 'http://a.org/b'],
  ['x http://a.org/b.)(', 'http://a.org/b.)('],
  ['x http://a.org/b()).).', 'http://a.org/b()'],
  ['x http://a.org/b,()', 'http://a.org/b,()'],
])('%j has its address without the punctuation around it', (text, url) => {
  expect(givenItem({ text })).toMatchObject({ kind: 'link', values: { url } })
})

test('of a hundred thousand tags no more are shown than tell that there are too many', () => {
  const tags = Array.from({ length: 100_000 }, (_, at) => `т${at}`).join(',')
  expect(givenItem({ text: 'x', tags }).values.tags).toHaveLength(500)
})

test('a hundred thousand blanks are text like any other', () => {
  const { kind, values } = givenItem({ text: `https://example.org/ раз${' '.repeat(100_000)}два` })
  expect([kind, values]).toMatchObject(['link', { url: 'https://example.org/' }])
  expect(JSON.stringify(values)).toMatch(/<p>раз +два<\/p>/)
})

test('a first line that is too long for a title stays whole in the text', () => {
  const { title, content } = noteOf(`${'щ'.repeat(300)}\nдальше`)
  expect(title).toBe('щ'.repeat(255))
  expect(content).toBe(`<p>${'щ'.repeat(300)}<br>дальше</p>`)
})

test.each([
  ['https://example.org/a b', undefined],
  [' https://example.org/x ', 'https://example.org/x'],
  ['example.org', 'https://example.org'],
  ['www.example.org/x?y#z', 'https://www.example.org/x?y#z'],
  ['ftp://example.org/f', 'ftp://example.org/f'],
  ['https://', undefined],
  ['javascript:alert(1)', undefined],
  ['т.е', undefined],
  ['1.5', undefined],
  ['a@example.org', undefined],
  ['слово', undefined],
  ['', undefined],
  // Would take years where a label of the host may hold dots.
  ['.'.repeat(2000), undefined],
  [`${'1.'.repeat(2000)}1`, undefined],
])('%j as an address: %s', (text, address) => {
  expect(wholeAddress(text)).toBe(address)
})
