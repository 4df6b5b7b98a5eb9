import { expect, it } from 'vitest'
import { readMarkdown } from './markdown.ts'

const NAME = '01234567-89ab-8def-8123-456789abcdef.png'

it.for([
  ['files/', true],
  ['../files/', true],
  ['https://example.org/files/', false],
  ['//example.org/files/', false],
  ['file:///home/files/', false],
] as const)('knows the pictures of its own export by their place beside a note: %s', ([place, isOwn]) => {
  const { html } = readMarkdown(`![](${place}${NAME})`)
  expect(html.includes('/api/v1/files/')).toBe(isOwn)
})

it.for([
  [
    '[Моя статья]: https://ref.example/a "Название"',
    '<p>[Моя статья]: <a href="https://ref.example/a">https://ref.example/a</a> &quot;Название&quot;</p>',
  ],
  ['[а] и [Б]\n\n[А]: https://a.b/\n[б]: /c', '<p><a href="https://a.b/">а</a> и <a href="/c">Б</a></p>'],
  [
    '![а]\n\n[а]: https://a.b/1\n[а]: https://a.b/2',
    '<p><img src="https://a.b/1" alt="а"></p>\n<p>[а]: <a href="https://a.b/2">https://a.b/2</a></p>',
  ],
  ['Слово[^1]\n\n[^1]: Источник', '<p>Слово[^1]</p>\n<p>[^1]: Источник</p>'],
  ['[^1]: [**Источник**](/a)', '<p>[^1]: <a href="/a"><strong>Источник</strong></a></p>'],
  [
    '> 1. [^1]:\n>    Слово',
    '<blockquote>\n<ol>\n<li>\n<p>[^1]:<br>\nСлово</p>\n</li>\n</ol>\n</blockquote>',
  ],
  ['[//]: # (Черновик)\n[_]: <> "Ещё"\nтекст', '<p>текст</p>'],
] as const)('keeps what defines a link that is nowhere, and footnotes: %s', ([text, html]) => {
  expect(readMarkdown(text).html).toBe(html)
})

it('finds the heading behind definitions and comments, and counts comments', () => {
  const text = '[//]: # (Черновик)\n[а]: #б\n# Имя\nт <!-- раз --> <!-- -->\n\n<!-- два\n\n-->'
  const read = readMarkdown(text)
  expect(read).toMatchObject({ heading: 'Имя', comments: 3, tags: [] })
  expect(read.htmlWithoutHeading).toMatch(/^<p>\[а\]: #б<\/p>\n<p>т /)
})
