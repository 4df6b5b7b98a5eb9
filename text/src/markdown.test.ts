import { expect, it } from 'vitest'
import { htmlToMarkdown } from './html-to-markdown.ts'
import { htmlToText } from './html-to-text.ts'
import { markdownToHtml, pastedMarkdownToHtml } from './markdown.ts'

const CHECKLIST =
  '<ul data-type="taskList">\n<li data-checked="false">хлеб <strong>белый</strong>\n' +
  '<ul data-type="taskList">\n<li data-checked="true">два</li>\n</ul>\n</li>\n<li data-checked="true"></li>\n</ul>'

it('reads checklists, nested and with empty tasks', () => {
  expect(markdownToHtml('- [ ] хлеб **белый**\n  - [X] два\n- [x]')).toBe(CHECKLIST)
  // A Russian letter looks the same.
  expect(markdownToHtml('- [х] раз\n- [ ] два\n- [Х] три')).toBe(
    '<ul data-type="taskList">\n<li data-checked="true">раз</li>\n<li data-checked="false">два</li>\n<li data-checked="true">три</li>\n</ul>',
  )
  expect(markdownToHtml('- [ ] раз\n\n- [x] два')).toBe(
    '<ul data-type="taskList">\n<li data-checked="false">\n<p>раз</p>\n</li>\n<li data-checked="true">\n<p>два</p>\n</li>\n</ul>',
  )
})

it('keeps the tasks of a list that has others as well, and those of a numbered list', () => {
  expect(markdownToHtml('- ноль\n- [ ] раз\n  - в\n  - [X] нём\n- [x] два\n- три')).toBe(
    '<ul>\n<li>ноль</li>\n</ul>\n' +
      '<ul data-type="taskList">\n<li data-checked="false">раз\n' +
      '<ul>\n<li>в</li>\n</ul>\n<ul data-type="taskList">\n<li data-checked="true">нём</li>\n</ul>\n</li>\n' +
      '<li data-checked="true">два</li>\n</ul>\n<ul>\n<li>три</li>\n</ul>',
  )
  expect(markdownToHtml('5. [ ] раз\n6. [X] два')).toBe(
    '<ul data-type="taskList">\n<li data-checked="false">раз</li>\n<li data-checked="true">два</li>\n</ul>',
  )
})

it.each([
  ['1. [ ] раз\n2. два', '<ol>\n<li>[ ] раз</li>\n<li>два</li>\n</ol>'],
  ['- [x](https://a.b/)', '<ul>\n<li><a href="https://a.b/">x</a></li>\n</ul>'],
  ['- [y] раз', '<ul>\n<li>[y] раз</li>\n</ul>'],
  ['- # [ ] раз', '<ul>\n<li>\n<h1>[ ] раз</h1>\n</li>\n</ul>'],
])('%j has no checklist', (markdown, html) => {
  expect(markdownToHtml(markdown)).toBe(html)
})

it.each([
  [
    '<ul data-type="taskList"><li data-checked="true"><p>раз</p></li><li data-checked="false"><p>два</p></li></ul>',
    '-   [x] раз\n-   [ ] два',
  ],
  [
    '<ul data-type="taskList"><li data-checked="true"><p>раз</p><ul data-type="taskList"><li data-checked="false"><p>два</p></li></ul></li></ul>',
    '-   [x] раз\n    \n    -   [ ] два',
  ],
  [
    '<table><thead><tr><th>Что</th><th>Сколько</th></tr></thead><tbody><tr><td><p>соль | перец</p></td><td></td></tr></tbody></table>',
    '| Что | Сколько |\n| --- | --- |\n| соль \\| перец |  |',
  ],
  [
    '<table><tbody><tr><td>без шапки</td></tr></tbody></table>',
    '<table><tbody><tr><td>без шапки</td></tr></tbody></table>',
  ],
  [
    '<table><tbody><tr><th colspan="2">шапка</th></tr><tr><td>а</td><td>б</td></tr></tbody></table>',
    '<table><tbody><tr><th colspan="2">шапка</th></tr><tr><td>а</td><td>б</td></tr></tbody></table>',
  ],
  ['<pre><code class="language-c++">a &lt; b</code></pre>', '```c++\na < b\n```'],
  [
    '<p>&lt;b&gt; a &lt; b &amp;lt; R&amp;D &lt;!-- https://a.b/?c&amp;d=1</p>',
    '\\<b> a < b \\&lt; R&D \\<!-- https://a.b/?c&d=1',
  ],
  [
    '<ul data-type="taskList"><li data-checked="false"><p></p></li><li data-checked="true"></li></ul>',
    '-   [ ] \n-   [x]',
  ],
  ['<p></p><blockquote><p></p></blockquote><p>да</p>', 'да'],
  ['<p><s>нет</s> <strong>да</strong> <sub>2</sub></p>', '~~нет~~ **да** <sub>2</sub>'],
  ['<ins><p>a*b*</p><p>да</p></ins>', '<ins><p>a*b*</p><p>да</p></ins>'],
  ['<p><u>Итого:<br><br>1) раз</u></p>', '<u>Итого:<br><br>1) раз</u>'],
  ['<p><u><br>a*b*</u></p>', '<u><br>a*b*</u>'],
  ['<p>Ура!<a href="https://ya.ru/"> да</a></p>', 'Ура! [да](https://ya.ru/)'],
  ['<p><code>a!<a href="https://ya.ru/">b</a></code></p>', '`a![b](https://ya.ru/)`'],
])('%s is written as Markdown', (html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown)
})

