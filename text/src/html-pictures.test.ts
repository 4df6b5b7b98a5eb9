import { expect, test } from 'vitest'
import { picturesIn, withPicture } from './html-pictures.ts'

const KEPT = { url: '/api/v1/files/1/', width: 40, height: 30 }

test('a kept picture takes the place of those from its address, and of no other', () => {
  const html =
    '<p>а <img src="https://a.example/x.png?a=1&amp;b=2" alt="Пёс &gt; кот" loading="lazy" /> б</p>' +
    '<img src="https://a.example/y.png" />'
  expect(withPicture(html, 'https://a.example/x.png?a=1&b=2', KEPT)).toBe(
    '<p>а <img src="/api/v1/files/1/" width="40" height="30" alt="Пёс &gt; кот" loading="lazy" /> б</p>' +
      '<img src="https://a.example/y.png" />',
  )
  expect(withPicture(html, 'https://a.example/', KEPT)).toBe(html)
})

test('a size that the text gives a picture stays, half of one does not', () => {
  const src = 'https://a.example/$&.png'
  expect(withPicture(`<img width="8" height="6" src="${src.replace('&', '&amp;')}">`, src, KEPT)).toBe(
    '<img width="8" height="6" src="/api/v1/files/1/">',
  )
  expect(withPicture(`<img height="6" src="${src.replace('&', '&amp;')}">`, src, KEPT)).toBe(
    '<img src="/api/v1/files/1/" width="40" height="30">',
  )
})

test('the pictures of a text are found without it', () => {
  expect(picturesIn('<p>а<img src="x?a&amp;b" />б</p><p><img src="y" /></p>')).toEqual([
    { src: 'x?a&b', html: '<img src="x?a&amp;b" />' },
    { src: 'y', html: '<img src="y" />' },
  ])
  expect(picturesIn('<p>а</p>')).toEqual([])
})
