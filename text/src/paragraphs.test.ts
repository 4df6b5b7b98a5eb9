import { expect, test } from 'vitest'
import { linesToHtml, paragraphsToHtml } from './paragraphs.ts'

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

test('what looks like HTML in plain text stays text', () => {
  expect(paragraphsToHtml('<b>раз</b> & два\n\nтри')).toBe(
    '<p>&lt;b&gt;раз&lt;/b&gt; &amp; два</p><p>три</p>',
  )
  expect(paragraphsToHtml(' \n')).toBe(' \n')
})