it.each([
  '<p>&lt;b&gt;нет&lt;/b&gt; &amp;lt; &lt;!-- да</p>',
  '<p>1) хлеб<br>\n2) молоко</p>\n<p>+</p>\n<p>5.</p>',
  '<ul data-type="taskList">\n<li data-checked="false"></li>\n<li data-checked="true"></li>\n</ul>',
  '<pre><code class="language-c++">a &lt; b\n</code></pre>',
  '<p>~~нет~~ ~5 <s>~</s> <s>~~</s> <s>нет~</s></p>',
  '<p>~<s>500</s> 400 ₽, ~<s>а\\~</s>~</p>',
  '<p>а|б<br>\n:-|-:</p>\n<p>|а|<br>\n|---|<br>\n|б|</p>',
  '<p><a href="https://ya.ru/?a=1&amp;amp;lt;=2" title="а\\*б &amp;amp;lt; \\">да</a> <img src="https://ya.ru/?a=1&amp;amp;lt;=2" alt="да"></p>',
  '<ul data-type="taskList">\n<li data-checked="true">\n<p></p>\n<ul data-type="taskList">\n<li data-checked="false">да</li>\n</ul>\n</li>\n</ul>',
  '<ul data-type="taskList">\n<li data-checked="true">\n<p></p>\n<ul data-type="taskList">\n<li data-checked="false"></li>\n</ul>\n</li>\n</ul>',
  '<ul data-type="taskList">\n<li data-checked="false">\n<p></p>\n<pre><code>a\n\nb\n</code></pre>\n</li>\n</ul>',
])('%s is the same after Markdown', (html) => {
  expect(markdownToHtml(htmlToMarkdown(html))).toBe(html)
})

it.each([
  ['<s>раз <del>два</del></s>', '~~раз два~~'],
  ['<s><s>раз</s> два</s>', '~~раз два~~'],
  ['<b>раз <strong>два</strong></b>', '**раз два**'],
  ['<i><em>раз</em> два</i>', '*раз два*'],
  ['<b><i>раз <img src="https://ya.ru/x"></i></b> два', '***раз ![](https://ya.ru/x)***  два'],
  ['<b>раз<br></b>два', '**раз**  \nдва'],
])('writes the signs of %s once, and beside no white space', (html, markdown) => {
  expect(htmlToMarkdown(`<p>${html}</p>`)).toBe(markdown)
})

it.each(['#', '######', '>', '-', '+', '*', '1.', '1)', '---', '===', '***', '~~~', '```'])(
  'keeps %j that stands alone',
  (text) => {
    const html = `<p>${text.replace('>', '&gt;')}</p>`
    expect(markdownToHtml(htmlToMarkdown(html))).toBe(html)
    const below = html.replace('<p>', '<p>да<br>\n')
    expect(markdownToHtml(htmlToMarkdown(below))).toBe(below)
  },
)

it.each(['<h1>#</h1>', '<h2>На C ##</h2>', '<p># <strong>да</strong></p>'])(
  'keeps the text of %s',
  (html) => {
    expect(markdownToHtml(htmlToMarkdown(html))).toBe(html)
  },
)

