import { expect, test } from 'vitest'
import { isBlankHtml } from './blank-html.ts'

test.each([
  '',
  ' \n ',
  '<p></p>',
  '<p>&nbsp;</p>\n<p><br></p>',
  '<p> &#160;&#xA0; </p>',
  '<ul><li><p> </p></li></ul>',
  '<p>\u200B</p>',
])('%j is blank', (html) => {
  expect(isBlankHtml(html)).toBe(true)
})

test.each([
  '<p>a</p>',
  '<p>&nbsp;a</p>',
  '<p>&amp;nbsp;</p>',
  '<p>&lt;</p>',
  '< 5',
  '<p><img src="https://example.org/a.png"></p>',
  '<IMG src="https://example.org/a.png">',
])('%j is not blank', (html) => {
  expect(isBlankHtml(html)).toBe(false)
})
