import { expect, test } from 'vitest'
import { pageValues, titleFromAddress } from './page-values.ts'

const page = { title: 'Дом', description: 'Тихо & <b>светло</b>', keywords: ' лес, Лес,,река ,' }

test('a description is text: nothing in it is markup', () => {
  expect(pageValues(page).description).toBe('<p>Тихо &amp; &lt;b&gt;светло&lt;/b&gt;</p>')
  expect(pageValues({ ...page, description: '' }).description).toBe('')
})

test('keywords become tags: one of each, trimmed, ten at most, none that is too long', () => {
  expect(pageValues(page).tags).toEqual(['лес', 'река'])
  const many = ['щ'.repeat(51), ...Array.from({ length: 12 }, (_, at) => `тег ${at}`)]
  expect(pageValues({ ...page, keywords: many.join(', ') }).tags).toEqual(many.slice(1, 11))
})

test.each([
  ['https://www.example.org/', 'example.org'],
  ['https://example.org/blog/how-to_brew.html?x=1#y', 'how to brew — example.org'],
  ['http://почта.рф/%D0%B4%D0%BE%D0%BC', 'дом — почта.рф'],
  ['https://user@example.org:8080/%', '% — example.org:8080'],
  ['не адрес', ''],
])('a title from the address %s: %s', (address, title) => {
  expect(titleFromAddress(address)).toBe(title)
})