it.each([
  ['<div><ul><li>a</li></ul></div>', '<ul><li>a</li></ul>'],
  ['<div><p></p></div><dl><dd><h1>a</h1></dd></dl>', '<h1>a</h1>'],
  ['<div><div></div><div><pre><code>a</code></pre></div></div>', '<pre><code>a</code></pre>'],
])('keeps the block that a task begins with below its box: %s', (html, block) => {
  const list = (content: string) => `<ul data-type="taskList"><li data-checked="true">${content}</li></ul>`
  expect(markdownToHtml(htmlToMarkdown(list(html))).replaceAll('\n', '')).toBe(list(`<p></p>${block}`))
})

const items = (tag: string, ...texts: string[]) =>
  `<${tag}>${texts.map((text) => `<li>${text}</li>`).join('')}</${tag}>`
const TASKS = '<ul data-type="taskList"><li data-checked="true">да</li><li data-checked="false"></li></ul>'

it.each([
  items('ul', 'раз', 'два') + TASKS + items('ul', 'три', 'четыре'),
  TASKS + items('ul', 'раз'),
  TASKS + TASKS + TASKS,
  items('ol', 'раз', 'два') + items('ol', 'три') + items('ul', 'четыре') + items('ol', 'пять'),
  items('ul', `раз${items('ol', 'два')}${items('ol', 'три')}`, 'четыре'),
  `${items('ul', 'раз')}<ul data-type="taskList"><li data-checked="false"></li></ul>${items('ul', 'два')}`,
])('keeps lists apart in Markdown: %s', (html) => {
  expect(markdownToHtml(htmlToMarkdown(html)).replace(/\n|<\/?p>/g, '')).toBe(html)
})

it('keeps lists apart that have nothing but what is blank between them', () => {
  expect(htmlToMarkdown(`${items('ul', 'раз')}<p></p>${items('ul', '')}${items('ul', 'два')}`)).toBe(
    '-   раз\n\n+   два',
  )
})

it.each([
  ['https://ya.ru/x_y', 'https://ya.ru/x_y'],
  ['https://ya.ru/x_y*z', '<https://ya.ru/x_y*z>'],
  ['https://ya.ru/_x/a__b', '<https://ya.ru/_x/a__b>'],
  ['https://ya.ru/a_(b)_c', '<https://ya.ru/a_(b)_c>'],
  ['https://ya.ru/?a=1&amp;lt;=2', '<https://ya.ru/?a=1&lt;=2>'],
  ['ftp://ya.ru/~~x~~/%D0%B0', '<ftp://ya.ru/~~x~~/%D0%B0>'],
  ['user_name@example.org', 'user_name@example.org'],
  ['_x@example.org', '<_x@example.org>'],
])('keeps a bare address: %s', (address, markdown) => {
  const inText = (text: string) => `<p>(${text}), ${text}. См. ${text} и ${text}</p>`
  expect(htmlToMarkdown(inText(address))).toBe(inText(markdown).slice(3, -4))
  const link = `<a href="${address.includes('@') ? 'mailto:' : ''}${address}">${address}</a>`
  for (const toHtml of [markdownToHtml, pastedMarkdownToHtml])
    expect(toHtml(htmlToMarkdown(inText(address))).trim()).toBe(inText(link))
})

it.each(['*', '\\', '[', ']', '»', '.)', ':', '…', '`'])('keeps %j behind an address out of it', (after) => {
  const html = markdownToHtml(htmlToMarkdown(`<p>${after}https://ya.ru/a${after}</p>`))
  expect(html).toBe(`<p>${after}<a href="https://ya.ru/a">https://ya.ru/a</a>${after}</p>`)
})

it.each([
  '<p><a href="https://ya.ru/x_y*z">https://ya.ru/x_y*z</a> <a href="mailto:_a@b.ru">_a@b.ru</a></p>',
  '<p><a href="https://ya.ru/">см. [https://ya.ru/*_]: <strong>да</strong></a></p>',
  '<p>да, да <a href="https://ya.ru/">[https://ya.ru/x]</a></p>',
])('keeps an address in the text of a link: %s', (html) => {
  expect(markdownToHtml(htmlToMarkdown(html))).toBe(html)
})

