import { expect, test } from 'vitest'
import { isBlankHtml, linesToHtml } from './html-text.ts'

test('plain text keeps its line breaks, whatever the line ends', () => {
  expect(linesToHtml('раз\r\nдва\r\n\r\nтри\nчетыре')).toBe('<p>раз<br>два</p><p>три<br>четыре</p>')
})

test('a comparison is text, not an element', () => {
  expect(linesToHtml('a < b\nb > c')).toBe('<p>a < b<br>b > c</p>')
})

test('HTML stays as written', () => {
  const html = '<ul>\n<li>раз</li>\n</ul>'
  expect(linesToHtml(html)).toBe(html)
})

test.each(['', '<p></p>', '<p>&nbsp;</p>\n<p><br></p>', '<ul><li><p> </p></li></ul>'])(
  '%j is blank',
  (html) => {
    expect(isBlankHtml(html)).toBe(true)
  },
)

test.each(['<p>a</p>', '<p><img src="https://example.org/a.png"></p>'])('%j is not blank', (html) => {
  expect(isBlankHtml(html)).toBe(false)
})