it.each([
  '<s><a href="https://ya.ru/x">https://ya.ru/x</a></s>, да',
  '<s>нет: <strong><a href="https://ya.ru/x_y">https://ya.ru/x_y</a></strong></s>',
  '<s>(<a href="https://ya.ru/x">https://ya.ru/x</a>)</s> <s><a href="ftp://ya.ru/x">ftp://ya.ru/x</a>.</s>',
  '<s><a href="https://ya.ru/(x)">https://ya.ru/(x)</a></s> <s>(<a href="https://ya.ru/x">https://ya.ru/x</a></s>',
  '<s><a href="https://ya.ru/x">https://ya.ru/x</a><strong>yz</strong></s>',
  '<a href="https://ya.ru/x">https://ya.ru/x</a><strong>yz</strong> a<strong><a href="https://ya.ru/x">https://ya.ru/x</a></strong>',
  '<strong><a href="https://ya.ru/x">https://ya.ru/x</a>.</strong> <em>(<a href="https://ya.ru/">https://ya.ru/</a>)</em>',
  '-<a href="https://ya.ru/x_y">https://ya.ru/x_y</a>',
])('keeps an address that is struck, or beside a sign: %s', (text) => {
  const written = htmlToMarkdown(`<p>${text.replace(/<a.*?>|<.a>/g, '')}</p>`)
  expect(markdownToHtml(written)).toBe(`<p>${text}</p>`)
})

it.each([
  ['<code>curl https://ya.ru/x</code>', '`curl https://ya.ru/x`'],
  ['<a href="https://a.ru/?b[]=https://c.ru/x">сюда</a>', '[сюда](https://a.ru/?b[]=https://c.ru/x)'],
  ['<a href="https://a.ru/x" title="https://b.ru/y">сюда</a>', '[сюда](https://a.ru/x "https://b.ru/y")'],
  ['<img src="https://a.ru/?b[]=https://c.ru/x" alt="вид">', '![вид](https://a.ru/?b[]=https://c.ru/x)'],
  [
    '<a href="https://a.ru/x"><code>&lt;https://b.ru/x_y&gt;</code></a>',
    '[`<https://b.ru/x_y>`](https://a.ru/x)',
  ],
])('leaves an address that is no text: %s', (html, markdown) => {
  expect(htmlToMarkdown(`<s>см. ${html}</s>`)).toBe(`~~см. ${markdown}~~`)
})

it.each([
  ['dots', `http://ya.ru${'.'.repeat(600_000)}x y`],
  ['addresses', `${'!http://'.repeat(75_000)} y`],
])('reads a struck text of 600,000 characters once: %s', (_, text) => {
  // A pattern that begins anew at each sign takes minutes.
  expect(htmlToText(markdownToHtml(htmlToMarkdown(`<s>${text}</s>`)))).toBe(text)
})

it.each(['me@my_host.local:/a', 'a_b@ya.ru_c', 'a@ya.ru-[b]'])('puts no signs around %s', (text) => {
  expect(htmlToText(markdownToHtml(htmlToMarkdown(`<p>${text}</p>`)))).toBe(text)
})

it('keeps brackets in an address, and escapes words beside it', () => {
  const markdown = htmlToMarkdown('<p>a_b https://ya.ru/?x[]=1, _c_ и https://ya.ru/a\\b</p>')
  expect(markdown).toBe('a\\_b <https://ya.ru/?x[]=1>, \\_c\\_ и <https://ya.ru/a\\b>')
  expect(htmlToText(markdownToHtml(markdown))).toBe('a_b https://ya.ru/?x[]=1, _c_ и https://ya.ru/a\\b')
})

it('writes long addresses in linear time', () => {
  for (const text of [
    'https://a.b/'.repeat(10_000),
    `https://a.b/${'.'.repeat(100_000)}`,
    'a.'.repeat(50_000),
    'ftp://(['.repeat(20_000),
  ])
    expect(htmlToText(markdownToHtml(htmlToMarkdown(`<p>${text}</p>`)))).toBe(text)
})

it('keeps the line breaks of a text', () => {
  expect(pastedMarkdownToHtml('```\nа\n```')).toBe('<pre><code>а</code></pre>\n')
  expect(pastedMarkdownToHtml('раз\nдва')).toBe('<p>раз<br>\nдва</p>\n')
  expect(pastedMarkdownToHtml('**List<String>** of README.md, <b>x</b>')).toBe(
    '<p><strong>List&lt;String&gt;</strong> of README.md, &lt;b&gt;x&lt;/b&gt;</p>\n',
  )
  expect(markdownToHtml('раз\nдва')).toBe('<p>раз<br>\nдва</p>')
})

it.each([
  '<table><tbody><tr><td>без шапки</td></tr><tr><td><ul><li>раз</li></ul></td></tr></tbody></table>',
  '<p>H<sub>2</sub>O, x<sup>2</sup>, <u>да</u> и <kbd>Ctrl</kbd></p>',
  '<table>\n<thead>\n<tr>\n<th>а</th>\n</tr>\n</thead>\n<tbody>\n<tr>\n<td>б<br>в</td>\n</tr>\n</tbody>\n</table>',
])('%s that is copied as Markdown is pasted the same', (html) => {
  expect(pastedMarkdownToHtml(htmlToMarkdown(html)).trim()).toBe(html)
})

it.each([
  '<p>цена<sup>*</sup> и срок<sup>*</sup>, <kbd>`</kbd> и <kbd>`</kbd>, <kbd>\\</kbd> и <kbd>[</kbd></p>',
  '<p><u>***2)***</u> <mark>a_b _c_ &amp;amp; &lt;b&gt;</mark>да <ins>1.</ins></p>',
  '<p>до <sub>раз <strong>два</strong></sub> <u>https://ya.ru/a_b*c</u></p>',
])('signs in elements that stay in Markdown are text: %s', (html) => {
  const markdown = htmlToMarkdown(html)
  for (const toHtml of [markdownToHtml, pastedMarkdownToHtml])
    expect(
      toHtml(markdown)
        .trim()
        .replace(/<\/?a\b.*?>/g, ''),
    ).toBe(html)
})

it.each([
  '<p>Ура!<a href="https://ya.ru/">да</a></p>',
  '<p><s>a!</s>!<a href="https://ya.ru/">!</a>!</p>',
  '<p>a!<span><a href="https://ya.ru/">да</a></span></p>',
  '<p><small>Ура!</small><a href="https://ya.ru/">да</a></p>',
  '<p>https://ya.ru/a_b<a href="https://ya.ru/">да</a></p>',
])('makes no picture of a link behind an exclamation mark: %s', (html) => {
  const read = markdownToHtml(htmlToMarkdown(html))
  expect(read.replace(/<(?!a href="https:..ya.ru.">да)[^>]*>/g, '')).toBe(
    html.replace(/<(?!a href="https:..ya.ru.">да)[^>]*>/g, ''),
  )
  expect(read).not.toContain('<img')
})

it.each([
  'List<u>',
  '<table> без конца',
  '<table onclick="x">\n</table>',
  '<script>x</script>',
  '`<sub>x</sub>`',
])('%s that is pasted stays text', (markdown) => {
  expect(pastedMarkdownToHtml(markdown)).not.toMatch(/<(?!\/?(?:p|br|code)>)/)
})

it.each([
  [
    '<p>см. [[Заметка 1|имя]], [[a_b#Глава]] и ![[img.png]]</p>',
    'см. [[Заметка 1|имя]], [[a_b#Глава]] и ![[img.png]]',
  ],
  ['<blockquote><p>[!note] Важно<br>текст</p></blockquote>', '> [!note] Важно  \n> текст'],
  // Without its escapes Markdown would read it as something else.
  [
    '<p>[[a]](b) [[a]]: [[*a*]] [!note](b)</p>',
    '\\[\\[a\\]\\](b) \\[\\[a\\]\\]: \\[\\[\\*a\\*\\]\\] \\[!note\\](b)',
  ],
])('writes the links and callouts of Obsidian as they are: %s', (html, markdown) => {
  expect(htmlToMarkdown(html)).toBe(markdown)
  expect(htmlToText(markdownToHtml(markdown))).toBe(htmlToText(html.replaceAll('<br>', '<br />')))
})

it('writes a table of nine thousand rows in linear time', () => {
  const rows = '<tr><th>а</th></tr>'.repeat(9_000)
  expect(htmlToMarkdown(`<table><tbody>${rows}</tbody></table>`).split('\n')).toHaveLength(9_001)
  expect(htmlToMarkdown(`<table><thead></thead><tbody><tr><th>а</th></tr></tbody></table>`)).toContain(
    '<table>',
  )
})
